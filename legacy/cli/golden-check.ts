import { join } from "node:path";
import type { Adapter } from "../adapters/adapter.ts";
import { DataError } from "../engine/data/data-error.ts";
import { displayPath } from "../engine/data/yaml-source.ts";
import { fileDrift } from "../golden/differences.ts";
import { goldenFiles, goldenText, readGolden } from "../golden/golden-files.ts";
import { replayFixtures } from "../golden/replay.ts";
import { plainLine } from "../plain-text.ts";
import type { GoldenEdge } from "./golden-write.ts";
import { namesIn, type Recorded, record } from "./golden-write.ts";

/**
 * Records an implementation again, and reports each file that differs from the folder's, in one line.
 * @returns 0; 1 where something drifted
 * @throws {DataError} where there are no fixtures to compare with
 */
export async function checkFiles(folder: string, from: Recorded, edge: GoldenEdge): Promise<number> {
  const { output } = edge;
  const names = namesIn(folder).filter((name) => name.endsWith(".json"));
  if (names.length === 0) {
    await from.adapter.close();
    throw new DataError(displayPath(folder), "there are no fixtures");
  }
  const set = await record(from, edge);
  for (const { name, reason } of set.broken) output.err(`${name}: ${plainLine(reason, 300)}\n`);
  const found = new Map(names.map((name) => [name, goldenText(join(folder, name))]));
  const drift = fileDrift(found, goldenFiles(set));
  for (const { file, line } of drift) output.out(`${at(folder, file)}: ${line}\n`);
  const clean = drift.length === 0 && set.broken.length === 0;
  output.out(
    clean ? `${set.fixtures.length} fixtures are as they were\n` : `${drift.length} files drifted\n`,
  );
  return clean ? 0 : 1;
}

/**
 * Replays the fixtures of a folder, and says in one line a file what was answered otherwise than fixture and contract
 * have it.
 * @param verbose whether answers that differ as they may are listed too
 * @returns 0; 1 where something drifted; 4 where nothing did, but not everything could be replayed
 * @throws {DataError} where the folder cannot be read as fixtures
 */
export async function checkByReplay(
  folder: string,
  adapter: Adapter,
  verbose: boolean,
  { output, time }: GoldenEdge,
): Promise<number> {
  const golden = readGolden(folder);
  const replays = await replayFixtures(golden, adapter, time);
  const altered = new Set(golden.altered);
  const otherBytes = (name: string) =>
    altered.has(`${name}.json`) ? "its bytes are not those of the index (sha256)" : undefined;
  const told = replays.map((one) => ({ ...one, drift: one.drift ?? otherBytes(one.name) }));
  for (const { name, drift, left, choices } of told) {
    const line = drift ?? (left === undefined ? undefined : `not replayed: ${left}`);
    for (const text of [...(line === undefined ? [] : [line]), ...(verbose ? choices : [])])
      output.out(`${at(folder, `${name}.json`)}: ${plainLine(text, 400)}\n`);
  }
  const drifted = told.filter(({ drift }) => drift !== undefined).length;
  const left = told.filter((one) => one.drift === undefined && one.left !== undefined).length;
  const chosen = replays.flatMap(({ choices }) => choices).length;
  output.out(
    `${replays.length - drifted - left} of ${replays.length} fixtures match, ${drifted} drifted, ${left} not replayed; ` +
      `${chosen} answers differ as they may\n`,
  );
  if (drifted > 0) return 1;
  return left > 0 ? 4 : 0;
}

function at(folder: string, file: string): string {
  return join(displayPath(folder), plainLine(file, 100));
}
