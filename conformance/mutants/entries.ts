/** Mutants and conforming variants of the reference, as their YAML files list them. */
import { readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { readFilledFile } from "../contract/constants.ts";
import type { Contract } from "../contract/contract.ts";
import type { DataFile } from "../contract/data-file.ts";
import { readChecked } from "../contract/schema-check.ts";
import { type Edit, EditError, type Program, type Sources } from "./edits.ts";

/** Folder of the repository. */
const ROOT = join(import.meta.dirname, "..", "..");
/** Folder of the contract and the vectors. */
export const DATA_FOLDER = join(ROOT, "vectors");
/** Folder of the example client, which the entries for clients edit. */
export const CLIENT_FOLDER = join(ROOT, "examples", "clients", "typescript");
/** Folder of the reference, which the entries for services edit. */
export const PROGRAM_FOLDER = join(ROOT, "reference");

interface EntryBase {
  /** `area/name`. */
  readonly id: string;
  /** Difference from the reference, in the present tense. */
  readonly title: string;
  readonly edits: readonly Edit[];
  /** Returns the sources of the service. @throws {DataError} if an edit does not apply to the program */
  readonly edit: (program: Program) => Sources;
  /** For a client: how it reaches the service (default: by calls in the same process). */
  readonly over?: "http";
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
   * Whether vectors cannot fill every store, or need more entries than a store can hold. It then depends on
   * the vectors which rules are not tested, and which readings about capacity are observed.
   */
  readonly hasUnusualStores: boolean;
}

/** A mutant or a conforming variant. */
export type Entry = Mutant | ConformingVariant;

interface EntryFile {
  /** Edits of every entry, in addition to its own. */
  readonly edits?: readonly Edit[];
  readonly entries: readonly FileEntry[];
}

/** An entry as written in its file. */
interface FileEntry {
  readonly id: string;
  readonly title: string;
  readonly edits: readonly Edit[];
  readonly breaks?: readonly string[];
  readonly property?: string;
  readonly choices?: Readonly<Record<string, string>>;
  readonly untried?: readonly string[];
  readonly over?: "http";
}

/**
 * Reads all mutants, then all conforming variants, in the order of their files.
 * @param isOfClients whether to read those of the example client, and not of the reference
 * @throws {DataError} with file:line:column for each entry of a file that does not match its schema, has a
 *   duplicate ID, or names an unknown rule, open point, or reading
 */
export function readEntries(contract: Contract, isOfClients = false): readonly Entry[] {
  const root = join(import.meta.dirname, isOfClients ? "clients" : "services");
  const filesOf = (folder: string) => {
    const files = readdirSync(join(root, folder)).filter((file) => file.endsWith(".yaml"));
    return files.sort().map((file) => join(root, folder, file));
  };
  // Only properties find these mutants.
  const searchOnly = isOfClients ? [] : [join(root, "hidden.yaml")];
  return [
    ...[...filesOf("broken"), ...searchOnly].flatMap((file) => readFile(root, "broken", file, contract)),
    ...filesOf("legal").flatMap((file) => readFile(root, "legal", file, contract)),
  ];
}

function readFile(root: string, folder: string, file: string, contract: Contract): readonly Entry[] {
  const source = readChecked(file, join(root, `${folder}.schema.json`), readFilledFile);
  const { entries, edits: shared = [] } = source.value as EntryFile;
  const area = folder === "legal" ? folder : basename(file, ".yaml");
  const ids = new Set<string>();
  const read = entries.map((entry, index): Entry => {
    if (ids.has(entry.id)) source.addFault(["entries", index, "id"], `duplicate id "${entry.id}"`);
    ids.add(entry.id);
    checkNames(source, index, entry, contract);
    const { id, title, breaks, property, choices = {}, untried = [], over } = entry;
    const edits = [...entry.edits, ...shared];
    const base = {
      id: `${area}/${id}`,
      ...{ title, edits },
      edit: (program: Program) => edit(program, edits, source, index),
      ...(over === undefined ? {} : { over }),
    };
    const hasUnusualStores = untried.length > 0 || Object.values(choices).includes("not-reached");
    if (breaks === undefined) return { ...base, kind: "variant", choices, hasUnusualStores };
    return { ...base, kind: "mutant", breaks, ...(property === undefined ? {} : { property }) };
  });
  source.throwFaults();
  return read;
}

function checkNames(source: DataFile, index: number, entry: FileEntry, contract: Contract): void {
  const { breaks = [], untried = [], choices = {} } = entry;
  for (const [name, rules] of Object.entries({ breaks, untried }))
    for (const [position, id] of rules.entries()) {
      const rule = contract.rules.get(id);
      if (rule?.observable !== true || rule.level === "open")
        source.addFault(
          ["entries", index, name, position],
          `"${id}" is not a rule that tests can show violated`,
        );
    }
  for (const [point, readings] of Object.entries(choices)) {
    const known = contract.openPoints.get(point)?.readings.map(({ id }) => id);
    const unknown = readings.split(" | ").find((reading) => known?.includes(reading) !== true);
    if (unknown !== undefined)
      source.addFault(["entries", index, "choices", point], `"${unknown}" is not a reading of ${point}`);
  }
}

function edit(program: Program, edits: readonly Edit[], source: DataFile, index: number): Sources {
  try {
    return program.edit(edits);
  } catch (error) {
    if (!(error instanceof EditError)) throw error;
    source.addFault(["entries", index, "edits", error.index], error.message);
    source.throwFaults();
    throw error;
  }
}
