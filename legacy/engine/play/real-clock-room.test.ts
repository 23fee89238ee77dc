import assert from "node:assert/strict";
import { test } from "node:test";
import { inProcessAdapter, type Service } from "../../adapters/in-process.ts";
import { loadKitData } from "../../contract/kit-data.ts";
import { contract } from "../../testing/contract-data.ts";
import { reference } from "../../testing/reference.ts";
import { plan } from "../run/plan.ts";
import { setStage } from "../run/stage.ts";
import { wallClock } from "./clock.ts";
import { playSteps } from "./play-step.ts";
import { Scene } from "./scene.ts";

/** How near to a limit `just-before` comes on a real clock. */
const ROOM_MS = 2_000;
/** Every lifetime of the contract is a multiple of this. */
const PERIOD_MS = 30_000;
const DEFAULT_MAX_WAIT_MS = 90_000;

test("no wait on a real clock ends nearer to a limit than a busy machine can keep to", async () => {
  let nowMs = Date.UTC(2026, 9, 10, 12, 0, 20);
  const sleep = async (ms: number) => {
    nowMs += ms;
  };
  const time = { now: () => nowMs, sleep };
  const service = {
    facts: reference.facts,
    capabilities: { clock: "real", restart: true, rawBody: true, concurrency: true },
    createService: () => reference.createService({ now: () => nowMs }) as Service,
  };
  const connection = await inProcessAdapter(service, { name: "service" }).connect();
  const stage = setStage(connection.info, { contract, seed: 1 });
  const { vectors } = loadKitData().suites;
  const waiting = plan(vectors, connection.info, DEFAULT_MAX_WAIT_MS).filter(
    ({ skip, vector }) => skip === undefined && vector.totalWaitMs > 0 && !vector.needs.has("restart"),
  );
  assert.ok(waiting.length > 50, `${waiting.length} vectors wait`);
  let waited = 0;
  for (const { vector } of waiting) {
    await connection.start(nowMs);
    const scene = new Scene(vector, stage, connection, wallClock(time));
    await playSteps(scene, vector.steps, "");
    for (const [index, later] of scene.timed.entries()) {
      for (const earlier of scene.timed.slice(0, index)) {
        const planned = later.plannedMs - earlier.plannedMs;
        if (planned >= PERIOD_MS - ROOM_MS) waited += 1;
        const room = PERIOD_MS - (planned % PERIOD_MS);
        const told = `${vector.id}: step ${later.step} comes ${planned} ms after step ${earlier.step}`;
        assert.ok(room >= ROOM_MS, told);
      }
    }
  }
  assert.ok(waited > waiting.length, `${waited} exchanges came near to a limit`);
});
