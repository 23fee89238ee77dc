import { join } from "node:path";
import { CLIENT_RULE_BOOK_PATHS, clientRuleBook } from "../../contract/client/client-rule-book.ts";
import { PREPARED } from "../../engine/data/prepared.ts";
import type { YamlPath } from "../../engine/data/yaml-places.ts";
import type { YamlSource } from "../../engine/data/yaml-source.ts";
import type { RuleBook } from "../../engine/rule-book.ts";
import { PATHS } from "../../paths.ts";
import { bankFiles, checkChoice, checkEntry, checkRule, placedEdits, readBankFiles } from "../bank-files.ts";
import type { Edit } from "../entry.ts";
import { unpackBank } from "../packed-bank.ts";
import type { BrokenClient, ClientBank, LegalClient } from "./client-entry.ts";

const path = (name: string) => join(PATHS.bank, "clients", name);

type Written<Entry> = Omit<Entry, "edits" | "place"> & { readonly edits: readonly Edit[] };

/** The folders of its files; beside each lies the schema of what is in it. */
const FOLDERS = ["broken", "legal"] as const;

/** The bank by the contract that it was held against: read once for each. */
const banks = new WeakMap<RuleBook, ClientBank>();

/**
 * The bank of wrong and of unlike clients.
 * @throws {DataError} with file:line:column for a file that breaks its schema, an unknown rule, point or reading, a rule
 *   that no test can show, or a duplicate id
 */
export function loadClientBank(contract: RuleBook): ClientBank {
  const bank = banks.get(contract) ?? preparedBank(contract) ?? readBank(contract);
  banks.set(contract, bank);
  return bank;
}

/** As what the build prepares the bank. */
export const PREPARED_CLIENT_BANK = "client-bank";

/** The files that it is made of: its own, and those of the rules. */
export function clientBankSources(): readonly string[] {
  const own = FOLDERS.flatMap((folder) => [path(`${folder}.schema.json`), ...bankFiles(path(folder))]);
  return [...own, ...CLIENT_RULE_BOOK_PATHS];
}

/** The bank that was prepared for the kit's own rules. */
function preparedBank({ rules }: RuleBook): ClientBank | undefined {
  if (rules !== clientRuleBook().rules) return undefined;
  const packed = PREPARED.value(PREPARED_CLIENT_BANK, clientBankSources) as ClientBank | undefined;
  return packed === undefined ? undefined : unpackBank(packed, PATHS.bank);
}

function readBank(contract: RuleBook): ClientBank {
  return {
    broken: readBankFiles(path("broken")).flatMap((source) => {
      const { area, entries } = source.value as { area: string; entries: readonly Written<BrokenClient>[] };
      return entriesOf(source, entries, area, (entry, at) => {
        for (const [position, rule] of entry.breaks.entries())
          checkRule(source, [...at, "breaks", position], rule, contract);
      });
    }),
    legal: readBankFiles(path("legal")).flatMap((source) => {
      const { entries } = source.value as { entries: readonly Written<LegalClient>[] };
      return entriesOf(source, entries, "legal", (entry, at) => {
        for (const [point, readings] of Object.entries(entry.choices))
          checkChoice(source, [...at, "choices", point], point, readings, contract);
      });
    }),
  };
}

function entriesOf<
  Entry extends { readonly id: string; readonly title: string; readonly edits: readonly Edit[] },
>(source: YamlSource, entries: readonly Entry[], area: string, check: (entry: Entry, at: YamlPath) => void) {
  const seen = new Set<string>();
  return entries.map((entry, index) => {
    const at: YamlPath = ["entries", index];
    checkEntry(source, at, entry, seen);
    check(entry, at);
    return {
      ...entry,
      id: `${area}/${entry.id}`,
      place: { file: source.file, line: source.position(at).line },
      edits: placedEdits(source, [...at, "edits"], entry.edits),
    };
  });
}
