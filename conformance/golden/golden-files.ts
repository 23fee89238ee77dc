import { createHash } from "node:crypto";
import { CONTRACT_ID } from "../contract/operations.ts";
import { exchangesOf, type Fixture, type GoldenIndex } from "./fixture.ts";
import type { GoldenSet } from "./record-set.ts";
import { GOLDEN_VERSION } from "./version.ts";

export const INDEX_FILE = "index.json";

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
export function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function indexEntry(file: string, text: string, fixture: Fixture): GoldenIndex["fixtures"][number] {
  const { name, title } = fixture;
  return { name, file, title, exchanges: exchangesOf(fixture).length, sha256: sha256(text) };
}

function jsonText(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
