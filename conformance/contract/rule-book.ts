import { loadRuleBook, type RuleBook } from "../engine/rule-book.ts";
import { PATHS } from "../paths.ts";

let loaded: RuleBook | undefined;

/** The rules of the contract and what it leaves open, read once. @throws {DataError} for a fault in the files */
export function ruleBook(): RuleBook {
  loaded ??= loadRuleBook(PATHS.contract);
  return loaded;
}
