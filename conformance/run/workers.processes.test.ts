import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { pathToFileURL } from "node:url";
import { DEFAULT_OPTIONS } from "../adapters/protocol.ts";
import { openProgram } from "../adapters/stdio.ts";
import { SERVED_CONTRACT } from "../contract/constants.ts";
import { readServiceContract } from "../contract/contract.ts";
import { DATA_FOLDER } from "../data/kit-files.ts";
import { PROPERTIES } from "../properties/index.ts";
import { toData } from "../report/data.ts";
import { loadKitVectors } from "../suite/load.ts";
import { type Report, type RunOptions, run } from "./run.ts";

const contract = readServiceContract();
const tests = [...loadKitVectors(contract), ...PROPERTIES];
const folder = mkdtempSync(join(tmpdir(), "workers-"));
after(() => rmSync(folder, { recursive: true }));

/** A module that counts whole seconds, opens sessions with a wrong scope, and may end its process. */
const MODULE = `
import * as reference from ${JSON.stringify(pathToFileURL(join(DATA_FOLDER, "../reference/service.ts")).href)};
import { createHash } from "node:crypto";
export const { facts, capabilities } = reference;
export function createService({ now }) {
  let calls = 0;
  const random = (count) => createHash("sha512").update(String(++calls)).digest().subarray(0, count);
  const service = reference.createService({ now: () => Math.floor(now() / 1000) * 1000, random });
  return { handle(call) {
    if (call.path === process.env.FATAL_PATH) process.exit();
    if (call.path === process.env.ABSENT_PATH)
      return { status: 404, body: { code: "NO_EXECUTION_ENDPOINT", productionApproved: false } };
    const { status, body } = service.handle(call);
    return { status, body: "scope" in body ? { ...body, scope: "other" } : body };
  } };
}`;

/** Plays tests on the module with a number of threads. Returns the report as data, without durations. */
async function report(jobs: number, options: RunOptions, env: readonly string[] = []) {
  const module = join(folder, "service.ts");
  writeFileSync(module, MODULE);
  const target = { module, env, timeoutMs: DEFAULT_OPTIONS.timeoutMs, maxWaitMs: DEFAULT_OPTIONS.maxWaitMs };
  const adapter = await openProgram({ ...DEFAULT_OPTIONS, ...target, contract: SERVED_CONTRACT });
  const reported: string[] = [];
  const onResult: NonNullable<RunOptions["onResult"]> = ({ vector }) => reported.push(vector.id);
  try {
    const played: Report = await run(contract, tests, adapter, {
      ...{ ...options, jobs, onResult },
      ...(jobs > 1 && { workers: target }),
    });
    const data = toData(played, { kit: "0.1.0", contract });
    return {
      reported,
      data: JSON.parse(JSON.stringify(data, (name, value) => (name === "durationMs" ? 0 : value))),
    };
  } finally {
    await adapter.close();
  }
}

test("the report does not depend on the number of threads", async () => {
  const only = [
    "session/**",
    "lifetimes/**",
    "idempotency/lifetime/**",
    "property/scenarios",
    "property/texts",
  ];
  const options = { selection: { only }, runs: 4 };
  const [alone, parallel] = [await report(1, options), await report(2, options)];
  assert.ok(alone.data.tests.failed > 0 && alone.data.tests.passed > 0);
  assert.deepEqual(parallel, alone);
});

test("a failure of a deeply nested request is reported from each thread", async (context) => {
  process.env["ABSENT_PATH"] = "/v1/auth/verify";
  context.after(() => delete process.env["ABSENT_PATH"]);
  const options = { selection: { only: ["challenge-input/**", "json-values/verify-nested-deep/*"] } };
  const [alone, parallel] = [
    await report(1, options, ["ABSENT_PATH"]),
    await report(4, options, ["ABSENT_PATH"]),
  ];
  assert.ok(alone.data.tests.failed > 2);
  assert.deepEqual(parallel, alone);
});

test("a program that ends in each thread ends the run with the results so far", async (context) => {
  process.env["FATAL_PATH"] = "/v1/auth/challenge";
  context.after(() => delete process.env["FATAL_PATH"]);
  const { data } = await report(2, { selection: { only: ["session/issued/*"] } }, ["FATAL_PATH"]);
  assert.ok(data.tests.error > 0);
  assert.equal(data.verdict.exitStatus, 3);
});

test("a signal ends the threads", async () => {
  const aborting = new AbortController();
  const options = { selection: { only: ["session/**", "property/*"] }, runs: 400, signal: aborting.signal };
  const running = report(2, options);
  setImmediate(() => aborting.abort("interrupted"));
  const { data } = await running;
  assert.deepEqual(data.run.ended, { by: "signal", reason: "interrupted" });
});
