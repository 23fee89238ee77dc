import type { Contract } from "../contract/contract.ts";
import type { Bank } from "./entry.ts";
import { loadBank } from "./load-bank.ts";

/** For every rule that a broken service of the bank breaks, the ids of those services, its own ones first. */
export function sabotageIndex(contract: Contract): ReadonlyMap<string, readonly string[]> {
  return indexOf(loadBank(contract).broken);
}

function indexOf(broken: Bank["broken"]): ReadonlyMap<string, readonly string[]> {
  const index = new Map<string, string[]>();
  const add = (rule: string, id: string) => index.set(rule, [...(index.get(rule) ?? []), id]);
  for (const { id, breaks } of broken) if (breaks[0] !== undefined) add(breaks[0], id);
  for (const { id, breaks } of broken) for (const rule of breaks.slice(1)) add(rule, id);
  return index;
}

/** Required rules that a test can show, and that no broken service of the bank has for its own. */
export function rulesWithoutEntry(contract: Contract, { broken }: Pick<Bank, "broken">): readonly string[] {
  const own = new Set(broken.map(({ breaks }) => breaks[0]));
  return [...contract.rules.values()]
    .filter(({ id, level, observable }) => level === "required" && observable && !own.has(id))
    .map(({ id }) => id);
}
