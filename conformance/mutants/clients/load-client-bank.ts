import { join } from "node:path";
import type { YamlPath } from "../../engine/data/yaml-places.ts";
import type { YamlSource } from "../../engine/data/yaml-source.ts";
import type { RuleBook } from "../../engine/rule-book.ts";
import { PATHS } from "../../paths.ts";
import { checkChoice, checkEntry, checkRule, placedEdits, readBankFiles } from "../bank-files.ts";
import type { Edit } from "../entry.ts";
import type { BrokenClient, ClientBank, LegalClient } from "./client-entry.ts";

const path = (name: string) => join(PATHS.bank, "clients", name);

type Written<Entry> = Omit<Entry, "edits" | "place"> & { readonly edits: readonly Edit[] };

/**
 * The bank of wrong and of unlike clients.
 * @throws {DataError} with file:line:column for a file that breaks its schema, an unknown rule, point or reading, a rule
 *   that no test can show, or a duplicate id
 */
export function loadClientBank(contract: RuleBook): ClientBank {
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
