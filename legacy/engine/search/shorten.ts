import { minimise } from "./minimise.ts";
import type { SequenceRun } from "./play-sequence.ts";

/** A list that breaks a rule, and how it is made shorter. */
export interface Shortening<Item> {
  /** Plays a list: `quickly` where it only matters which rule it breaks. */
  readonly play: (items: readonly Item[], look: "closely" | "quickly") => Promise<SequenceRun>;
  /** Simpler forms of an item, the simplest first. */
  readonly simpler: (item: Item) => readonly Item[];
}

/** A shorter list, looked at closely. */
export interface Shortened<Item> {
  readonly items: readonly Item[];
  readonly run: SequenceRun;
}

/**
 * The shortest list that breaks the rule which the whole breaks. Where what is wrong in it hangs on how the service
 * answers what the contract leaves to it, one as short is sought in which nothing does, be it of another rule.
 * @returns undefined where the whole breaks no rule
 */
export async function shorten<Item>(
  items: readonly Item[],
  { play, simpler }: Shortening<Item>,
): Promise<Shortened<Item> | undefined> {
  const rule = brokenRule(await play(items, "quickly"));
  if (rule === undefined) return undefined;
  const breaks = async (tried: readonly Item[]) => brokenRule(await play(tried, "quickly")) === rule;
  const shortest = await minimise(items, breaks, simpler);
  const run = await play(shortest, "closely");
  if (run.decisive.size === 0) return { items: shortest, run };
  const strictly = async (tried: readonly Item[], anyRule: boolean) => {
    const broken = brokenRule(await play(tried, "quickly"));
    if (broken === undefined || (broken !== rule && !anyRule)) return undefined;
    const closely = await play(tried, "closely");
    return closely.decisive.size === 0 ? { items: tried, run: closely } : undefined;
  };
  for (const anyRule of [false, true]) {
    const isStrict = async (tried: readonly Item[]) => (await strictly(tried, anyRule)) !== undefined;
    const strict = await minimise(shortest, isStrict, simpler);
    const found = await strictly(strict, anyRule);
    if (found !== undefined) return found;
  }
  return { items: shortest, run };
}

function brokenRule({ violation }: SequenceRun): string | undefined {
  return violation?.rules[0];
}
