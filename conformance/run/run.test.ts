import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import * as reference from "../../reference/service.ts";
import {
  type Adapter,
  ConnectionLost,
  ImplementationError,
  ImplementationLost,
  type Service,
} from "../adapters/adapter.ts";
import { InProcessAdapter } from "../adapters/in-process.ts";
import { readContract } from "../contract/contract.ts";
import { PROPERTIES } from "../properties/index.ts";
import { loadKitVectors } from "../suite/load.ts";
import { allSteps, entryId, type Vector } from "../suite/vector.ts";
import { Connections } from "./connections.ts";
import { ranksOf, selectVectors, waitMsOf } from "./plan.ts";
import { type Report, RunError, run } from "./run.ts";

interface Call {
  readonly method: string;
  readonly path: string;
}
interface Envelope {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

const DATA = join(import.meta.dirname, "..", "..", "vectors");
const contract = readContract(join(DATA, "contract"));
const vectors = loadKitVectors(contract);

/** Tests the reference with changed responses. `count` is the number of responses of all services. */
function runWith(
  change: (envelope: Envelope, call: Call, count: number) => unknown,
  only: readonly string[],
  capabilities: object = reference.capabilities,
  suite = vectors,
): Promise<Report> {
  let count = 0;
  const createService = (options: reference.ServiceOptions) => {
    const service = reference.createService(options);
    return {
      handle: (call: Call) => {
        count += 1;
        return change(service.handle(call) as unknown as Envelope, call, count);
      },
    };
  };
  return run(contract, suite, new InProcessAdapter({ ...reference, capabilities, createService }), {
    selection: { only },
  });
}

const approved = ({ status, body }: Envelope) => ({ status, body: { ...body, productionApproved: true } });

/** Returns the findings of a rule in all results. */
function findingsOf(rule: string, { results }: Report) {
  return results.flatMap(({ findings }) => findings.filter(({ rules }) => rules.includes(rule)));
}

function verdictOf(rule: string, { verdict }: Report) {
  return verdict.rules.find((one) => one.rule.id === rule);
}

for (const wrong of [1, 7, 50, 100, 200])
  test(`reports a finding for each of the first ${wrong} responses if these are wrong`, async () => {
    const report = await runWith(
      (envelope, _, count) => (count <= wrong ? approved(envelope) : envelope),
      ["lifetimes/**", "session/**"],
    );
    assert.equal(findingsOf("SERVICE-2", report).length, wrong);
    assert.equal(verdictOf("SERVICE-2", report)?.outcome, "violated");
    assert.equal(report.verdict.exitStatus, 1);
  });

test("reports wrong responses to preparation requests, without failing vectors about other rules", async () => {
  const report = await runWith(
    ({ status, body }) => ({ status, body: "scope" in body ? { ...body, scope: "launch-draft" } : body }),
    ["build-texts/name-within-bounds/one-character"],
  );
  const [finding] = findingsOf("SESSION-3", report);
  const value = { path: "scope", expected: '"offline:launch-draft"', got: "launch-draft" };
  assert.deepEqual(finding?.difference, { kind: "values", values: [value] });
  assert.equal(finding?.incidental, true);
  assert.deepEqual(
    report.results.map(({ outcome }) => outcome),
    ["passed"],
  );
  assert.equal(verdictOf("SESSION-3", report)?.outcome, "violated");
});

test("reports wrong responses to requests that fill a store", async () => {
  let challenges = 0;
  const report = await runWith(
    (envelope, { path }) => {
      if (path === "/v1/auth/challenge") challenges += 1;
      return challenges > 200 && path === "/v1/auth/challenge" ? approved(envelope) : envelope;
    },
    ["capacity/challenges"],
  );
  assert.ok(findingsOf("SERVICE-2", report).length > 50);
});

test("attributes a failed preparation step to its operation, and leaves the vector's rules untested", async () => {
  const report = await runWith(
    (envelope, { path }) =>
      path === "/v1/auth/verify"
        ? { status: 400, body: { code: "INVALID_FIELDS", productionApproved: false } }
        : envelope,
    ["build-texts/name-within-bounds/one-character"],
  );
  const [result] = report.results;
  const findings = result?.findings.map(({ rules, step, difference }) => ({ rules, step, difference }));
  const refusal = { difference: { kind: "outcome", expected: [{ status: 200, codes: [] }] } };
  assert.equal(result?.outcome, "failed");
  assert.deepEqual(findings?.at(-1), { rules: ["ENDPOINT-3"], step: "1 (preparation)", ...refusal });
  const verdict = verdictOf("LAUNCH-16", report);
  assert.equal(verdict?.outcome, "not-tested");
  assert.match(verdict?.reason ?? "", /^build-texts\/name-within-bounds\/one-character: step .* failed$/);
});

test("skips a vector at an unstated limit of the service, but fails it if a new service refuses its first request", async () => {
  const refuseFrom = (first: number, code = "OFFLINE_RATE_LIMIT", capabilities?: object) => {
    let challenges = 0;
    return runWith(
      (envelope, { path }) => {
        if (path !== "/v1/auth/challenge") return envelope;
        challenges += 1;
        return challenges < first ? envelope : { status: 429, body: { code, productionApproved: false } };
      },
      ["challenge/later-challenges-leave-the-first"],
      capabilities,
    );
  };
  const [limited] = (await refuseFrom(2)).results;
  assert.equal(limited?.outcome, "skipped");
  assert.equal(limited?.reason, "needs more challenge and session requests than the service accepts");
  const [refused] = (await refuseFrom(1)).results;
  assert.equal(refused?.outcome, "failed");
  const shared = { ...reference.capabilities, restart: false };
  const [full] = (await refuseFrom(1, "OFFLINE_CAPACITY", shared)).results;
  assert.equal(full?.outcome, "skipped");
  assert.match(full?.reason ?? "", /^the server accepts no more challenges/);
});

const CONFLICT = "IDEMPOTENCY_CONFLICT";

/** Tests the reference, which responds with 429 and `code` in place of the refusal `hidden`. */
function refuse(hidden: string, code: string, facts: object, only: readonly string[]): Promise<Report> {
  const createService = (options: reference.ServiceOptions) => {
    const service = reference.createService(options);
    const refused = { status: 429, body: { code, productionApproved: false } };
    return {
      handle: (call: Call) => {
        const envelope = service.handle(call) as unknown as Envelope;
        return envelope.body["code"] === hidden ? refused : envelope;
      },
    };
  };
  const adapter = new InProcessAdapter({
    ...reference,
    facts: facts as typeof reference.facts,
    createService,
  });
  return run(contract, [...vectors, ...PROPERTIES], adapter, { selection: { only }, runs: 5 });
}

test("random cases that are played alone do not pass with a 429 that nothing explains", async () => {
  const { capacity: _, ...unstated } = reference.facts;
  const only = ["property/uris"];
  const { verdict, results } = await refuse("METADATA_HOST", "OFFLINE_CAPACITY", unstated, only);
  assert.equal(results[0]?.outcome, "passed");
  assert.equal(verdict.exitStatus, 4);
  const [rule] = results[0]?.vector.rules ?? [];
  const reason = verdict.rules.find(({ rule: { id } }) => id === rule)?.reason ?? "";
  assert.match(
    reason,
    /^property\/uris: got 429 OFFLINE_CAPACITY, which only a run of all tests can explain/,
  );
});

test("a refusal with 429 excuses a response only if one limit explains all responses", async () => {
  const { capacity, ...unstated } = reference.facts;
  const conflict = "idempotency/changed-symbol/*";
  const many = ["capacity/challenges", "capacity/sessions", "capacity/drafts"];
  const alone = await refuse(CONFLICT, "OFFLINE_CAPACITY", unstated, [conflict]);
  assert.deepEqual(alone.verdict.exitStatus, 4);
  const contradicted = await refuse(CONFLICT, "OFFLINE_CAPACITY", unstated, [
    conflict,
    "idempotency/*",
    ...many,
  ]);
  const rule = verdictOf("IDEMPOTENCY-11", contradicted);
  assert.equal(rule?.outcome, "not-tested");
  assert.match(
    rule?.reason ?? "",
    /429 OFFLINE_CAPACITY with at most \d drafts, although \S+ had \d+; state the fact/,
  );
  const stated = await refuse(CONFLICT, "OFFLINE_CAPACITY", { ...unstated, capacity }, [conflict, ...many]);
  assert.equal(stated.verdict.exitStatus, 1);
  const limited = await refuse(CONFLICT, "OFFLINE_RATE_LIMIT", unstated, [conflict, ...many]);
  assert.equal(limited.verdict.exitStatus, 1);
});

test("a refusal with 429 that other tests contradict is found by the tests that the finding names", async () => {
  const createService = (options: reference.ServiceOptions) => {
    const service = reference.createService(options);
    const full = { status: 429, body: { code: "OFFLINE_CAPACITY", productionApproved: false } };
    let lostPlaces = 0;
    return {
      handle: (call: Call) => {
        const envelope = service.handle(call) as unknown as Envelope;
        if (envelope.body["code"] === "INVALID_PROOF") lostPlaces += 1;
        return lostPlaces > 90 && "id" in envelope.body ? full : envelope;
      },
    };
  };
  const adapter = new InProcessAdapter({ ...reference, createService });
  const play = (only: readonly string[]) => run(contract, vectors, adapter, { selection: { only } });
  const test = "capacity/challenges-long-after-others";
  const filling = ["capacity/*s", "challenge/crowd-*", "rate-shape/five-every-*"];
  const { results } = await play([test, ...filling]);
  const others = results.flatMap(({ findings }) => findings.flatMap(({ otherTests }) => otherTests ?? []));
  assert.ok(others.length > 0);
  assert.equal((await play([test])).verdict.exitStatus, 4);
  assert.equal((await play([test, ...others])).verdict.exitStatus, 1);
});

test("a service with one place in each store conforms in all tests that need no more", async () => {
  const { capacity: _, ...facts } = reference.facts;
  const createService = (options: reference.ServiceOptions) =>
    reference.createService({ ...options, capacity: { challenges: 1, sessions: 1, drafts: 1 } });
  const adapter = new InProcessAdapter({ ...reference, facts, createService });
  const { results } = await run(contract, vectors, adapter, {
    selection: { only: ["routes/**"] },
  });
  const failed = results.filter(({ findings }) => findings.length > 0);
  assert.deepEqual(
    failed.map(({ vector }) => vector.id),
    [],
  );
});

test("judges expiry by the clock step that the service states", async () => {
  const runOnSeconds = (clockStepMs: number) => {
    const createService = ({ now }: reference.ServiceOptions) =>
      reference.createService({ now: () => Math.floor(now() / 1000) * 1000 });
    const facts = { ...reference.facts, clockStepMs };
    return run(contract, vectors, new InProcessAdapter({ createService, facts }), {
      selection: { only: ["lifetimes/challenge"] },
    });
  };
  const [stated] = (await runOnSeconds(1000)).results;
  assert.equal(stated?.outcome, "passed");
  assert.deepEqual(stated?.recommendations.at(-1)?.rule, "SERVICE-10");
  const [misstated] = (await runOnSeconds(1)).results;
  assert.equal(misstated?.outcome, "failed");
  assert.deepEqual(misstated?.findings.at(-1)?.rules, ["CHALLENGE-20"]);
});

/** Tests a service that counts whole seconds. Its request number `failing` (from 1) fails with an error. */
function runOnWholeSeconds(failing: number, error: ImplementationError): Promise<Report> {
  const createService = ({ now }: reference.ServiceOptions) =>
    reference.createService({ now: () => Math.floor(now() / 1000) * 1000 });
  const adapter = new InProcessAdapter({ ...reference, createService });
  let count = 0;
  const start = async (nowMs: number): Promise<Service> => {
    const service = await adapter.start(nowMs);
    const handle: Service["handle"] = (request) => {
      count += 1;
      return count === failing ? Promise.reject(error) : service.handle(request);
    };
    return Object.assign(Object.create(service), { handle });
  };
  const { info, hasSeparateServices, lost } = adapter;
  const wrapped: Adapter = {
    ...{ info, hasSeparateServices, lost, start },
    bytesToSign: (message) => adapter.bytesToSign(message),
    close: () => adapter.close(),
  };
  return run(contract, vectors, wrapped, { selection: { only: ["challenge/*sixty*/**", "lifetimes/**"] } });
}

for (const failing of [1, 3, 40, 200, 400, 600])
  test(`a lost connection in request ${failing} changes neither the measured lifetimes nor the results`, async () => {
    const { results, verdict } = await runOnWholeSeconds(failing, new ConnectionLost("lost"));
    assert.deepEqual([...new Set(results.map(({ outcome }) => outcome))], ["passed"]);
    assert.equal(verdict.exitStatus, 0);
  });

test("without a measurement, a service that counts whole seconds fails no test, and passes none about lifetimes", async () => {
  const { results } = await runOnWholeSeconds(3, new ImplementationError("crashed"));
  const outcomesOf = (pattern: RegExp) =>
    new Set(results.filter(({ vector }) => pattern.test(vector.id)).map(({ outcome }) => outcome));
  assert.deepEqual([...outcomesOf(/./)].sort(), ["error", "passed", "skipped"]);
  // The vector about the lifetime reports the error.
  assert.deepEqual([...outcomesOf(/^lifetimes\/challenge/)], ["error"]);
  assert.equal(outcomesOf(/^challenge\//).has("passed"), false);
  const reasons = results.flatMap(({ outcome, reason = "" }) => (outcome === "skipped" ? [reason] : []));
  assert.deepEqual(
    reasons.filter((reason) => !reason.includes("could not be measured")),
    [],
  );
});

test("an implementation that throws ends only the vectors that reach the fault", async () => {
  const report = await runWith(
    (envelope, { path }) => {
      if (path === "/v1/launch/build") throw new Error("no drafts today");
      return envelope;
    },
    ["platform/**", "build-texts/name-within-bounds/*"],
  );
  const outcomes = new Map(report.results.map(({ vector, outcome }) => [vector.id.split("/")[0], outcome]));
  assert.equal(outcomes.get("build-texts"), "error");
  assert.ok(report.results.some(({ outcome }) => outcome === "passed"));
  assert.ok(
    report.results.every(
      ({ outcome, reason }) => outcome !== "error" || /no drafts today/.test(reason ?? ""),
    ),
  );
});

const HOSTILE_VALUES: Readonly<Record<string, unknown>> = {
  "objects without usable methods": { toString: 1, valueOf: 1, toJSON: 1, length: -1, constructor: null },
  "names of prototype members": JSON.parse('{"__proto__": {"status": 200}, "hasOwnProperty": 1}'),
  "deep nesting": JSON.parse(`${'{"a":['.repeat(90)}${"]}".repeat(90)}`),
  "very deep nesting": JSON.parse(`${"[".repeat(500)}${"]".repeat(500)}`),
  "long text": "\n \t0-".repeat(5_000),
  "long digits": "1".repeat(40_000),
  "long list": Array.from({ length: 200 }, () => ({ kind: null, bytes: "1" })),
  "not a number": Number.NaN,
  nothing: undefined,
};

for (const [name, value] of Object.entries(HOSTILE_VALUES))
  test(`judges hostile values without an internal error: ${name}`, async () => {
    const members = (body: Envelope["body"]) => Object.keys(body).map((member) => [member, value]);
    for (const change of [
      () => value,
      () => ({ status: value, body: value }),
      ({ status }: Envelope) => ({ status, body: value }),
      ({ status, body }: Envelope) => ({ status, body: Object.fromEntries(members(body)) }),
      ({ body }: Envelope) => ({ status: 400, body: Object.fromEntries(members(body)) }),
      ({ status, body }: Envelope, { path }: Call) =>
        path.endsWith("build")
          ? {
              status,
              body: {
                ...Object.fromEntries(members(body)),
                cost: { ...(body["cost"] as object), accounts: value },
              },
            }
          : { status, body },
    ]) {
      const report = await runWith(change, [
        "platform/constants/whole-second",
        "session/issued/whole-second",
        "draft/has-every-field/*",
      ]);
      for (const { reason = "" } of report.results) assert.doesNotMatch(reason, /internal error/);
      assert.equal(report.verdict.exitStatus, 1, report.results.map(({ reason }) => reason).join());
    }
  });

const IDLE_RESPONSES: Readonly<Record<string, unknown>> = {
  "404": { status: 404, body: { code: "NO_EXECUTION_ENDPOINT", productionApproved: false } },
  "429": { status: 429, body: { code: "OFFLINE_RATE_LIMIT", productionApproved: false } },
  "500": { status: 500, body: { message: "internal error" } },
  "an empty object": {},
};
/** Rules about errors, absent routes, and responses of any kind, which a service without any operation can satisfy. */
const IDLE_RULES: Readonly<Record<string, readonly string[]>> = {
  "404": [
    ...["SERVICE-1", "SERVICE-2", "SERVICE-5", "ERROR-1", "ERROR-2", "ERROR-15"],
    ...["ENDPOINT-8", "ENDPOINT-9", "ENDPOINT-10", "ENDPOINT-11", "ENDPOINT-12", "JSON-70"],
  ],
  "429": ["ERROR-1"],
};

/** One case of each vector, and all routes that must not exist. */
const FIRST_CASES = vectors.filter(
  (vector, index) =>
    vector.id.startsWith("no-execution/") ||
    vectors.findIndex((one) => entryId(one) === entryId(vector)) === index,
);

for (const [name, response] of Object.entries(IDLE_RESPONSES))
  test(`a service that always responds with ${name} satisfies no rule of an operation`, async () => {
    const report = await runWith(() => structuredClone(response), [], reference.capabilities, FIRST_CASES);
    assert.equal(report.verdict.exitStatus, 1);
    const satisfied = report.verdict.rules.filter(({ outcome }) => outcome === "satisfied");
    assert.deepEqual(
      satisfied.map(({ rule }) => rule.id),
      IDLE_RULES[name] ?? [],
    );
    assert.deepEqual(
      report.results.filter(
        ({ outcome, vector: { id } }) =>
          outcome === "passed" && !/^(?:no-execution|routes|service)\//.test(id),
      ),
      [],
    );
  });

test("the number of connections changes neither results nor their order", async () => {
  const wrong = new InProcessAdapter({
    ...reference,
    createService: (options: reference.ServiceOptions) => {
      const service = reference.createService(options);
      return { handle: async (call: Call) => approved((await service.handle(call)) as unknown as Envelope) };
    },
  });
  const selection = { only: ["verify/**", "session/**"] };
  const [one, four] = await Promise.all(
    [1, 4].map((jobs) => run(contract, vectors, wrong, { selection, jobs })),
  );
  const comparable = ({ results, verdict, facts }: Report) =>
    JSON.stringify({ facts, verdict: verdict.exitStatus, results: results.map(withoutSecrets) });
  assert.ok(one !== undefined && four !== undefined && one.results.length > 90);
  assert.equal(comparable(four), comparable(one));
});

/** Leaves out the exchanges, because the reference draws IDs and bearers at random. */
function withoutSecrets({ vector, findings, ...rest }: Report["results"][number]) {
  return { id: vector.id, ...rest, findings: findings.map(({ exchange: _, ...finding }) => finding) };
}

test("shards are disjoint, and together contain all vectors", () => {
  const shards = [1, 2, 3].map((index) => selectVectors(vectors, { shard: { index, count: 3 } }));
  assert.deepEqual(new Set(shards.flat()), new Set(vectors));
  assert.equal(shards.flat().length, vectors.length);
  for (const shard of shards) assert.ok(shard.length > vectors.length / 4);
});

test("a run ends with the results so far when the kit gives up on the implementation", async () => {
  const inner = new InProcessAdapter(reference);
  let services = 0;
  let lost: ImplementationLost | undefined;
  const adapter: Adapter = {
    ...realAdapter({ clock: "virtual", restart: true }, true),
    get lost() {
      return lost;
    },
    start: async (nowMs) => {
      services += 1;
      if (services <= 100) return inner.start(nowMs);
      lost ??= new ImplementationLost("the kit gave up after 3 failed attempts");
      throw lost;
    },
  };
  const report = await run(contract, vectors, adapter);
  const outcomes = report.results.map(({ outcome }) => outcome);
  assert.deepEqual([...new Set(outcomes)], ["passed", "error"]);
  assert.equal(outcomes.indexOf("error"), outcomes.length - 1);
  assert.equal(report.facts.ended?.reason, "the kit gave up after 3 failed attempts");
  assert.equal(report.verdict.exitStatus, 3);
});

/** An adapter whose services wait until `wake` is called. */
function realAdapter(
  clock: { readonly clock: "virtual" | "real"; readonly restart: boolean },
  hasSeparateServices: boolean,
) {
  const inner = new InProcessAdapter(reference);
  const sleepers: (() => void)[] = [];
  const service: Service = {
    nowMs: 0,
    handle: async () => ({}),
    advance: () => new Promise((resolve) => sleepers.push(resolve)),
    close: async () => {},
  };
  return {
    info: { ...inner.info, capabilities: { ...inner.info.capabilities, ...clock } },
    hasSeparateServices,
    lost: undefined,
    start: async () => service,
    bytesToSign: (message: string) => inner.bytesToSign(message),
    close: async () => {},
    wake: () => {
      for (const resume of sleepers.splice(0)) resume();
    },
  };
}

test("an internal error ends the run with the results until then, and rejects", async () => {
  const adapter = new InProcessAdapter(reference);
  let results = 0;
  const onResult = () => {
    results += 1;
    if (results === 3) throw new TypeError("a fault of the kit");
  };
  await assert.rejects(run(contract, vectors, adapter, { onResult }), (error) => {
    assert.ok(error instanceof RunError);
    assert.match(
      error.message,
      /^internal error at run\.test\.ts:\d+:\d+: TypeError a fault of the kit; report /,
    );
    const { facts, verdict } = error.report;
    assert.deepEqual(facts.ended, { by: "error", reason: error.message });
    assert.deepEqual([error.report.results.length, verdict.exitStatus], [3, 70]);
    return true;
  });
});

test("a fault of the kit in a test ends the run, and is not an error of the implementation", async () => {
  const adapter = new InProcessAdapter(reference);
  adapter.bytesToSign = () => Promise.reject(new TypeError("a fault of the kit"));
  const running = run(contract, vectors, adapter, { selection: { only: ["platform/*", "session/*"] } });
  await assert.rejects(running, (error) => {
    assert.ok(error instanceof RunError);
    assert.match(
      error.message,
      /^internal error at run\.test\.ts:\d+:\d+: TypeError a fault of the kit; report /,
    );
    assert.equal(error.report.verdict.exitStatus, 70);
    return true;
  });
});

const NOTHING_FOUND = { outcome: "passed", findings: [], observations: [], recommendations: [] } as const;

test("properties run after the vectors, each in one shard, stop with the run, and need a virtual clock", async () => {
  const idsOf = ({ results }: Report) => results.map(({ vector }) => vector.id);
  const adapter = new InProcessAdapter(reference);
  const properties = PROPERTIES.map((property) => ({
    ...property,
    check: async () => ({ ...NOTHING_FOUND, vector: property }),
  }));
  const all = [...vectors, ...properties];
  const only = ["platform/same-*", "property/*"];
  const ids = idsOf(await run(contract, all, adapter, { selection: { only }, runs: 1 }));
  assert.deepEqual(
    ids.slice(-9),
    ids.filter((id) => id.startsWith("property/")),
  );
  const shards = [1, 2, 3].map((index) =>
    run(contract, all, adapter, { selection: { only, shard: { index, count: 3 } }, runs: 1 }),
  );
  assert.deepEqual((await Promise.all(shards)).flatMap(idsOf).sort(), ids.toSorted());

  const interrupt = new AbortController();
  const ended = await run(contract, PROPERTIES, adapter, {
    ...{ runs: 60, signal: interrupt.signal },
    nextTurn: async () => interrupt.abort("SIGINT"),
  });
  assert.deepEqual([ended.results, ended.facts.ended?.by], [[], "signal"]);
  const { results } = await run(contract, PROPERTIES, realAdapter({ clock: "real", restart: true }, true), {
    runs: 1,
  });
  assert.deepEqual(
    new Set(results.map(({ reason }) => reason)),
    new Set(["needs a clock that the kit can move (capability clock: virtual)"]),
  );
});

test("on a real clock, a waiting vector frees its connection, and vectors that fill a store run last", async () => {
  const chosen = selectVectors(vectors, {
    only: ["platform/same-*", "challenge/crowd-*", "rate-limit/minute-*"],
  });
  assert.ok(chosen.length > 3);
  const adapter = realAdapter({ clock: "real", restart: false }, false);
  const log: string[] = [];
  let [playing, most] = [0, 0];
  const connections = new Connections(adapter, 1);
  await connections.playAll(
    chosen,
    async (index) => {
      const vector = chosen[index];
      assert.ok(vector !== undefined);
      playing += 1;
      most = Math.max(most, playing);
      if (waitMsOf(vector) > 0) {
        const service = await connections.adapter.start(0);
        log.push(`${vector.id} waits`);
        const wait = service.advance(waitMsOf(vector));
        setImmediate(() => setImmediate(adapter.wake));
        await wait;
      }
      playing -= 1;
      log.push(vector.id);
    },
    () => false,
  );
  assert.ok(most > 1);
  const longest = chosen.reduce((one, other) => (waitMsOf(other) > waitMsOf(one) ? other : one));
  assert.equal(log[0], `${longest.id} waits`);
  assert.equal(log.at(-1), "challenge/crowd-of-challenges");
});

test("a server with few places first gets a few tests that name all required rules, then a case of each vector", async () => {
  const ranks = ranksOf(contract, vectors, () => true);
  const first = vectors.filter((vector) => ranks.get(vector) === 0);
  assert.ok(first.length < 200, `${first.length} tests`);
  const named = new Set(first.flatMap(({ rules }) => rules));
  for (const { rules } of vectors)
    for (const id of rules) assert.ok(named.has(id) || contract.rules.get(id)?.level !== "required", id);
  assert.deepEqual(new Set([...ranks.keys()].map(entryId)), new Set(vectors.map(entryId)));
  const fills = (vector: Vector) =>
    allSteps(vector.steps).some(({ verb }) => /fill-store|add-entries|use-newest/.test(verb));
  const parallel = vectors.filter((vector) => !fills(vector));
  const played: (number | undefined)[] = [];
  const connections = new Connections(realAdapter({ clock: "virtual", restart: false }, false), 1);
  await connections.playAll(
    parallel,
    async (index) => void played.push(ranks.get(parallel[index] as Vector)),
    () => false,
    ranks,
  );
  const inOrder = parallel.map((vector) => ranks.get(vector)).sort();
  assert.deepEqual(played, inOrder);
});

test("a run with bail does not wait for waiting vectors after the first failure", async () => {
  const adapter = realAdapter({ clock: "real", restart: true }, true);
  const ids: string[] = [];
  const { facts } = await run(contract, vectors, adapter, {
    selection: { only: ["session/*"] },
    bail: true,
    onResult: ({ vector }) => ids.push(vector.id),
  });
  assert.deepEqual([ids.length, facts.ended?.by], [1, "bail"]);
});

test("a waiting vector gets a connection again and finishes after an early end of the run", async () => {
  const adapter = realAdapter({ clock: "real", restart: true }, true);
  let isEnded = false;
  const played: number[] = [];
  const connections = new Connections(adapter, 1);
  const all = connections.playAll(
    vectors.slice(0, 3),
    async (index) => {
      if (index === 0) await (await connections.adapter.start(0)).advance(1_000);
      else isEnded = true;
      played.push(index);
    },
    () => isEnded,
  );
  await new Promise(setImmediate);
  adapter.wake();
  await all;
  assert.deepEqual(played, [1, 0]);
});

for (const latencyMs of [6, 300])
  test(`on a real clock, a conforming service does not fail if waits are too long and the latency is ${latencyMs} ms`, async () => {
    const inner = new InProcessAdapter(reference);
    const facts = { ...inner.info.facts, clockStepMs: 1 };
    const capabilities = { ...inner.info.capabilities, clock: "real" as const };
    const late = (service: Service): Service => ({
      get nowMs() {
        return service.nowMs;
      },
      advance: (ms) => service.advance(ms + 15),
      handle: async (request) => {
        await service.advance(latencyMs / 2);
        const response = await service.handle(request);
        await service.advance(latencyMs / 2);
        return response;
      },
      close: () => service.close(),
    });
    const adapter: Adapter = {
      ...{ info: { ...inner.info, capabilities, facts }, hasSeparateServices: true, lost: undefined },
      start: async (nowMs) => late(await inner.start(nowMs)),
      bytesToSign: (message) => inner.bytesToSign(message),
      close: () => inner.close(),
    };
    const only = ["capacity/*clock", "challenge/**", "session/**", "idempotency/**", "rate-limit/**"];
    const { results, facts: seen } = await run(contract, vectors, adapter, { selection: { only } });
    const failed = results.filter(({ outcome }) => outcome === "failed" || outcome === "error");
    assert.deepEqual(
      failed.map(({ vector }) => vector.id),
      [],
    );
    assert.ok(results.filter(({ outcome }) => outcome === "passed").length > 100);
    const slow = results.filter(({ reason }) => reason?.startsWith("responses took too long"));
    assert.equal(slow.length > 0, latencyMs > 100);
    // The kit gives up on a store that never gets full.
    assert.ok(seen.requests < 7_000);
  });

test("on a real clock, a vector waits for places for challenges on a full server that cannot restart", async () => {
  const inner = new InProcessAdapter({ ...reference, facts: { ...reference.facts, capacity: undefined } });
  const service = reference.createService({ now: () => nowMs, capacity: { challenges: 3 } });
  let nowMs = 0;
  const shared: Service = {
    get nowMs() {
      return nowMs;
    },
    handle: async (request) => service.handle(request),
    advance: async (ms) => {
      nowMs += ms;
    },
    close: async () => {},
  };
  const capabilities = { ...inner.info.capabilities, clock: "real" as const, restart: false };
  const adapter: Adapter = {
    ...{ info: { ...inner.info, capabilities }, hasSeparateServices: false, lost: undefined },
    start: async () => shared,
    bytesToSign: (message) => inner.bytesToSign(message),
    close: async () => {},
  };
  const outcomes = async (maxWaitMs: number) => {
    const only = ["challenge-input/creator-*/*"];
    const { results } = await run(contract, vectors, adapter, { selection: { only }, maxWaitMs });
    return new Set(results.map(({ outcome }) => outcome));
  };
  assert.deepEqual(await outcomes(60_000), new Set(["passed", "skipped"]));
  assert.deepEqual(await outcomes(61_000), new Set(["passed"]));
});

test("skips vectors that need a larger capacity, or an operator key that stays valid if the case of letters changes", async () => {
  const facts = { ...reference.facts, operatorKey: "1".repeat(32), capacity: { drafts: 40 } };
  const adapter = new InProcessAdapter({ ...reference, facts });
  const only = [
    "folded-values/mint-like-a-key-that-is-taken/the-operator",
    "idempotency/forty-keys-of-one-creator",
  ];
  const { results } = await run(contract, vectors, adapter, { selection: { only } });
  assert.deepEqual(results.map(({ outcome, reason }) => [outcome, reason]).sort(), [
    [
      "skipped",
      `does not apply: a change of case in one or two letters of ${"1".repeat(32)} gives no valid public key`,
    ],
    ["skipped", "needs the fact capacity.drafts >= 41"],
  ]);
});
