/** Mutants and conforming variants of the reference, as their YAML files list them. */
import { readdirSync } from "node:fs";
import { basename, join } from "node:path";
import type { Contract } from "../contract/contract.ts";
import { readYaml, type YamlSource } from "../contract/yaml.ts";
import { type Edit, EditError, type Program, type Sources } from "./edits.ts";

/** Folder of the repository. */
const ROOT = join(import.meta.dirname, "..", "..");
/** Folder of the contract and the vectors. */
export const DATA_FOLDER = join(ROOT, "vectors");
/** Folder of the files of entries. */
const ENTRIES_FOLDER = join(ROOT, "conformance", "mutants");
/** Folder of the program that entries edit. */
export const PROGRAM_FOLDER = join(ROOT, "reference");

interface EntryBase {
  /** `area/name`. */
  readonly id: string;
  /** Difference from the reference, in the present tense. */
  readonly title: string;
  /** Returns the sources of the service. @throws {DataError} if an edit does not apply to the program */
  readonly edit: (program: Program) => Sources;
}

/** A service that violates rules. */
export interface Mutant extends EntryBase {
  readonly kind: "mutant";
  /** IDs of the rules that it violates. */
  readonly breaks: readonly string[];
  /** Name of the property that finds the mutant, if no vector does. */
  readonly property?: string;
}

/** A service that conforms, with other readings of open points than the reference. */
export interface ConformingVariant extends EntryBase {
  readonly kind: "variant";
  /** Observed readings, joined by ` | `, of each open point on which it differs from the reference. */
  readonly choices: Readonly<Record<string, string>>;
  /**
   * Whether vectors cannot fill each store, or need more entries than fit. Which rules that leaves untested, and
   * which readings about capacity are observed, depends on the vectors.
   */
  readonly hasUnusualStores: boolean;
}

/** A service to judge. */
export type Entry = Mutant | ConformingVariant;

/** An entry as written in its file. */
interface FileEntry {
  readonly id: string;
  readonly title: string;
  readonly edits: readonly Edit[];
  readonly breaks?: readonly string[];
  readonly property?: string;
  readonly choices?: Readonly<Record<string, string>>;
  readonly untried?: readonly string[];
}

/**
 * Reads all mutants, then all conforming variants, in the order of their files.
 * @throws {DataError} with file:line:column for the first entry that does not match its schema, has a duplicate
 *   ID, or names an unknown rule, open point, or reading
 */
export function readEntries(contract: Contract): readonly Entry[] {
  return ["broken", "legal"].flatMap((folder) => {
    const files = readdirSync(join(ENTRIES_FOLDER, folder)).filter((file) => file.endsWith(".yaml"));
    return files.sort().flatMap((file) => readFile(folder, file, contract));
  });
}

function readFile(folder: string, file: string, contract: Contract): readonly Entry[] {
  // The path of a schema starts at the folder `contract` next to the folder of the file.
  const source = readYaml(join(ENTRIES_FOLDER, folder, file), `../${folder}.schema.json`);
  const { entries } = source.value as { entries: readonly FileEntry[] };
  const area = folder === "legal" ? folder : basename(file, ".yaml");
  const ids = new Set<string>();
  return entries.map((entry, index) => {
    if (ids.has(entry.id)) throw source.error(["entries", index, "id"], `duplicate id "${entry.id}"`);
    ids.add(entry.id);
    checkNames(source, index, entry, contract);
    const { id, title, edits, breaks, property, choices = {}, untried = [] } = entry;
    const base = {
      id: `${area}/${id}`,
      title,
      edit: (program: Program) => edit(program, edits, source, index),
    };
    const hasUnusualStores = untried.length > 0 || Object.values(choices).includes("not-reached");
    if (breaks === undefined) return { ...base, kind: "variant", choices, hasUnusualStores };
    return { ...base, kind: "mutant", breaks, ...(property === undefined ? {} : { property }) };
  });
}

function checkNames(source: YamlSource, index: number, entry: FileEntry, contract: Contract): void {
  const { breaks = [], untried = [], choices = {} } = entry;
  for (const [name, rules] of Object.entries({ breaks, untried }))
    for (const [position, id] of rules.entries()) {
      const rule = contract.rules.get(id);
      if (rule?.observable !== true || rule.level === "open")
        throw source.error(
          ["entries", index, name, position],
          `"${id}" is not a rule that a service can violate`,
        );
    }
  for (const [point, readings] of Object.entries(choices)) {
    const known = contract.openPoints.get(point)?.readings.map(({ id }) => id);
    const unknown = readings.split(" | ").find((reading) => known?.includes(reading) !== true);
    if (unknown !== undefined)
      throw source.error(["entries", index, "choices", point], `"${unknown}" is not a reading of ${point}`);
  }
}

function edit(program: Program, edits: readonly Edit[], source: YamlSource, index: number): Sources {
  try {
    return program.edit(edits);
  } catch (error) {
    if (!(error instanceof EditError)) throw error;
    throw source.error(["entries", index, "edits", error.index], error.message);
  }
}
