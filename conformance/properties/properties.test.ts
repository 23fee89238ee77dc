import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import * as reference from "../../reference/service.ts";
import { InProcessAdapter, type ServiceModule } from "../adapters/in-process.ts";
import { LIFETIME_MS } from "../contract/constants.ts";
import { readServiceContract } from "../contract/contract.ts";
import { playVector } from "../play/play.ts";
import type { Result } from "../play/result.ts";
import { newContext } from "../play/vector-run.ts";
import { loadSuiteFiles } from "../suite/load.ts";
import { PROPERTIES } from "./index.ts";

const contract = readServiceContract();

interface Call {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly idempotencyKey?: string;
}
type Response = ReturnType<reference.Service["handle"]>;
/** Changes the responses of a service. Called once for each instance, with its clock. */
type Fault = (
  now: () => number,
) => (call: Call, respond: (call: Call) => Response) => Response | Promise<Response>;

const NO_FAULT: Fault = () => (call, respond) => respond(call);

/** Returns the reference with a fault, and without randomness. */
function serviceWith(fault: Fault): ServiceModule {
  let drawn = 0;
  const random = (bytes: number) => {
    drawn += 1;
    return new Uint8Array(createHash("sha512").update(`${drawn}`).digest().subarray(0, bytes));
  };
  return {
    ...reference,
    createService: ({ now }) => {
      const service = reference.createService({ now, random });
      const change = fault(now);
      return { handle: (call: Call) => change(call, (one) => service.handle(one)) };
    },
  };
}

function contextOf(module: ServiceModule) {
  return newContext(contract, new InProcessAdapter(module), "1");
}

async function check(name: string, fault: Fault): Promise<Result> {
  const property = PROPERTIES.find(({ id }) => id === `property/${name}`);
  assert.ok(property !== undefined);
  return property.check(contextOf(serviceWith(fault)), { seed: 1, runs: 60 });
}

