import { join } from "node:path";
import { PREPARED } from "../engine/data/prepared.ts";
import {
  loadRuleBook,
  type PackedRuleBook,
  RULE_BOOK_FILES,
  type RuleBook,
  unpackRuleBook,
} from "../engine/rule-book.ts";
import { PATHS } from "../paths.ts";

/** As what the build prepares the rule book. */
export const PREPARED_RULE_BOOK = "rule-book";

/** The files that it is made of. */
export const RULE_BOOK_PATHS: readonly string[] = RULE_BOOK_FILES.map((name) => join(PATHS.contract, name));

let loaded: RuleBook | undefined;

/** The rules of the contract and what it leaves open, read once. @throws {DataError} for a fault in the files */
export function ruleBook(): RuleBook {
  if (loaded === undefined) {
    const packed = PREPARED.value(PREPARED_RULE_BOOK, RULE_BOOK_PATHS) as PackedRuleBook | undefined;
    loaded = packed === undefined ? loadRuleBook(PATHS.contract) : unpackRuleBook(packed);
  }
  return loaded;
}
