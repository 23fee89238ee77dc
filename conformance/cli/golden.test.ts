import assert from "node:assert/strict";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import * as demoReference from "../../reference/golden-service.ts";
import * as reference from "../../reference/service.ts";
import { InProcessAdapter, type ServiceModule } from "../adapters/in-process.ts";
import { DATA_FOLDER } from "../contract/openapi.ts";
import type { Edge } from "./edge.ts";
import { goldenCommand } from "./golden.ts";
import { readCommandLine } from "./options.ts";

const FIXTURES = join(DATA_FOLDER, "golden");
const folder = mkdtempSync(join(tmpdir(), "golden-test-"));
after(() => rmSync(folder, { recursive: true }));

/** Runs `golden` on a service. */
async function golden(line: string, service: ServiceModule = reference) {
  let [output, errors] = ["", ""];
  const edge = {
    write: (text: string) => {
      output += text;
    },
    writeError: (text: string) => {
      errors += text;
    },
    randomSeed: () => 7,
  } as Partial<Edge> as Edge;
  const invocation = readCommandLine(["golden", ...line.split(" ")]);
  assert.ok("operands" in invocation);
  const status = await goldenCommand(invocation, edge, async () => new InProcessAdapter(service));
  return { status, output, errors };
}

interface Envelope {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** A service with changed responses, under another name than the reference. */
function changed(change: (envelope: Envelope) => object, base: ServiceModule = demoReference): ServiceModule {
  return {
    ...base,
    implementation: { name: "other", version: "1" },
    createService(options) {
      const service = base.createService(options) as { handle(call: object): Envelope };
      return { handle: (call: object) => change(service.handle(call)) };
    },
  };
}

const withoutChanges = changed((envelope) => envelope);

test("the fixtures of the repository are those that the reference gives, byte by byte", async () => {
  assert.deepEqual(await golden("--check"), {
    status: 0,
    output: "51 fixtures have not changed\n",
    errors: "",
  });
});

test("a changed, a missing, and an additional file are reported with the first difference", async () => {
  const copy = join(folder, "changed");
  cpSync(FIXTURES, copy, { recursive: true });
  const path = join(copy, "happy-path.json");
  writeFileSync(path, readFileSync(path, "utf8").replace('"status": 200', '"status": 201'));
  rmSync(join(copy, "retry.json"));
  writeFileSync(join(copy, "own.json"), "{}");
  const { status, output } = await golden(`${copy} --check`);
  assert.equal(status, 1);
  assert.match(output, /happy-path\.json: steps\.0\.response\.status: was 201, is 200\n/);
  assert.match(
    output,
    /own\.json: no flow makes it; delete it\n.*retry\.json: is missing\n3 files have changed\n$/,
  );
});

test("a replay on another implementation allows what the contract leaves open", async () => {
  const larger = changed(({ status, body }) => ({ status, body: { ...body, extra: 1 } }), reference);
  const { status, output } = await golden("--check --reference --verbose", larger);
  assert.equal(status, 0);
  assert.match(output, /step 8: 200 in place of 429 OFFLINE_CAPACITY \(open point CAPACITY-CHALLENGES\)\n/);
  assert.match(
    output,
    /51 of 51 fixtures match, 0 drifted, 0 not replayed; 3 responses differ as the contract/,
  );
});

test("a replay finds another outcome, a missing member, and a retry that is not the same draft", async () => {
  const drift = async (change: (envelope: Envelope) => object) => {
    const { status, output } = await golden("--check --reference", changed(change));
    assert.equal(status, 1);
    return output;
  };
  const unauthorized = await drift(({ status, body }) =>
    body["code"] === "UNAUTHORIZED" ? { status: 403, body } : { status, body },
  );
  assert.match(unauthorized, /unauthorized\.json: step \d: was 401 UNAUTHORIZED, is 403 UNAUTHORIZED\n/);
  const noScope = await drift(({ status, body }) => {
    const { scope, ...rest } = body;
    return { status, body: rest };
  });
  assert.match(noScope, /happy-path\.json: step 3: scope: was "offline:launch-draft", is absent\n/);
  let count = 0;
  const fresh = await drift(({ status, body }) =>
    "cost" in body ? { status, body: { ...body, nextGate: `gate ${++count}` } } : { status, body },
  );
  assert.match(
    fresh,
    /retry\.json: step \d: differs from step \d: nextGate: was "gate \d+", is "gate \d+"\n/,
  );
});

test("a service on a real clock replays and records the flows that do not wait", async () => {
  const real = { ...withoutChanges, capabilities: { clock: "real", restart: true } };
  const replayed = await golden("--check --reference", real);
  assert.equal(replayed.status, 4);
  assert.match(replayed.output, /retry\.json: not replayed: needs a clock that can be moved/);
  const recorded = await golden(`${join(folder, "real")} --reference`, real);
  assert.equal(recorded.status, 0);
  assert.match(recorded.errors, /^rate-limit: left out: waits 61 s, and the clock is real/m);
});

test("a recording is replayed on the service that it was made of, and has no violation", async () => {
  const own = join(folder, "own");
  assert.match(
    (await golden(`${own} --reference`, reference)).output,
    /^51 fixtures of launch-draft-reference/,
  );
  assert.match((await golden(`${own} --check --reference`, reference)).output, /^51 of 51 fixtures match/);
  const wrongScope = changed(({ status, body }) => ({
    status,
    body: "scope" in body ? { ...body, scope: "other" } : body,
  }));
  const { status, errors } = await golden(`${join(folder, "wrong")} --reference`, wrongScope);
  assert.equal(status, 1);
  assert.match(
    errors,
    /^happy-path: not written: violates SESSION-3: expected scope: "offline:launch-draft"/m,
  );
});

test("errors say what is wrong and what to do", async () => {
  const link = join(folder, "link");
  mkdirSync(link);
  symlinkSync("/dev/null", join(link, "happy-path.json"));
  const noRestart = { ...reference, capabilities: { ...reference.capabilities, restart: false } };
  const other = join(folder, "other");
  cpSync(FIXTURES, other, { recursive: true });
  writeFileSync(join(other, "index.json"), '{"contract": 1}');
  for (const [line, message, service] of [
    ["--reference", /^golden requires a folder for the fixtures of this service: golden <folder>$/],
    [`${link} --reference`, /link\/happy-path\.json: is not a regular file; choose another folder$/],
    [`${join(folder, "none")} --check`, /none: there are no fixtures$/],
    [`${other} --check --reference`, /index\.json:1:1: the file has no "version"; add it\n/],
    ["--check --reference", /^fixtures can be replayed only on a service that can be restarted/, noRestart],
  ] as const)
    await assert.rejects(golden(line, service), { message });
});
