import type { RuleBook } from "../engine/rule-book.ts";
import { byRule } from "./breaks.ts";
import type { Bank } from "./entry.ts";
import { loadBank } from "./load-bank.ts";

/** For every rule that a broken service of the bank breaks, the ids of those services, its own ones first. */
export function mutantsByRule(contract: RuleBook): ReadonlyMap<string, readonly string[]> {
  return byRule(loadBank(contract).broken);
}

/** Required rules that a test can show, and that no broken service of the bank has for its own. */
export function rulesWithoutEntry(contract: RuleBook, { broken }: Pick<Bank, "broken">): readonly string[] {
  const own = new Set(broken.map(({ breaks }) => breaks[0]));
  return [...contract.rules.values()]
    .filter(({ id, level, observable }) => level === "required" && observable && !own.has(id))
    .map(({ id }) => id);
}
