import { createHash } from "node:crypto";
import { join } from "node:path";
import { CONTRACT_ID } from "../contract/operations.ts";
import { DataError } from "../engine/data/data-error.ts";
import { MIB, readTextFile } from "../engine/data/read-text-file.ts";
import { schemaFault } from "../engine/data/schema.ts";
import { displayPath } from "../engine/data/yaml-source.ts";
import { PATHS } from "../paths.ts";
import { plainLine } from "../plain-text.ts";
import {
  exchangesOf,
  type Fixture,
  GOLDEN_VERSION,
  type GoldenIndex,
  type GoldenSet,
  INDEX_FILE,
} from "./fixture.ts";

/** The files of a set, by name: one for each fixture, and the index with their digests. */
export function goldenFiles({ info, fixtures, omitted }: GoldenSet): ReadonlyMap<string, string> {
  const files = fixtures.map((fixture) => [`${fixture.name}.json`, jsonText(fixture), fixture] as const);
  const index: GoldenIndex = {
    contract: CONTRACT_ID,
    version: GOLDEN_VERSION,
    implementation: info.implementation,
    clock: info.capabilities.clock,
    facts: info.facts,
    fixtures: files.map(([file, text, fixture]) => indexEntry(file, text, fixture)),
    omitted,
  };
  return new Map([[INDEX_FILE, jsonText(index)], ...files.map(([file, text]) => [file, text] as const)]);
}

/** SHA-256 of a text's UTF-8 bytes, in lower-case hex. */
function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function indexEntry(file: string, text: string, fixture: Fixture): GoldenIndex["fixtures"][number] {
  const { name, title } = fixture;
  return { name, file, title, exchanges: exchangesOf(fixture).length, sha256: sha256(text) };
}

function jsonText(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** Bytes that one file of fixtures may have. */
const MOST_BYTES = 16 * MIB;

/** A folder of fixtures as it was read. */
export interface GoldenFolder {
  readonly index: GoldenIndex;
  readonly fixtures: readonly Fixture[];
  /** Files whose bytes are not those of the index. */
  readonly altered: readonly string[];
}

/**
 * Reads a folder of fixtures, and holds every file to its schema.
 * @throws {DataError} one line that names the file, and the place in it
 */
export function readGolden(folder: string): GoldenFolder {
  const index = readIndex(folder);
  const altered: string[] = [];
  const fixtures = index.fixtures.map(({ name, file, sha256: digest }) => {
    const path = join(folder, file);
    const text = goldenText(path);
    if (sha256(text) !== digest) altered.push(file);
    const fixture = checked(path, parsed(path, text), PATHS.goldenSchema) as Fixture;
    if (fixture.name !== name)
      throw new DataError(
        displayPath(path),
        `it is named ${plainLine(fixture.name, 60)}, and in the index ${name}`,
      );
    checkExpressions(path, fixture);
    return fixture;
  });
  return { index, fixtures, altered };
}

/** Reads a folder's index alone. @throws {DataError} one line that names the file, and the place in it */
export function readIndex(folder: string): GoldenIndex {
  const path = join(folder, INDEX_FILE);
  return checked(path, parsed(path, goldenText(path)), PATHS.goldenIndexSchema) as GoldenIndex;
}

/** A schema cannot say that a text is a regular expression that this language reads. */
function checkExpressions(path: string, fixture: Fixture): void {
  for (const { step, matchers = [] } of exchangesOf(fixture)) {
    for (const matcher of matchers) {
      try {
        if (matcher.match === "regex") new RegExp(matcher.regex);
      } catch (error) {
        const place = `step ${step}, matcher of ${matcher.pointer}`;
        throw new DataError(displayPath(path), plainLine(`${place}: ${(error as Error).message}`, 200));
      }
    }
  }
}

/** Reads the text of a file of fixtures. @throws {DataError} where it is no regular file, or larger than 16 MiB */
export function goldenText(path: string): string {
  return readTextFile(path, displayPath(path), MOST_BYTES);
}

function parsed(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new DataError(displayPath(path), plainLine(`no JSON (${(error as Error).message})`, 200));
  }
}

function checked(path: string, value: unknown, schema: string): unknown {
  const fault = schemaFault(value, schema);
  if (fault === undefined) return value;
  const place = fault.path.length === 0 ? "" : `${fault.path.join(".")}: `;
  throw new DataError(displayPath(path), plainLine(`no golden file: ${place}${fault.message}`, 200));
}
