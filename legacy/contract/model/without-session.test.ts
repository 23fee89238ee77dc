import assert from "node:assert/strict";
import { test } from "node:test";
import { inProcessAdapter } from "../../adapters/in-process.ts";
import { formatOutcome } from "../../engine/outcome.ts";
import { playSequence } from "../../engine/search/play-sequence.ts";
import { requestSteps } from "../../engine/search/step-maker.ts";
import type { Fields } from "../../engine/vectors/vector.ts";
import { reference } from "../../testing/reference.ts";
import { stageOf } from "../../testing/search/stage.ts";
import { SEQUENCES } from "../properties/sequences.ts";

const connection = await inProcessAdapter(reference, { name: "reference" }).connect();
const KEY = "key-number-1";

/** What the model allows as the answer to the last of some builds. */
async function allowed(...builds: readonly Fields[]): Promise<readonly string[]> {
  const steps = requestSteps(builds.map((fields) => ["build", { by: "alice", ...fields }]));
  const stage = { contract: SEQUENCES, stage: stageOf(1), connection, id: "without-session", played: 0 };
  const { recorded } = await playSequence(steps, "between-seconds", stage);
  return recorded.at(-1)?.expected.outcomes.map(formatOutcome) ?? [];
}

test("without a session a retry and a new build are refused for that alone", async () => {
  assert.deepEqual(await allowed({ key: KEY }, { key: KEY, bearer: null }), ["401 UNAUTHORIZED"]);
  assert.deepEqual(await allowed({ key: KEY }, { bearer: null }), ["401 UNAUTHORIZED"]);
});

test("without a session a conflict may be told first, and so may a spent minute: the order of checks is open", async () => {
  assert.deepEqual(await allowed({ key: KEY }, { key: KEY, name: "Other Coin", bearer: null }), [
    "401 UNAUTHORIZED",
    "409 IDEMPOTENCY_CONFLICT",
  ]);
  const five = Array.from({ length: 5 }, () => ({}));
  assert.deepEqual(await allowed(...five, { bearer: null }), ["401 UNAUTHORIZED", "429 OFFLINE_RATE_LIMIT"]);
});
