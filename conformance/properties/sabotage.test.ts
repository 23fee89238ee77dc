import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import { inProcessAdapter, type ServiceModule } from "../adapters/in-process.ts";
import { PATHS } from "../paths.ts";
import { virtualClock } from "../play/clock.ts";
import { playVector } from "../play/play.ts";
import type { Result } from "../play/result.ts";
import { startTime } from "../play/start-times.ts";
import { contract } from "../testing/contract-data.ts";
import { reference } from "../testing/reference.ts";
import { loadSuiteFiles } from "../vectors/load.ts";
import { runProperties } from "./run-properties.ts";
import { sabotagedServices } from "./testing/sabotaged-services.ts";
import { propertyOptions, sabotaged, stageOf } from "./testing/stage.ts";

/** Where a fault is found, if not by `property/stateful`. */
const PROPERTIES: Readonly<Record<string, string>> = {
  "a body that is too large loses the last draft": "property/universal",
  "the host of a long metadata address is not looked at": "property/uris",
  "an escaped slash makes another input": "property/spellings",
  "proofs in flight together open a session each": "property/races",
  "a key in flight twice gives two drafts": "property/races",
  "six builds in flight together are all served": "property/races",
};

/** Seeds that come upon a fault early: with any seed it takes a few hundred cases at the most, and more time. */
const SEEDS: Readonly<Record<string, number>> = {
  "after a restart a key belongs to whoever used it before": 4,
  "a restart within the half minute keeps the keys": 4,
  "a conflict begins the half minute anew": 20,
  "two conflicts and the first input has lost its draft": 2,
  "a retry finds the draft that was last built under its key, whoever built it": 8,
  "the order of members counts from the second retry on": 8,
  "a session lives for an hour since its last use": 2,
  "the third session of a creator ends the first": 52,
  "a bearer from before the restart works once its creator has a new one": 39,
  "a bad proof leaves the challenge alone where its creator has another one": 2,
  "a bad proof uses up the challenge that was issued last, too": 51,
  "an expired challenge is taken while its creator has a live one": 3,
  "a challenge lives for half a minute where its creator has a session": 8,
  "whoever built twice may build for another creator": 9,
  "a conflict frees a place": 6,
  "from the third retry on, retries count": 3,
  "six builds in flight together are all served": 2,
};
const RUNS = 100;
const MOST_STEPS = 8;

const folder = mkdtempSync(join(tmpdir(), "sabotage-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

describe("a service that goes wrong now and then is found, and told as a vector that fails again", () => {
  for (const [index, wrong] of sabotagedServices.entries()) {
    test(wrong.name, async () => {
      const property = PROPERTIES[wrong.name] ?? "property/stateful";
      const options = await propertyOptions(SEEDS[wrong.name] ?? 1, RUNS, sabotaged(wrong));
      const [found] = await runProperties({ ...options, chosen: (id) => id === property });
      assert.equal(found?.outcome, "failed");

      const file = join(folder, `${index}.yaml`);
      writeFileSync(file, found.vector ?? "");
      const again = await replay(file, sabotaged(wrong));
      assert.equal(again.outcome, "failed", found.vector);
      assert.equal(again.failures[0]?.rule, found.failures[0]?.rule, found.vector);
      const good = await replay(file, reference);
      assert.deepEqual([good.outcome, good.failures], ["passed", []], found.vector);
    });
  }
});

/** Plays a saved vector against a service that knows nothing of the search. */
async function replay(file: string, serviceModule: ServiceModule): Promise<Result> {
  const [vector] = loadSuiteFiles([file], PATHS.suiteSchema, contract).vectors;
  assert.ok(vector !== undefined && vector.steps.length <= MOST_STEPS);
  const connection = await inProcessAdapter(serviceModule, { name: "replayed" }).connect();
  const startMs = startTime(vector.clock);
  await connection.start(startMs);
  const { result } = await playVector(vector, stageOf(99), connection, virtualClock(connection, startMs));
  return result;
}
