import { lackedBy, namingIn } from "../engine/run/accepts-untried.ts";
import { isUntried, type RuleReport } from "../engine/run/verdict.ts";
import { CAPABILITIES, ROOM } from "../engine/vectors/need.ts";
import type { GatedReport } from "../policies/gated-report.ts";

/** The required rules that were not tried, of which nothing accepts that: what makes a run undecided. */
export function untriedRules({ rules, results, allowedUntried }: GatedReport): readonly RuleReport[] {
  const known = new Set(results.filter((result) => result.known !== undefined).map(({ id }) => id));
  return rules.filter(
    (rule) =>
      isUntried(rule) &&
      !allowedUntried.includes(rule.id) &&
      !rule.results.some((result) => known.has(result)),
  );
}

/**
 * The option that would accept what a run left untried, in its shortest form: capabilities first, then rules that no
 * capability explains. What was accepted already stands in it, too.
 * @returns undefined where nothing was left, or where it is not to be accepted: something broke, so that what was not
 *   tried is unknown; only a part or a selection was run; or the service had no room, which the user can give it
 */
export function allowUntriedOption(report: GatedReport): string | undefined {
  const untried = untriedRules(report);
  const { results, totals, accepted = [], selection, shard, stopped } = report;
  const isPart = selection !== undefined || shard !== undefined || stopped;
  if (untried.length === 0 || totals.error > 0 || isPart) return undefined;
  const naming = namingIn(results);
  const names = new Set(accepted);
  for (const rule of untried) {
    const lacked = lackedBy(naming(rule));
    if (lacked?.includes(ROOM)) return undefined;
    const isOfCapabilities = lacked?.every((name) => CAPABILITIES.includes(name));
    for (const name of (isOfCapabilities ? lacked : undefined) ?? [rule.id]) names.add(name);
  }
  const rank = (name: string) =>
    CAPABILITIES.includes(name) ? CAPABILITIES.indexOf(name) : CAPABILITIES.length;
  return ["--allow-untried", ...[...names].sort((one, other) => rank(one) - rank(other))].join(" ");
}
