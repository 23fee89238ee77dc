/** What the files of every bank have in common: entries with edits, of which each names rules or readings. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { checkSchema, suggestion } from "../engine/data/schema.ts";
import type { YamlPath } from "../engine/data/yaml-places.ts";
import { readYaml, type YamlSource } from "../engine/data/yaml-source.ts";
import type { RuleBook } from "../engine/rule-book.ts";
import type { Edit, PlacedEdit } from "./entry.ts";

/** The YAML files of a folder, by name. */
export function bankFiles(folder: string): readonly string[] {
  const names = readdirSync(folder).filter((name) => name.endsWith(".yaml"));
  return names.sort().map((name) => join(folder, name));
}

/** Reads them, and holds each to the schema that lies beside the folder. */
export function readBankFiles(folder: string): readonly YamlSource[] {
  return bankFiles(folder).map((file) => {
    const source = readYaml(file);
    checkSchema(source, `${folder}.schema.json`);
    return source;
  });
}

/** @throws {DataError} for an id that was seen before, or a title that says what ought to be */
export function checkEntry(
  source: YamlSource,
  at: YamlPath,
  { id, title }: { readonly id: string; readonly title: string },
  seen: Set<string>,
): void {
  if (seen.has(id)) throw source.error([...at, "id"], `duplicate id "${id}"`);
  seen.add(id);
  if (/\bshould\b/i.test(title)) {
    throw source.error([...at, "title"], `a title states what the service does: leave out "should"`);
  }
}

/** @throws {DataError} for a rule that is unknown, or that no test can show */
export function checkRule(source: YamlSource, at: YamlPath, id: string, contract: RuleBook): void {
  const rule = contract.rules.get(id);
  if (rule === undefined)
    throw source.error(at, `unknown rule "${id}"${suggestion(id, contract.rules.keys())}`);
  if (!rule.observable || rule.level === "open") throw source.error(at, `no test can show ${id} broken`);
}

/** @throws {DataError} for an unknown open point, or for what is no reading of it */
export function checkChoice(
  source: YamlSource,
  at: YamlPath,
  id: string,
  readings: string,
  contract: RuleBook,
): void {
  const point = contract.points.get(id);
  if (point === undefined) {
    throw source.error(at, `unknown open point "${id}"${suggestion(id, contract.points.keys())}`);
  }
  const known = point.readings.map((reading) => reading.id);
  for (const reading of readings.split(" | ")) {
    if (!known.includes(reading)) {
      throw source.error(at, `"${reading}" is no reading of ${id}${suggestion(reading, known)}`);
    }
  }
}

/** Edits with the places where they stand. */
export function placedEdits(source: YamlSource, at: YamlPath, edits: readonly Edit[]): readonly PlacedEdit[] {
  return edits.map((edit, index) => ({
    ...edit,
    place: { file: source.file, line: source.position([...at, index]).line },
  }));
}
