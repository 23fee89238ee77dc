import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import * as reference from "../../reference/service.ts";
import { InProcessAdapter, type ServiceModule } from "../adapters/in-process.ts";
import type { ReportData, ResultData } from "../report/data.ts";
import { isInShard } from "../run/plan.ts";
import { serviceKit } from "./list.ts";
import { main } from "./main.ts";
import { fakeEdge } from "./testing/fake-edge.ts";

const folder = mkdtempSync(join(tmpdir(), "report-test-"));
after(() => rmSync(folder, { recursive: true }));
const inFolder = (name: string) => join(folder, `${name}.json`);
const read = (name: string): ReportData => JSON.parse(readFileSync(inFolder(name), "utf8"));

async function command(args: readonly string[], service: ServiceModule = reference) {
  const edge = fakeEdge({ openService: async () => new InProcessAdapter(service) });
  const status = await main(args, edge);
  return { status, text: edge.texts.join("") };
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

const ONLY = ["--only", "session/issued/*", "routes/trailing-slash", "platform/*"];

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
  assert.equal(status, 1);
  assert.match(text, /^No verdict, .*\n$/);
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
  const facts = { ...reference.facts, clockStepMs: 1 };
  const other: readonly (readonly [service: ServiceModule, options: readonly string[], message: RegExp])[] = [
    [broken, [...ONLY, "--seed", "2"], /--seed is 2, but 1 in .*shard-1\.json\n$/],
    [broken, [...ONLY, "--runs", "9"], /--runs is 9, but 50 in /],
    [broken, ["--only", "platform/*"], /--only is platform\/\*, but session\/issued\/\* routes/],
    [{ ...broken, facts }, ONLY, /the digest of the facts is \w+, but /],
    [broken, [...ONLY, "--timeout", "9s"], /the command is .* --timeout 9s, but /],
    [
      broken,
      [...ONLY, "--allow-not-tested", "JSON-*"],
      /the list of policies is allow-not-tested, but empty /,
    ],
    [
      broken,
      [...ONLY, "--failed", inFolder("shard-3")],
      /made with --failed; run the shard again without it\n$/,
    ],
  ];
  for (const [service, options, message] of other) {
    await save("other", service, "--shard", "3/3", ...options);
    const mixed = await command(["merge", inFolder("shard-1"), inFolder("shard-2"), inFolder("other")]);
    assert.equal(mixed.status, 2);
    assert.match(mixed.text, message);
  }
});

/** Writes the reports of two shards in which all tests passed, with a change of the second. */
function writeShards(template: ReportData, change: (second: ReportData) => unknown = () => {}) {
  const { vectors } = serviceKit();
  return [1, 2].map((index) => {
    const own = vectors.filter(({ id }) => isInShard(id, { index, count: 2 }));
    const results = own.map(({ id, title, rules }): ResultData => {
      return { id, title, rules, place: "suite.yaml:1", outcome: "passed", durationMs: 1 };
    });
    const data: ReportData = {
      ...template,
      run: { ...template.run, runs: 0, selection: { shard: `${index}/2` }, selected: own.length },
      rules: template.rules.map(({ reason: _, ...rule }) => ({ ...rule, outcome: "satisfied" })),
      results,
    };
    if (index === 2) change(data);
    const file = inFolder(`whole-${index}`);
    writeFileSync(file, JSON.stringify(data));
    return file;
  });
}

