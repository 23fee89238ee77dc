/** For each excuse of a response: a service that misuses the excuse, and a conforming service that needs it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import * as reference from "../../reference/service.ts";
import { type Adapter, ConnectionLost, type Service } from "../adapters/adapter.ts";
import { InProcessAdapter } from "../adapters/in-process.ts";
import { LIFETIME_MS } from "../contract/constants.ts";
import { readServiceContract } from "../contract/contract.ts";
import type { Result } from "../play/result.ts";
import { newContext } from "../play/vector-run.ts";
import type { Action } from "../properties/actions.ts";
import { checkCases } from "../properties/property.ts";
import { loadKitVectors } from "../suite/load.ts";
import type { Vector } from "../suite/vector.ts";
import { type Report, run } from "./run.ts";
import { judgeRun } from "./verdict.ts";

interface Call {
  readonly path: string;
  readonly body?: string;
  readonly idempotencyKey?: string;
}
type Response = ReturnType<reference.Service["handle"]>;
/** Changes the responses of a service. Called once for each instance. */
type Change = (now: () => number) => (call: Call, respond: () => Response) => Response;

const contract = readServiceContract();
const vectors = loadKitVectors(contract);

function adapterWith(change: Change, facts: object = reference.facts): InProcessAdapter {
  const createService = (options: reference.ServiceOptions) => {
    const service = reference.createService(options);
    const changed = change(options.now);
    return { handle: (call: Call) => changed(call, () => service.handle(call as never)) };
  };
  return new InProcessAdapter({ ...reference, createService, facts });
}

/** Tests a service. @param around adds behavior to each started service */
function runOn(
  inner: Adapter,
  only: readonly string[],
  info: Partial<Adapter["info"]> = {},
  around: (service: Service) => Service["handle"] = (service) => (request) => service.handle(request),
): Promise<Report> {
  const start = async (nowMs: number): Promise<Service> => {
    const service = await inner.start(nowMs);
    return Object.assign(Object.create(service), { handle: around(service) });
  };
  const adapter: Adapter = {
    ...{ info: { ...inner.info, ...info }, hasSeparateServices: true, lost: undefined, start },
    bytesToSign: (message) => inner.bytesToSign(message),
    close: () => inner.close(),
  };
  return run(contract, vectors, adapter, { selection: { only } });
}

/** Returns the number of tests with each outcome, and the exit status. */
function summary({ results, verdict }: Report) {
  const count = (outcome: Result["outcome"]) => results.filter((one) => one.outcome === outcome).length;
  return { failed: count("failed"), errors: count("error"), status: verdict.exitStatus };
}

const unchanged: Change = () => (_, respond) => respond();

/** A service that reads a clock, which is `ms` behind, for proofs, so it accepts them too long. */
function lateForProofs(ms: number, facts: object = reference.facts): InProcessAdapter {
  const createService = ({ now }: reference.ServiceOptions) => {
    let behindMs = 0;
    const service = reference.createService({ now: () => now() - behindMs });
    return {
      handle(call: Call) {
        const isProof = call.path === "/v1/auth/verify";
        behindMs = isProof ? ms : 0;
        const response = service.handle(call as never);
        if (!isProof || response.status !== 200) return response;
        const expiresAt = new Date(now() + LIFETIME_MS.verify).toISOString();
        return { ...response, body: { ...response.body, expiresAt } };
      },
    };
  };
  return new InProcessAdapter({ ...reference, facts, createService });
}

test("slow: a wrong response that is slow leaves its rules untested, and a slow service does not fail", async () => {
  const real = (adapter: Adapter) => ({
    capabilities: { ...adapter.info.capabilities, clock: "real" as const },
    facts: { ...adapter.info.facts, clockStepMs: 1 },
  });
  const slow = (service: Service) => {
    const handle: Service["handle"] = async (request) => {
      const response = await service.handle(request);
      if (request.path === "/v1/auth/verify") await service.advance(300);
      return response;
    };
    return handle;
  };
  const only = ["challenge/expired-just-after-sixty-seconds/between-seconds"];
  const endless = lateForProofs(20_000);
  assert.equal((await runOn(endless, only, real(endless))).verdict.exitStatus, 1);
  const misuse = await runOn(endless, only, real(endless), slow);
  assert.deepEqual(summary(misuse), { failed: 0, errors: 0, status: 4 });
  assert.equal(misuse.results[0]?.excuse, "slow");
  const conforming = adapterWith(unchanged);
  const report = await runOn(conforming, only, real(conforming), slow);
  assert.deepEqual(summary(report), { failed: 0, errors: 0, status: 0 });
  const before = ["challenge/usable-just-before-sixty-seconds/between-seconds"];
  assert.equal(summary(await runOn(conforming, before, real(conforming), slow)).failed, 0);
  // A machine that stops during a wait.
  const paused = (service: Service) => {
    const advance = service.advance.bind(service);
    service.advance = (ms) => advance(ms > 30_000 ? ms + 40_000 : ms);
    return (request: Parameters<Service["handle"]>[0]) => service.handle(request);
  };
  const each = ["challenge/sixty-seconds-for-each"];
  assert.equal(summary(await runOn(conforming, each, real(conforming), paused)).failed, 0);
});

