import { join } from "node:path";
import { PREPARED } from "../../engine/data/prepared.ts";
import { loadRuleBook, type PackedRuleBook, type RuleBook, unpackRuleBook } from "../../engine/rule-book.ts";
import { PATHS } from "../../paths.ts";

/** As what the build prepares the clients' rule book. */
export const PREPARED_CLIENT_RULE_BOOK = "client-rule-book";

/** The files that it is made of. */
export const CLIENT_RULE_BOOK_PATHS: readonly string[] = [
  join(PATHS.clientContract, "rules.yaml"),
  join(PATHS.clientContract, "open-points.yaml"),
  join(PATHS.contract, "rules.schema.json"),
  join(PATHS.contract, "open-points.schema.json"),
];

let loaded: RuleBook | undefined;

/** What the contract asks of clients and what it leaves to them, read once. @throws {DataError} for a fault in the files */
export function clientRuleBook(): RuleBook {
  if (loaded === undefined) {
    const packed = PREPARED.value(PREPARED_CLIENT_RULE_BOOK, CLIENT_RULE_BOOK_PATHS);
    loaded =
      packed === undefined
        ? loadRuleBook(PATHS.clientContract, PATHS.contract)
        : unpackRuleBook(packed as PackedRuleBook);
  }
  return loaded;
}
