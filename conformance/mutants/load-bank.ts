import { join } from "node:path";
import { RULE_BOOK_PATHS, ruleBook } from "../contract/rule-book.ts";
import { SEARCHES } from "../contract/searches.ts";
import { PREPARED } from "../engine/data/prepared.ts";
import { suggestion } from "../engine/data/schema.ts";
import type { YamlPath } from "../engine/data/yaml-places.ts";
import type { YamlSource } from "../engine/data/yaml-source.ts";
import type { RuleBook } from "../engine/rule-book.ts";
import { propertyId } from "../engine/search/property-result.ts";
import { PATHS } from "../paths.ts";
import { bankFiles, checkChoice, checkEntry, checkRule, placedEdits, readBankFiles } from "./bank-files.ts";
import type { Bank, BrokenEntry, Edit, LegalEntry } from "./entry.ts";
import { type PackedBank, unpackBank } from "./packed-bank.ts";

const path = (name: string) => join(PATHS.bank, name);

interface BrokenFile {
  readonly area: string;
  readonly entries: readonly (Pick<BrokenEntry, "id" | "title" | "why" | "breaks"> & {
    readonly property?: string;
  } & Edited)[];
}
interface LegalFile {
  readonly entries: readonly (Pick<LegalEntry, "id" | "title" | "choices" | "untried"> & {
    readonly apart?: readonly string[];
  } & Edited)[];
}
interface Edited {
  readonly edits: readonly Edit[];
}

/** The folders of its files; beside each lies the schema of what is in it. */
const FOLDERS = ["broken", "legal"] as const;

/** The bank by the contract that it was held against: read once for each. */
const banks = new WeakMap<RuleBook, Bank>();

/**
 * The bank of wrong and of unlike services.
 * @throws {DataError} with file:line:column for a file that breaks its schema, an unknown rule, point or reading, a
 *   rule that no test can show, or a duplicate id
 */
export function loadBank(contract: RuleBook): Bank {
  const bank = banks.get(contract) ?? preparedBank(contract) ?? readBank(contract);
  banks.set(contract, bank);
  return bank;
}

/** As what the build prepares the bank. */
export const PREPARED_BANK = "bank";

/** The files that it is made of: its own, and those of the rules. */
export function bankSources(): readonly string[] {
  const own = FOLDERS.flatMap((folder) => [path(`${folder}.schema.json`), ...bankFiles(path(folder))]);
  return [...own, ...RULE_BOOK_PATHS];
}

/** The bank that was prepared for the kit's own rules. */
function preparedBank({ rules }: RuleBook): Bank | undefined {
  if (rules !== ruleBook().rules) return undefined;
  const packed = PREPARED.value(PREPARED_BANK, bankSources) as PackedBank | undefined;
  return packed === undefined ? undefined : unpackBank(packed, PATHS.bank);
}

function readBank(contract: RuleBook): Bank {
  return {
    broken: readBankFiles(path("broken")).flatMap((file) => brokenEntries(file, contract)),
    legal: readBankFiles(path("legal")).flatMap((file) => legalEntries(file, contract)),
  };
}

function brokenEntries(source: YamlSource, contract: RuleBook): readonly BrokenEntry[] {
  const { area, entries } = source.value as BrokenFile;
  const seen = new Set<string>();
  return entries.map(({ edits, property, ...entry }, index) => {
    const at: YamlPath = ["entries", index];
    checkEntry(source, at, entry, seen);
    const found = property === undefined ? {} : { property: knownProperty(source, at, property) };
    for (const [position, rule] of entry.breaks.entries()) {
      checkRule(source, [...at, "breaks", position], rule, contract);
    }
    const place = { file: source.file, line: source.position(at).line };
    const id = `${area}/${entry.id}`;
    return { ...entry, ...found, id, place, edits: placedEdits(source, [...at, "edits"], edits) };
  });
}

function legalEntries(source: YamlSource, contract: RuleBook): readonly LegalEntry[] {
  const { entries } = source.value as LegalFile;
  const seen = new Set<string>();
  return entries.map(({ edits, apart = [], ...entry }, index) => {
    const at: YamlPath = ["entries", index];
    checkEntry(source, at, entry, seen);
    for (const [position, rule] of (entry.untried ?? []).entries())
      checkRule(source, [...at, "untried", position], rule, contract);
    for (const [point, readings] of Object.entries(entry.choices)) {
      checkChoice(source, [...at, "choices", point], point, readings, contract);
    }
    const place = { file: source.file, line: source.position(at).line };
    const id = `legal/${entry.id}`;
    const apartIds = apart.map((slug) => `legal/${slug}`);
    return { ...entry, id, apart: apartIds, place, edits: placedEdits(source, [...at, "edits"], edits) };
  });
}

/** The id of a property. */
function knownProperty(source: YamlSource, at: YamlPath, name: string): string {
  const property = SEARCHES.properties.find((known) => known.name === name);
  if (property !== undefined) return propertyId(property);
  const names = SEARCHES.properties.map((known) => known.name);
  throw source.error([...at, "property"], `unknown property "${name}"${suggestion(name, names)}`);
}