test("closed connections: a service that closes them in place of wrong responses does not conform", async () => {
  const only = ["idempotency/changed-symbol/*", "platform/same-twice"];
  const closing = (closes: (status: unknown) => boolean) => (service: Service) => {
    const handle: Service["handle"] = async (request) => {
      const response = (await service.handle(request)) as Response;
      if (closes(response.status)) throw new ConnectionLost("lost");
      return response;
    };
    return handle;
  };
  const misuse = await runOn(
    adapterWith(unchanged),
    only,
    {},
    closing((status) => status === 409),
  );
  assert.equal(misuse.verdict.exitStatus, 3);
  assert.equal(misuse.verdict.rules.find(({ rule }) => rule.id === "IDEMPOTENCY-11")?.outcome, "not-tested");
  let requests = 0;
  const conforming = await runOn(
    adapterWith(unchanged),
    only,
    {},
    closing(() => ++requests % 40 === 0),
  );
  assert.deepEqual(summary(conforming), { failed: 0, errors: 0, status: 0 });
});

test("coarse clock: a stated step excuses no lifetime that a clock of this step cannot cause", async () => {
  const only = ["challenge/**", "lifetimes/challenge"];
  const facts = { ...reference.facts, clockStepMs: 1000 };
  assert.equal((await runOn(lateForProofs(900, facts), only)).verdict.exitStatus, 1);
  const createCoarse = ({ now }: reference.ServiceOptions) =>
    reference.createService({ now: () => Math.floor(now() / 1000) * 1000 });
  const coarse = new InProcessAdapter({ ...reference, facts, createService: createCoarse });
  assert.deepEqual(summary(await runOn(coarse, only)), { failed: 0, errors: 0, status: 0 });
});

test("build limit: refused builds may count as new ones, but a conflict is not a refusal for the limit", async () => {
  const only = ["idempotency/changed-symbol/*", "rate-limit/*", "refused-builds/**"];
  const conflict = "IDEMPOTENCY_CONFLICT";
  const limited: Response = { status: 429, body: { code: "OFFLINE_RATE_LIMIT", productionApproved: false } };
  const misuse: Change = () => (_, respond) => {
    const response = respond();
    return "code" in response.body && response.body.code === conflict ? limited : response;
  };
  assert.equal((await runOn(adapterWith(misuse), only)).verdict.exitStatus, 1);
  const counting: Change = (now) => {
    const builds = new Map<unknown, number[]>();
    return ({ path, body = "" }, respond) => {
      const response = respond();
      if (path !== "/v1/launch/build") return response;
      const creator = /"creator":"(\w+)"/.exec(body)?.[1];
      const recent = (builds.get(creator) ?? []).filter((atMs) => now() - atMs < 60_000);
      builds.set(creator, recent);
      if (response.status !== 409) return response;
      if (recent.length >= 5) return limited;
      recent.push(now());
      return response;
    };
  };
  assert.equal(summary(await runOn(adapterWith(counting), only)).failed, 0);
});

test("not decided: a service that the model cannot follow is neither conforming nor faulty", async () => {
  const [rule = ""] = [...contract.rules.values()].flatMap(({ id, level }) =>
    level === "required" ? [id] : [],
  );
  const vector: Vector = {
    ...{ id: "property/many-conflicts", title: "a test", rules: [rule], place: { file: "a.ts", line: 1 } },
    ...{ clock: "", needs: [], caseValues: {}, steps: [] },
  };
  const build = (key: number, name: string): Action => ({
    verb: "build",
    fields: { by: "alice", key: `key-number-${key}`, name },
  });
  const check = async (change: Change, conflicts: number) => {
    const actions = [
      build(0, "A"),
      ...Array.from({ length: conflicts }, () => build(0, "B")),
      ...Array.from({ length: 11 }, (_, index) => build(index + 1, "A")),
    ];
    const context = newContext(contract, adapterWith(change), "1");
    const cases = { casesPerRun: 1, draw: () => fc.constant(actions) };
    const result = await checkCases(vector, cases, context, { seed: 1, runs: 1 });
    const { outcome } = judgeRun(contract, [result]).rules.find((one) => one.rule.id === rule) ?? {};
    return [result.outcome, outcome];
  };
  /** Accepts each build over the limit after a hundred conflicts. */
  const misuse: Change = () => {
    const [conflicts, draft] = [{ count: 0 }, { last: undefined as Response | undefined }];
    return (_, respond) => {
      const response = respond();
      if ("mint" in response.body) draft.last = response;
      conflicts.count += response.status === 409 ? 1 : 0;
      return response.status === 429 && conflicts.count > 100 ? (draft.last ?? response) : response;
    };
  };
  assert.deepEqual(await check(unchanged, 40), ["passed", "satisfied"]);
  assert.deepEqual(await check(unchanged, 130), ["passed", "not-tested"]);
  assert.notDeepEqual((await check(misuse, 130))[1], "satisfied");
});
