import { writeFileSync } from "node:fs";
import { inProcessAdapter, type ServiceModule } from "../../adapters/in-process.ts";
import type { Contract, Property, PropertyOutcome } from "../../engine/contract.ts";
import { virtualClock } from "../../engine/play/clock.ts";
import { playVector } from "../../engine/play/play.ts";
import type { Result } from "../../engine/play/result.ts";
import { startTime } from "../../engine/play/start-times.ts";
import type { Stretch } from "../../engine/run/shard.ts";
import { plainStage } from "../../engine/run/stage.ts";
import { loadSuiteFiles } from "../../engine/vectors/load.ts";
import { PATHS } from "../../paths.ts";

/** Another than any that finds something: what is found must not hang on who asks. */
const REPLAY_SEED = 99;

/** What one property makes of a service. */
export async function hunt(
  contract: Contract,
  service: ServiceModule,
  property: Property,
  seed: number,
  cases: Stretch,
): Promise<PropertyOutcome> {
  const connection = await inProcessAdapter(service, { name: "hunted" }).connect();
  return property.check({ connection, stage: plainStage(contract, seed), cases });
}

/** Saves what was found to a file, and plays it against a service that knows nothing of the search. */
export async function replay(
  contract: Contract,
  vectorText: string,
  file: string,
  service: ServiceModule,
): Promise<{ readonly steps: number; readonly result: Result }> {
  writeFileSync(file, vectorText);
  const [vector] = loadSuiteFiles([file], PATHS.suiteSchema, contract).vectors;
  if (vector === undefined) throw new Error(`${file} holds no vector`);
  const connection = await inProcessAdapter(service, { name: "replayed" }).connect();
  const startMs = startTime(vector.clock, REPLAY_SEED);
  await connection.start(startMs);
  const { result } = await playVector(
    vector,
    plainStage(contract, REPLAY_SEED),
    connection,
    virtualClock(connection, startMs),
  );
  return { steps: vector.steps.length, result };
}
