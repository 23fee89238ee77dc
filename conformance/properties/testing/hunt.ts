import { writeFileSync } from "node:fs";
import { inProcessAdapter, type ServiceModule } from "../../adapters/in-process.ts";
import { PATHS } from "../../paths.ts";
import { virtualClock } from "../../play/clock.ts";
import { playVector } from "../../play/play.ts";
import type { Result } from "../../play/result.ts";
import { startTime } from "../../play/start-times.ts";
import type { Stretch } from "../../shard/shard.ts";
import { contract } from "../../testing/contract-data.ts";
import { loadSuiteFiles } from "../../vectors/load.ts";
import type { Property, PropertyOutcome } from "../property.ts";
import { stageOf } from "./stage.ts";

/** What one property makes of a service. */
export async function hunt(
  service: ServiceModule,
  property: Property,
  seed: number,
  cases: Stretch,
): Promise<PropertyOutcome> {
  const connection = await inProcessAdapter(service, { name: "hunted" }).connect();
  return property.check({ connection, stage: stageOf(seed), cases });
}

/** Saves what was found to a file, and plays it against a service that knows nothing of the search. */
export async function replay(
  vectorText: string,
  file: string,
  service: ServiceModule,
): Promise<{ readonly steps: number; readonly result: Result }> {
  writeFileSync(file, vectorText);
  const [vector] = loadSuiteFiles([file], PATHS.suiteSchema, contract).vectors;
  if (vector === undefined) throw new Error(`${file} holds no vector`);
  const connection = await inProcessAdapter(service, { name: "replayed" }).connect();
  const startMs = startTime(vector.clock);
  await connection.start(startMs);
  const { result } = await playVector(vector, stageOf(99), connection, virtualClock(connection, startMs));
  return { steps: vector.steps.length, result };
}