test("the verdict of joined reports is that of the whole suite only if each test has one result", async () => {
  await save("template", reference, "--only", "platform/same-twice");
  type Change = { results: ResultData[]; rules: unknown[]; run: Record<string, unknown> };
  const merge = async (change?: (second: Change) => unknown) =>
    command(["merge", ...writeShards(read("template"), change as never)]);
  const whole = await merge();
  assert.equal(whole.status, 0);
  assert.match(whole.text, /^Conforms: every required rule is satisfied\.\n$/m);
  const cut = await merge(({ results, run }) => {
    results.pop();
    run["ended"] = { by: "limit", reason: "too long" };
  });
  assert.equal(cut.status, 4);
  assert.match(cut.text, /^Undecided\. The run ended early: too long\.\n$/m);
  for (const [change, message] of [
    [({ results }) => results.pop(), /: no result for 1 of \d+ tests; run the shard again\n$/],
    [({ results }) => results.push(results[0] as ResultData), /: a test has two results; run/],
    [
      ({ results }) => Object.assign(results[0] as ResultData, { id: read("whole-1").results[0]?.id }),
      /: \S+ is not a test of shard 2\/2; run/,
    ],
    [({ rules }) => rules.pop(), /: \S+ has no outcome; run/],
    [
      ({ run }) => Object.assign(run, { suite: { vectors: 1, digest: "0".repeat(16) } }),
      /: made with another/,
    ],
    [
      ({ run }) => Object.assign(run, { selection: { shard: "2/2", file: "x" } }),
      /: not the report of a shard/,
    ],
    [({ run }) => Object.assign(run, { selection: { shard: "1/999999999" } }), /: not a report \(.*shard/],
    [({ run }) => Object.assign(run, { requests: 1e300 }), /: not a report \(.*requests/],
  ] as readonly (readonly [(second: Change) => unknown, RegExp])[]) {
    const { status, text } = await merge(change);
    assert.equal(status, 2);
    assert.match(text, message);
  }
  const shard = { ...read("template"), run: { ...read("whole-1").run, selection: { shard: "1/99999" } } };
  writeFileSync(inFolder("many"), JSON.stringify(shard));
  const { text } = await command(["merge", inFolder("many")]);
  assert.match(text, /^the report of shard 2\/99999, .*, 6\/99999, and 99993 more is missing; add it\n$/);
});

test("a doubt of one shard is not accepted because another shard lacks a capability", async () => {
  await save("template", reference, "--only", "platform/same-twice");
  const policies = [{ policy: "allow-not-tested", summary: "1 rule", problems: [] }] as const;
  const [doubt, tested] = ["a wait ended 900 ms late", "PLATFORM-10"];
  const merge = async (isAllowed: boolean) => {
    const files = writeShards({ ...read("template"), policies }, (second) => {
      const result = second.results.find(({ rules }) => rules.join() === tested);
      Object.assign(result as ResultData, { outcome: "skipped", excuse: "slow", doubt });
    });
    for (const [index, file] of files.entries()) {
      const data: ReportData = JSON.parse(readFileSync(file, "utf8"));
      const own = index === 0 || isAllowed ? { isAllowed: true } : {};
      const untested = { outcome: "not-tested", reason: "a: b", ...own };
      const rules = data.rules.map((rule) => (rule.id === tested ? { ...rule, ...untested } : rule));
      writeFileSync(file, JSON.stringify({ ...data, rules }));
    }
    return (await command(["merge", ...files])).status;
  };
  assert.deepEqual([await merge(true), await merge(false)], [0, 4]);
});

test("the doubt of a rule names the first test that has one, as in a run without shards", async () => {
  await save("template", reference, "--only", "platform/same-twice");
  const files = writeShards(read("template"), ({ results }) => {
    for (const result of results)
      Object.assign(result, { outcome: "skipped", excuse: "slow", doubt: "slow" });
  });
  const [first] = serviceKit().vectors.filter(({ id, rules }) => {
    return rules.includes("PLATFORM-1") && isInShard(id, { index: 2, count: 2 });
  });
  await command(["merge", ...files, "--reporter", `json=${inFolder("joined")}`]);
  const rule = read("joined").rules.find(({ id }) => id === "PLATFORM-1");
  assert.deepEqual([rule?.outcome, rule?.reason], ["not-tested", `${first?.id}: slow`]);
});

test("a policy that fails one shard fails the whole run", async () => {
  await save("template", reference, "--only", "platform/same-twice");
  const policies = [{ policy: "choices", summary: "choices old.json", problems: [] }] as const;
  const files = writeShards({ ...read("template"), policies }, (second) => {
    Object.assign(second, { policies: [{ ...policies[0], problems: [{ message: "RATE-SHAPE changed" }] }] });
  });
  const { status, text } = await command(["merge", ...files]);
  assert.equal(status, 1);
  assert.match(text, /^Policy {5}choices old\.json\n {11}RATE-SHAPE changed\n/m);
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
  const compare = (before: string, after: string, ...options: readonly string[]) =>
    command(["compare", inFolder(before), inFolder(after), ...options]);
  const { text } = await compare("good", "saved");
  assert.match(text, /^Before: launch-draft-reference 0\.1\.0, no verdict, \d+ passed, 0 failed\nAfter: {2}/);
  assert.match(text, /^Rules violated now: 1\n {2}SESSION-3: `scope` is /m);
  assert.match(text, /^Tests failing now: \d+\n {2}session\/\S+: passed before, failed now \(SESSION-3\)\n/m);
  const back = await compare("saved", "good");
  assert.match(back.text, /^Rules fixed: 1\n {2}SESSION-3: .*\n\nTests fixed: \d+\n/m);
  const changed = { ...read("good"), behavior: { "RATE-SHAPE": ["fixed"] } };
  writeFileSync(inFolder("fixed"), JSON.stringify(changed));
  writeFileSync(inFolder("sliding"), JSON.stringify({ ...changed, behavior: { "RATE-SHAPE": ["sliding"] } }));
  const behavior = await compare("fixed", "sliding");
  assert.match(
    behavior.text,
    /\n\nBehavior that changed: 1\n {2}RATE-SHAPE: fixed before, sliding now\n\nNo new/,
  );
  const names = { constructor: ["a"], ["__proto__"]: ["b"], toString: ["c"] };
  writeFileSync(inFolder("names"), JSON.stringify({ ...changed, behavior: names }));
  assert.equal((await compare("fixed", "names")).status, 0);
  await save("less", reference, "--only", "platform/same-twice");
  for (const [before, after, status, summary] of [
    ["good", "good", 0, /\n\nNothing changed\.\n\nNo new failure\.\n$/],
    ["good", "saved", 1, /\nNew failures: 1 required rule violated, \d+ tests failing\.\n$/],
    ["saved", "good", 0, /\nNo new failure\.\n$/],
    ["good", "less", 4, /\nNo new failure, but \d+ required rules not tested now\.\n$/],
  ] as const) {
    const compared = await compare(before, after, "--fail-on-new");
    assert.equal(compared.status, status);
    assert.match(compared.text, summary);
  }
  const html = inFolder("comparison");
  const json = await compare("good", "saved", "--reporter", "json", `html=${html}`);
  const [shown = ""] = /^\{[\s\S]*^\}/m.exec(json.text) ?? [];
  assert.equal(JSON.parse(shown).changes["Rules violated now"][0].id, "SESSION-3");
  const page = readFileSync(html, "utf8");
  assert.match(page, /<td><code>SESSION-3<\/code><\/td><td><code>scope<\/code> is /);
  const wrong = await compare("good", "saved", "--reporter", "tap");
  assert.match(wrong.text, /^--reporter tap: compare has only the reporters console, json, html\n$/);
});
