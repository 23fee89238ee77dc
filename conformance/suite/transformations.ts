/** The table of transformations: functions that services apply to texts, and the places of these texts. */
import { join } from "node:path";
import { DATA_FOLDER, readCompiled } from "../data/kit-files.ts";
import { checkKnown, readChecked } from "../data/schema-check.ts";
import { SPELLINGS } from "./spellings.ts";

/** A function, as a change to a text that the function undoes or ignores. */
export interface Transformation {
  readonly name: string;
  readonly call?: readonly string[];
  readonly keep?: number;
  readonly "keep-last"?: number;
  readonly replace?: Readonly<Record<string, string>>;
  readonly insert?: string;
  readonly prefix?: string;
  readonly suffix?: string;
  /** Whether the function changes only whole texts such as the examples. */
  readonly exact?: true;
  readonly reason: string;
  readonly examples: Readonly<Record<string, string>>;
  readonly vanishing?: readonly string[];
}

/** Texts of requests. */
export interface Place {
  readonly values: readonly string[];
  readonly samples?: readonly string[];
  readonly before?: string;
  readonly header?: true;
  readonly json?: true;
  readonly open?: readonly { readonly texts: string; readonly point?: string; readonly reason: string }[];
}

interface Table {
  /** By family. */
  readonly functions: Readonly<Record<string, readonly Transformation[]>>;
  readonly places: Readonly<Record<string, Place>>;
}

/** Path of the table. */
export const TRANSFORMATIONS = join(DATA_FOLDER, "tables", "transformations.yaml");
let table: Table | undefined;

/** Returns the table, which is loaded once per process. @throws {DataError} with all faults of the file */
export function readTransformations(): Table {
  table ??= readCompiled(TRANSFORMATIONS, compileTransformations);
  return table;
}

/** Reads the file, and computes its examples. @throws {DataError} with all faults of the file */
function compileTransformations(): Table {
  const schema = join(DATA_FOLDER, "contract", "transformations.schema.json");
  const source = readChecked(TRANSFORMATIONS, schema);
  const { functions, places } = source.value as Table;
  const names = new Set<string>();
  for (const [family, entries] of Object.entries(functions))
    for (const [index, entry] of entries.entries()) {
      const path = ["functions", family, index];
      if (names.has(entry.name)) source.addFault([...path, "name"], `duplicate name "${entry.name}"`);
      names.add(entry.name);
      for (const name of entry.call ?? [])
        checkKnown(source, [...path, "call"], "function", name, Object.keys(SPELLINGS));
      for (const [text, other] of Object.entries(entry.examples))
        if (spell(entry, text) !== other)
          source.addFault([...path, "examples"], `${text} becomes ${spell(entry, text)}, not ${other}`);
    }
  source.throwFaults();
  return { functions, places };
}

/** Returns the other spelling of a text. */
export function spell(entry: Transformation, text: string): string {
  const { call = [], keep = Infinity, replace = {}, insert = "", prefix = "", suffix = "" } = entry;
  let result = call.reduce((value, name) => SPELLINGS[name]?.(value) ?? value, text);
  result = result.slice(0, keep) + [...result.slice(keep)].reverse().join("");
  const end = entry["keep-last"];
  if (end !== undefined) result = [...result.slice(0, -end)].reverse().join("") + result.slice(-end);
  for (const [from, to] of Object.entries(replace)) result = result.replaceAll(from, () => to);
  return `${prefix}${result.slice(0, 2)}${insert}${result.slice(2)}${suffix}`;
}
