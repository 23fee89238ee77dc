import { statSync } from "node:fs";
import { join } from "node:path";
import { displayPath } from "../engine/data/yaml-source.ts";
import { type GoldenFolder, readGolden } from "../golden/golden-files.ts";
import { harFiles, harText } from "../golden/har.ts";
import type { GoldenEdge } from "./golden-write.ts";
import { UsageError } from "./usage-error.ts";
import { makeFolder, writeWhole } from "./write-file.ts";

/** Where fixtures go as HAR 1.2, and the address that their requests are written with. */
export interface HarTargets {
  /** One file of all fixtures. */
  readonly har?: string;
  /** Folder of a file for each fixture. */
  readonly harDir?: string;
  readonly baseUrl?: string;
}

/**
 * Writes the fixtures of a folder as HAR: one file of all, one for each, or both.
 * @returns 0
 * @throws {UsageError} where nothing can be written there
 * @throws {DataError} where the folder cannot be read as fixtures
 */
export function exportHar(
  folder: string,
  { har, harDir, baseUrl }: HarTargets,
  { output }: Pick<GoldenEdge, "output">,
): number {
  if (har !== undefined && (har.endsWith("/") || statSync(har, { throwIfNoEntry: false })?.isDirectory()))
    throw new UsageError(`--har ${har}: is a folder; --har-dir writes a file for each fixture into it`);
  const golden = readGolden(folder);
  if (har !== undefined) writing(`--har ${har}`, () => writeWhole(har, harText(golden, baseUrl)));
  if (harDir !== undefined) writing(`--har-dir ${harDir}`, () => writeFiles(harDir, golden, baseUrl));
  for (const target of [har, harDir])
    if (target !== undefined)
      output.out(`${golden.fixtures.length} fixtures written to ${displayPath(target)}\n`);
  return 0;
}

function writeFiles(folder: string, golden: GoldenFolder, baseUrl: string | undefined): void {
  makeFolder(folder);
  for (const [file, text] of harFiles(golden, baseUrl)) writeWhole(join(folder, file), text);
}

function writing(target: string, write: () => void): void {
  try {
    write();
  } catch (error) {
    const why = (error as NodeJS.ErrnoException).code ?? String(error);
    throw new UsageError(`${target}: cannot be written (${why})`);
  }
}
