/** Mutants and conforming variants, as their YAML files list them. */
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { readFilledFile } from "../contract/constants.ts";
import type { Contract } from "../contract/contract.ts";
import type { DataFile } from "../data/data-file.ts";
import { DATA_FOLDER } from "../data/kit-files.ts";
import { checkKnown, readChecked } from "../data/schema-check.ts";
import { type Edit, editSources, type Sources } from "./edits.ts";

/** Folder of the reference, which the entries for services edit. */
export const PROGRAM_FOLDER = join(DATA_FOLDER, "..", "reference");
/** Folder of the example client, which the entries for clients edit. */
const CLIENT_FOLDER = join(DATA_FOLDER, "..", "examples", "clients", "typescript");

interface EntryBase {
  /** `area/name`. */
  readonly id: string;
  readonly edits: readonly Edit[];
  /** Returns the sources of the program, edited. @throws {DataError} if an edit does not apply to them */
  readonly sources: () => Sources;
  /** For a client: how it reaches the service (default: by calls in the same process). */
  readonly over?: "http";
}

/** A service or client that violates rules. */
export interface Mutant extends EntryBase {
  readonly kind: "mutant";
  /** IDs of the rules that it violates. */
  readonly breaks: readonly string[];
  /** Name of the property that must find the mutant (default: vectors must find it). */
  readonly property?: string;
}

/** A service or client that conforms, but differs from the reference in its readings of open points. */
export interface ConformingVariant extends EntryBase {
  readonly kind: "variant";
  /** Observed readings, joined by ` | `, of each open point on which it differs from the reference. */
  readonly readings: Readonly<Record<string, string>>;
  /** IDs of required rules that vectors cannot test on it. */
  readonly notTested: readonly string[];
}

/** A mutant or a conforming variant. */
export type Entry = Mutant | ConformingVariant;

/** An entry as written in its file. */
interface FileEntry extends Pick<EntryBase, "id" | "over">, Partial<Pick<Mutant, "breaks" | "property">> {
  readonly edits: readonly Edit[];
  readonly readings?: ConformingVariant["readings"];
  readonly "not-tested"?: readonly string[];
}

/**
 * Reads all mutants, then all conforming variants, in the order of their files.
 * @param isOfClients whether to read the entries of the example client instead of those of the reference
 * @throws {DataError} with file:line:column for each entry of a file that does not match its schema, has a
 *   duplicate ID, or names an unknown rule, open point, or reading
 */
export function readEntries(contract: Contract, isOfClients = false): readonly Entry[] {
  const root = join(import.meta.dirname, isOfClients ? "clients" : "services");
  const program = readSources(isOfClients ? CLIENT_FOLDER : PROGRAM_FOLDER);
  const names = readdirSync(root, { recursive: true, encoding: "utf8" }).sort();
  const files = names.filter((name) => name.endsWith(".yaml"));
  return files.flatMap((file) => readFile(root, file, program, contract));
}

/** Reads the TypeScript files of a folder, without tests. */
function readSources(folder: string): Sources {
  const names = readdirSync(folder).filter((name) => /^[^.]+\.ts$/.test(name));
  return new Map(names.map((name) => [name, readFileSync(join(folder, name), "utf8")]));
}

function readFile(root: string, file: string, program: Sources, contract: Contract): readonly Entry[] {
  const isConforming = file.startsWith("conforming");
  const schema = join(root, `${isConforming ? "conforming" : "mutants"}.schema.json`);
  const source = readChecked(join(root, file), schema, readFilledFile);
  type File = { readonly entries: readonly FileEntry[]; readonly edits?: readonly Edit[] };
  // The shared edits of a file apply to each of its entries.
  const { entries, edits: shared = [] } = source.value as File;
  const area = isConforming ? "conforming" : basename(file, ".yaml");
  const ids = new Set<string>();
  const read = entries.map((entry, index): Entry => {
    const { id: name, edits: own, breaks, readings = {}, "not-tested": notTested = [], ...rest } = entry;
    const id = `${area}/${name}`;
    if (ids.has(id)) source.addFault(["entries", index, "id"], `duplicate id "${id}"`);
    ids.add(id);
    checkNames(source, index, entry, contract);
    const edits = [...own, ...shared];
    const base = {
      ...rest,
      id,
      edits,
      sources: () =>
        editSources(program, edits, (edit, message) => {
          source.addFault(["entries", index, "edits", edits.indexOf(edit)], message);
          source.throwFaults();
        }),
    };
    if (breaks === undefined) return { ...base, kind: "variant", readings, notTested };
    return { ...base, kind: "mutant", breaks };
  });
  source.throwFaults();
  return read;
}

function checkNames(source: DataFile, index: number, entry: FileEntry, contract: Contract): void {
  const { breaks = [], "not-tested": notTested = [], readings = {} } = entry;
  const testable = [...contract.rules.values()].filter((rule) => rule.observable && rule.level !== "open");
  const ids = testable.map(({ id }) => id);
  for (const [name, rules] of Object.entries({ breaks, "not-tested": notTested }))
    for (const [position, id] of rules.entries())
      checkKnown(source, ["entries", index, name, position], "testable rule", id, ids);
  for (const [point, names] of Object.entries(readings)) {
    const known = contract.openPoints.get(point)?.readings.map(({ id }) => id) ?? [];
    for (const reading of names.split(" | "))
      checkKnown(source, ["entries", index, "readings", point], "reading", reading, known, `of ${point}`);
  }
}