/** Plays a counterexample on a service. Returns the first violated rule. */
async function replay(vector: string, fault: Fault): Promise<string | undefined> {
  const folder = mkdtempSync(join(tmpdir(), "counterexample-"));
  try {
    const path = join(folder, "found.yaml");
    writeFileSync(path, vector);
    const [loaded] = loadSuiteFiles([path], contract);
    assert.ok(loaded !== undefined);
    const { outcome, findings } = await playVector(loaded, contextOf(serviceWith(fault)));
    const own = findings.find(({ incidental }) => !incidental);
    return outcome === "passed" ? undefined : (own?.rules[0] ?? outcome);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const refusal = (status: number, code: string): Response => ({
  status,
  body: { code, productionApproved: false },
});

/** Faults, each with the property that finds it and the rule that the finding names. */
const FAULTS: Readonly<
  Record<string, { readonly name: string; readonly rule: string; readonly fault: Fault }>
> = {
  "a challenge opens two sessions": {
    name: "scenarios",
    rule: "CHALLENGE-22",
    fault: (now) => {
      const opened = new Map<string, Response>();
      return (call, respond) => {
        const id = /"id":"(\w+)/.exec(String(call.body))?.[1] ?? "";
        const response = opened.get(id) ?? respond(call);
        if (!call.path.endsWith("verify") || response.status !== 200) return response;
        opened.set(id, response);
        const expiresAt = new Date(now() + LIFETIME_MS.verify).toISOString();
        return { ...response, body: { ...response.body, expiresAt } };
      };
    },
  },
  "the third retry gets another draft": {
    name: "scenarios",
    rule: "IDEMPOTENCY-5",
    fault: () => {
      let served = 0;
      return (call, respond) => {
        const response = respond(call);
        if (!call.path.endsWith("build") || response.status !== 200) return response;
        served += 1;
        return served === 4 ? { ...response, body: { ...response.body, nextGate: "ANOTHER" } } : response;
      };
    },
  },
  "a third retry is refused for the limit": {
    name: "scenarios",
    rule: "LIMIT-11",
    fault: () => {
      const builds = new Set<string>();
      let retries = 0;
      return (call, respond) => {
        const response = respond(call);
        if (!call.path.endsWith("build") || response.status !== 200) return response;
        const build = `${call.idempotencyKey} ${call.body}`;
        const isRetry = builds.has(build);
        retries += isRetry ? 1 : 0;
        builds.add(build);
        return isRetry && retries > 2 ? refusal(429, "OFFLINE_RATE_LIMIT") : response;
      };
    },
  },
  "proofs in flight share a session": {
    name: "races",
    rule: "CHALLENGE-22",
    fault: () => {
      const waiting = new Map<unknown, Promise<Response>>();
      return (call, respond) => {
        if (!call.path.endsWith("verify")) return respond(call);
        const response = waiting.get(call.body) ?? Promise.resolve().then(() => respond(call));
        waiting.set(call.body, response);
        return response.finally(() => waiting.delete(call.body));
      };
    },
  },
};

for (const [title, { name, rule, fault }] of Object.entries(FAULTS))
  test(`property/${name} finds that ${title}, and writes a vector that finds it again`, async () => {
    const { outcome, findings, search } = await check(name, fault);
    assert.equal(outcome, "failed");
    assert.equal(findings[0]?.rules[0], rule, search?.counterexample);
    const vector = search?.counterexample ?? "";
    assert.equal(await replay(vector, fault), rule, vector);
    assert.equal(await replay(vector, NO_FAULT), undefined, vector);
  });

test("a counterexample is as small as a person would write it, and shows the step that fails", async () => {
  const { fault = NO_FAULT } = FAULTS["a challenge opens two sessions"] ?? {};
  const { findings, search } = await check("scenarios", fault);
  const lines = search?.counterexample?.split("\n") ?? [];
  assert.deepEqual(
    lines.slice(lines.indexOf("    steps:") + 1).map((line) => line.replace(/challenge\d+/g, "challenge0")),
    [
      "      - challenge: { for: alice }",
      "        as: challenge0",
      "      - verify: { challenge: $challenge0 }",
      "      - verify: { challenge: $challenge0 }",
      "        expect: 401 EXPIRED_OR_USED_CHALLENGE",
      "",
    ],
  );
  const [finding] = findings;
  assert.equal(lines[(finding?.place.line ?? 0) - 1], "      - verify: { challenge: $challenge0 }");
  assert.equal(finding?.step, "3");
});

/** Digest of the requests of seed 1. Changes with the drawn cases, but not with the version of Node. */
const REQUESTS = "f0e55aeccda02e52";

test("a seed gives the same requests on every version of Node, and different seeds give different ones", async () => {
  const requestsOf = async (seed: number) => {
    const calls: string[] = [];
    const module = serviceWith(() => (call, respond) => {
      calls.push(JSON.stringify(call));
      return respond(call);
    });
    for (const property of PROPERTIES) await property.check(contextOf(module), { seed, runs: 1 });
    return calls;
  };
  const digestOf = async (seed: number) => {
    const calls = await requestsOf(seed);
    return createHash("sha256").update(calls.join("\n")).digest("hex").slice(0, 16);
  };
  assert.equal(await digestOf(1), REQUESTS);
  assert.notEqual(await digestOf(2), REQUESTS);
});

test("the reference satisfies every property, and the sequences reach many pairs of responses", async () => {
  for (const property of PROPERTIES) {
    const { outcome, findings, search } = await property.check(contextOf(serviceWith(NO_FAULT)), {
      ...{ seed: 3, runs: 5 },
    });
    assert.equal(outcome, "passed", JSON.stringify(findings[0]?.difference));
    assert.equal(search?.notDecided, 0);
    if (property.id === "property/stateful") assert.ok(search.pairs.length > 100, `${search.pairs.length}`);
  }
});

test("properties have unique IDs and name only required rules", () => {
  assert.equal(new Set(PROPERTIES.map(({ id }) => id)).size, PROPERTIES.length);
  for (const { id, rules } of PROPERTIES)
    for (const rule of rules) assert.equal(contract.rules.get(rule)?.level, "required", `${id} ${rule}`);
});

test("a property ends in an error if the service throws, and is skipped if its needs are not met", async () => {
  const throwing = await check("scenarios", () => () => {
    throw new Error("out of order");
  });
  assert.equal(throwing.outcome, "error");
  assert.match(throwing.reason ?? "", /out of order/);
  const property = PROPERTIES.find(({ id }) => id === "property/races");
  const module = { ...serviceWith(NO_FAULT), capabilities: { concurrency: false } };
  const skipped = await property?.check(contextOf(module), { seed: 1, runs: 1 });
  assert.equal(skipped?.outcome, "skipped");
});
