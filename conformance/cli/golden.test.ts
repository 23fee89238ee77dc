import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import * as demoReference from "../../reference/golden-service.ts";
import * as reference from "../../reference/service.ts";
import type { Adapter } from "../adapters/adapter.ts";
import { InProcessAdapter, type ServiceModule } from "../adapters/in-process.ts";
import { readEnvelope } from "../contract/exchange.ts";
import { keyPairFrom } from "../contract/key-pair.ts";
import { matchesOutcome } from "../contract/outcome.ts";
import { proofText } from "../contract/proof.ts";
import { show, valueAt } from "../data/json.ts";
import { DATA_FOLDER } from "../data/kit-files.ts";
import { type Fixture, type FixtureRequest, readFixture, type Substitution } from "../golden/fixture.ts";
import { segmentsOf } from "../golden/matchers.ts";
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
    openService: async () => new InProcessAdapter(service),
  } as Partial<Edge> as Edge;
  const invocation = readCommandLine(["golden", ...line.split(" ")]);
  assert.ok("operands" in invocation);
  const status = await goldenCommand(invocation, edge);
  return { status, output, errors };
}

interface Envelope {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Returns the service `base` with changed responses and a different name. */
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

test("the fixtures of the repository equal a new recording of the reference, byte by byte", async () => {
  assert.deepEqual(await golden("--check"), {
    status: 0,
    output: "52 of 52 files match, 0 drifted, 0 not played; 0 responses differ as the contract allows\n",
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
    /own\.json: no flow creates this file; delete it\n.*retry\.json: is missing\n50 of 53 files match, 3 drifted, /,
  );
});

test("a check of another implementation reports missing files, missing steps, and missing flows", async () => {
  const copy = join(folder, "incomplete");
  const check = async (change: (index: { fixtures: { name: string }[]; omitted: object[] }) => void) => {
    cpSync(FIXTURES, copy, { recursive: true });
    const index = JSON.parse(readFileSync(join(copy, "index.json"), "utf8"));
    change(index);
    writeFileSync(join(copy, "index.json"), JSON.stringify(index));
    return golden(`${copy} --check --reference`);
  };
  const remove = (...names: readonly string[]) => {
    for (const name of names) rmSync(join(copy, `${name}.json`));
  };
  const all = await check(({ fixtures }) => remove(...fixtures.map(({ name }) => name)));
  assert.equal(all.status, 1);
  assert.match(all.output, /happy-path\.json: is missing\n/);
  assert.match(all.output, /^0 of 51 files match, 51 drifted, /m);
  const unlisted = await check((index) => {
    remove("retry");
    index.fixtures = index.fixtures.filter(({ name }) => name !== "retry");
  });
  assert.equal(unlisted.status, 1);
  assert.match(unlisted.output, /retry\.json: is missing\n50 of 51 files match, 1 drifted, /);
  const omitted = await check((index) => {
    const [first, ...others] = index.fixtures;
    remove(...others.map(({ name }) => name));
    Object.assign(index, {
      fixtures: [first],
      omitted: others.map(({ name }) => ({ name, reason: "waits" })),
    });
  });
  assert.equal(omitted.status, 4);
  assert.match(omitted.output, /retry\.json: not played: there is no fixture: waits\n/);
  const short = await check(() => {
    const path = join(copy, "retry.json");
    const { steps, ...rest } = JSON.parse(readFileSync(path, "utf8"));
    writeFileSync(path, JSON.stringify({ ...rest, steps: steps.slice(0, -1) }));
  });
  assert.equal(short.status, 1);
  assert.match(short.output, /retry\.json: step \d+: the fixture lacks this step\n/);
});

test("a check of another implementation allows differences that the contract leaves open", async () => {
  const larger = changed(({ status, body }) => ({ status, body: { ...body, extra: 1 } }), reference);
  const { status, output } = await golden("--check --reference --verbose", larger);
  assert.equal(status, 0);
  assert.match(output, /step 8: 200 instead of 429 OFFLINE_CAPACITY \(open point CAPACITY-CHALLENGES\)\n/);
  assert.match(output, /51 of 51 files match, 0 drifted, 0 not played; 3 responses differ as the contract/);
});

test("a check finds a different outcome, a missing member, and a retry that returns a different draft", async () => {
  const drift = async (change: (envelope: Envelope) => object) => {
    const { status, output } = await golden("--check --reference", changed(change));
    assert.equal(status, 1);
    return output;
  };
  const unauthorized = await drift(({ status, body }) =>
    body["code"] === "UNAUTHORIZED" ? { status: 403, body } : { status, body },
  );
  assert.match(unauthorized, /unauthorized\.json: violates ENDPOINT-7: .* got status: 403/);
  const noScope = await drift(({ status, body }) => {
    const { scope, ...rest } = body;
    return { status, body: rest };
  });
  assert.match(
    noScope,
    /happy-path\.json: violates SESSION-3: expected scope: "offline:launch-draft", got scope: absent/,
  );
  let count = 0;
  const fresh = await drift(({ status, body }) =>
    "cost" in body ? { status, body: { ...body, nextGate: `gate ${++count}` } } : { status, body },
  );
  assert.match(fresh, /retry\.json: violates IDEMPOTENCY-\d+: .*nextGate/);
});

/** Returns the text with which a replay replaces a recorded text. */
async function replacement(
  substitution: Substitution,
  fixture: Fixture,
  adapter: Adapter,
  bodies: unknown[],
) {
  if ("fact" in substitution) return valueAt(adapter.info.facts, segmentsOf(substitution.fact));
  const memberOf = ({ step, pointer }: { readonly step: number; readonly pointer: string }) =>
    valueAt(bodies[step], segmentsOf(pointer));
  if ("step" in substitution) return memberOf(substitution);
  const { by, step, pointer, ...changes } = substitution.proof;
  const text = String(memberOf({ step, pointer }));
  const signer = keyPairFrom(Buffer.from(fixture.keys[by]?.privateKeyHex ?? "", "hex"));
  return proofText({ signer, text, bytes: await adapter.bytesToSign(text), ...changes });
}

test("the substitutions of each fixture suffice to replay the fixture on a service with other secrets", async () => {
  const adapter = new InProcessAdapter(reference);
  for (const file of readdirSync(FIXTURES).filter((name) => name !== "index.json")) {
    const fixture = readFixture(FIXTURES, file);
    const bodies: unknown[] = [];
    let service = await adapter.start(fixture.steps[0]?.nowMs ?? 0);
    for (const step of fixture.steps)
      if (step.kind === "advance") await service.advance(step.ms);
      else if (step.kind === "restart") service = await adapter.start(step.nowMs);
      else {
        const { request, response, substitutions = [], accepts = [] } = step;
        const members = Object.entries(request);
        for (const one of substitutions) {
          const text = String(await replacement(one, fixture, adapter, bodies));
          for (const member of members) member[1] = member[1].replaceAll(one.value, () => text);
        }
        const { bodyBase64, ...filled } = Object.fromEntries(members) as unknown as FixtureRequest;
        const bytes = bodyBase64 === undefined ? {} : { body: Buffer.from(bodyBase64, "base64") };
        const { status, body } = readEnvelope(await service.handle({ ...filled, ...bytes }));
        bodies[step.step] = body;
        const isSame = status === response.status && body["code"] === response.body["code"];
        assert.ok(
          isSame || matchesOutcome({ status, body }, ...accepts),
          `${file}, step ${step.step}: got ${status} ${show(body)}`,
        );
      }
  }
});

test("on a real clock, only flows that do not wait are checked and recorded", async () => {
  const real = { ...withoutChanges, capabilities: { clock: "real", restart: true } };
  const checked = await golden("--check --reference", real);
  assert.equal(checked.status, 4);
  assert.match(checked.output, /rate-limit\.json: not played: waits 61 s, and the clock is real/);
  const recorded = await golden(`${join(folder, "real")} --reference`, real);
  assert.equal(recorded.status, 0);
  assert.match(recorded.errors, /^rate-limit: left out: waits 61 s, and the clock is real/m);
});

test("a recording matches the recorded service, and leaves out flows with a wrong response", async () => {
  const own = join(folder, "own");
  assert.match(
    (await golden(`${own} --reference`, reference)).output,
    /^51 fixtures of launch-draft-reference/,
  );
  assert.match((await golden(`${own} --check --reference`, reference)).output, /^51 of 51 files match/);
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
  const noRestart = { ...reference, capabilities: { ...reference.capabilities, restart: false } };
  const other = join(folder, "other");
  cpSync(FIXTURES, other, { recursive: true });
  writeFileSync(join(other, "index.json"), '{"contract": 1}');
  for (const [line, message, service] of [
    ["--reference", /^golden requires a folder for the fixtures of this service: golden <folder>$/],
    [`${join(folder, "none")} --check`, /none: there are no fixtures$/],
    ["--check --reference", /^fixtures need a service that can be restarted/, noRestart],
    [`${other} --check --reference`, /index\.json:1:1: the file has no "version"; add it\n/],
  ] as const)
    await assert.rejects(golden(line, service), { message });
});
