import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import * as reference from "../../reference/service.ts";
import { InProcessAdapter, type ServiceModule } from "../adapters/in-process.ts";
import type { ReportData } from "../report/data.ts";
import type { Edge } from "./edge.ts";
import { main } from "./main.ts";

const folder = mkdtempSync(join(tmpdir(), "report-test-"));
after(() => rmSync(folder, { recursive: true }));
const inFolder = (name: string) => join(folder, `${name}.json`);
const read = (name: string): ReportData => JSON.parse(readFileSync(inFolder(name), "utf8"));

async function command(args: readonly string[], service: ServiceModule = reference) {
  const texts: string[] = [];
  const write = (text: string) => void texts.push(text);
  const edge: Partial<Edge> = {
    program: "npx launch-draft-conformance",
    env: {},
    terminal: undefined,
    interrupted: new AbortController().signal,
    write,
    writeError: write,
    clock: { now: () => 0, sleep: async () => {} },
    isOutputLost: async () => false,
    elapsedMs: () => 0,
    every: () => () => {},
    nextTurn: async () => {},
    openService: async () => new InProcessAdapter(service),
  };
  const status = await main(args, edge as Edge);
  return { status, text: texts.join("") };
}

/** The reference, but its sessions have a wrong scope, and one path crashes. */
const broken: ServiceModule = {
  ...reference,
  createService(options: reference.ServiceOptions) {
    const service = reference.createService(options);
    return {
      handle(call: object) {
        const { status, body } = service.handle(call) as { status: number; body: object };
        if ("path" in call && call.path === "/v1/platform/") throw new Error("crash");
        return { status, body: "scope" in body ? { ...body, scope: "other" } : body };
      },
    };
  },
};

const ONLY = ["--only", "session/**", "routes/**", "platform/**"];

/** Runs on a service, and saves the report. */
async function save(name: string, service: ServiceModule, ...options: readonly string[]) {
  const args = ["run", "--reference", "--quiet", "--reporter", `json=${inFolder(name)}`, ...options];
  await command(args, service);
}

/** Returns the part of a report that does not depend on which vector measures the lifetimes first. */
function comparable({ kit, run: { selected, selection }, tests, rules, results, ...data }: ReportData) {
  return {
    ...{ kit, selected, selection, tests, verdict: data.verdict, behavior: data.behavior },
    rules: rules.map(({ id, outcome, reason }) => ({ id, outcome, reason })),
    results: results.map(({ id, outcome, reason }) => ({ id, outcome, reason })),
  };
}

test("the joined reports of all shards equal the report of the run without shards", async () => {
  const shards = [1, 2, 3].map((index) => `shard-${index}`);
  for (const [index, name] of shards.entries())
    await save(name, broken, ...ONLY, "--shard", `${index + 1}/3`);
  await save("unsharded", broken, ...ONLY);
  const files = [...shards].reverse().map(inFolder);
  const { status, text } = await command(["merge", ...files, "--reporter", `json=${inFolder("merged")}`]);
  assert.deepEqual({ status, text }, { status: 1, text: "" });
  const unsharded = read("unsharded");
  assert.ok(unsharded.tests.failed > 0 && unsharded.tests.passed > 0);
  assert.deepEqual(comparable(read("merged")), comparable(unsharded));

  const errors: readonly (readonly [args: readonly string[], message: RegExp])[] = [
    [files.slice(1), /^the report of shard 3\/3 is missing; add it\n$/],
    [[...files, inFolder("shard-1")], /shard-1\.json: shard 1\/3 is also in .*shard-1\.json; remove one\n$/],
    [
      [inFolder("unsharded")],
      /unsharded\.json: not the report of a shard; create each report with --shard I\/N\n$/,
    ],
  ];
  for (const [args, message] of errors) {
    const failed = await command(["merge", ...args]);
    assert.equal(failed.status, 2);
    assert.match(failed.text, message);
  }
  await save("other-seed", broken, ...ONLY, "--shard", "3/3", "--seed", "2");
  const mixed = await command(["merge", inFolder("shard-1"), inFolder("other-seed")]);
  assert.match(mixed.text, /other-seed\.json: --seed is 2, but 1 in .*shard-1\.json\n$/);
});

test("a saved report is printed again by any reporter", async () => {
  await save("saved", broken, "--only", "session/**");
  const { status, text } = await command(["report", inFolder("saved"), "--reporter", "console"]);
  assert.equal(status, 0);
  assert.match(text, /^FAILED {2}session\/\S+\n {2}SESSION-3 /m);
  assert.match(text, /^Violated {3}SESSION-3/m);
  const json = await command(["report", inFolder("saved"), "--reporter", "json"]);
  assert.deepEqual(JSON.parse(json.text), read("saved"));
});

test("a comparison lists what fails now, what is fixed, and which behavior changed", async () => {
  await save("good", reference, "--only", "session/**");
  const { text } = await command(["compare", inFolder("good"), inFolder("saved")]);
  assert.match(text, /^Before: launch-draft-reference 0\.1\.0, none, \d+ passed, 0 failed\nAfter: {2}/);
  assert.match(text, /^Rules violated now: 1\n {2}SESSION-3\n/m);
  assert.match(text, /^Tests failing now: \d+\n {2}session\/\S+: failed, was passed \(SESSION-3\)\n/m);
  const back = await command(["compare", inFolder("saved"), inFolder("good")]);
  assert.match(back.text, /^Rules fixed: 1\n {2}SESSION-3\n\nTests fixed: \d+\n/m);
  const changed = { ...read("good"), behavior: { "RATE-SHAPE": ["fixed"] } };
  writeFileSync(inFolder("fixed"), JSON.stringify(changed));
  writeFileSync(inFolder("sliding"), JSON.stringify({ ...changed, behavior: { "RATE-SHAPE": ["sliding"] } }));
  const behavior = await command(["compare", inFolder("fixed"), inFolder("sliding")]);
  assert.match(behavior.text, /\n\nBehavior that changed: 1\n {2}RATE-SHAPE: sliding, was fixed\n$/);
  const names = { constructor: ["a"], ["__proto__"]: ["b"], toString: ["c"] };
  writeFileSync(inFolder("names"), JSON.stringify({ ...changed, behavior: names }));
  assert.equal((await command(["compare", inFolder("fixed"), inFolder("names")])).status, 0);
  const same = await command(["compare", inFolder("good"), inFolder("good")]);
  assert.match(same.text, /\n\nNothing changed\.\n$/);
  const json = await command(["compare", inFolder("good"), inFolder("saved"), "--json"]);
  assert.deepEqual(JSON.parse(json.text).rules, { violated: ["SESSION-3"], fixed: [] });
});
