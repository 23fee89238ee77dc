import { lstatSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { loadKitData } from "../contract/kit-data.ts";
import { DataError } from "../engine/data/data-error.ts";
import { displayPath } from "../engine/data/yaml-source.ts";
import type { RealTime } from "../engine/play/real-time.ts";
import { type GoldenSet, INDEX_FILE } from "../golden/fixture.ts";
import { goldenFiles, readIndex } from "../golden/golden-files.ts";
import { type RecordOptions, recordSet } from "../golden/record.ts";
import { PATHS } from "../paths.ts";
import { plainLine } from "../plain-text.ts";
import type { Chance } from "./chance.ts";
import type { Output } from "./output.ts";
import { UsageError } from "./usage-error.ts";
import { makeFolder, writeWhole } from "./write-file.ts";

/** What the edge of the program gives the golden commands. */
export interface GoldenEdge {
  readonly output: Output;
  readonly time: RealTime;
  readonly chance: Pick<Chance, "salt">;
}

/** Whose flows are recorded. */
export type Recorded = Pick<RecordOptions, "adapter" | "deterministic">;

/** Leads an implementation through every flow, and ends the adapter. @throws {AdapterFault} where it breaks */
export async function record(
  { adapter, deterministic }: Recorded,
  { time, chance }: GoldenEdge,
): Promise<GoldenSet> {
  try {
    const { contract, suites } = loadKitData(PATHS.goldenFlows);
    const salt = { text: chance.salt(), told: false };
    return await recordSet({ contract, flows: suites.vectors, adapter, time, deterministic, salt });
  } finally {
    await adapter.close();
  }
}

/**
 * Writes the fixtures of an implementation into a folder, in place of those that were there.
 * @returns 0; 1 where an answer broke the contract, which no fixture shows
 * @throws {UsageError} where the folder cannot be written
 * @throws {DataError} where the folder's index is of another kind
 */
export async function writeFixtures(folder: string, from: Recorded, edge: GoldenEdge): Promise<number> {
  const { output } = edge;
  const old = earlierFiles(folder);
  refuseOddFiles(folder);
  const set = await record(from, edge);
  for (const { name, reason } of set.omitted) output.err(`${name}: left out: ${plainLine(reason, 300)}\n`);
  for (const { name, reason } of set.broken) output.err(`${name}: not written: ${plainLine(reason, 300)}\n`);
  const { name } = set.info.implementation;
  if (set.fixtures.length === 0) {
    output.err(`nothing of ${plainLine(name, 60)} could be recorded\n`);
    return 1;
  }
  const files = goldenFiles(set);
  try {
    makeFolder(folder);
    for (const [file, text] of files) writeWhole(join(folder, file), text);
    for (const file of old.filter((gone) => !files.has(gone))) rmSync(join(folder, file), { force: true });
  } catch (error) {
    const why = (error as NodeJS.ErrnoException).code ?? String(error);
    throw new UsageError(`${displayPath(folder)}: the fixtures cannot be written (${why})`);
  }
  output.out(`${set.fixtures.length} fixtures of ${plainLine(name, 60)} written to ${displayPath(folder)}\n`);
  return set.broken.length === 0 ? 0 : 1;
}

/** Fixtures take the place of files in the folder, and of nothing that only stands there for something elsewhere. */
function refuseOddFiles(folder: string): void {
  for (const name of namesIn(folder).filter((one) => one.endsWith(".json"))) {
    const stats = lstatSync(join(folder, name), { throwIfNoEntry: false });
    if (stats === undefined || stats.isFile()) continue;
    const what = stats.isSymbolicLink() ? "a symbolic link" : "not a regular file";
    throw new UsageError(
      `${displayPath(join(folder, name))}: is ${what}; no fixtures are written into this folder`,
    );
  }
}

/** The files of fixtures that an earlier command wrote. An index of another kind is not overwritten. */
function earlierFiles(folder: string): readonly string[] {
  return namesIn(folder).includes(INDEX_FILE) ? readIndex(folder).fixtures.map(({ file }) => file) : [];
}

/** Names in a folder; an empty list where there is no such folder. @throws {DataError} where it cannot be read */
export function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return [];
    throw new DataError(displayPath(folder), `cannot be read (${code})`);
  }
}
