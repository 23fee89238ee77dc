import type { RuleBook } from "../../engine/rule-book.ts";
import type { JudgedClients } from "./judge-client-bank.ts";

/** Rules that no broken client breaks without another one, with the reason. */
const NEVER_ALONE: ReadonlyMap<string, string> = new Map([]);

/** For each required rule the broken clients that it alone catches. */
export function soleKillers(
  { broken, brokenOutcomes }: Pick<JudgedClients, "broken" | "brokenOutcomes">,
  contract: RuleBook,
): { readonly text: string; readonly lacking: readonly string[] } {
  const rules = [...contract.rules.values()]
    .filter(({ level, observable }) => level === "required" && observable)
    .map(({ id }) => id);
  const alone = new Map(
    rules.map((rule) => [
      rule,
      broken.filter(({ id }) => {
        const { allBroken = [] } = brokenOutcomes.get(id) ?? {};
        return allBroken.length === 1 && allBroken[0] === rule;
      }),
    ]),
  );
  const width = Math.max(...rules.map((id) => id.length));
  const idle = rules.filter((rule) => alone.get(rule)?.length === 0);
  const needless = idle.filter((rule) => !NEVER_ALONE.has(rule));
  const excused = idle.filter((rule) => NEVER_ALONE.has(rule));
  const stale = [...NEVER_ALONE.keys()].filter((rule) => !idle.includes(rule));
  return {
    text: [
      "How many broken clients each rule catches that no other rule does:",
      ...rules.map((rule) => `${rule.padEnd(width)}  ${String(alone.get(rule)?.length ?? 0).padStart(3)}`),
      ...excused.map((rule) => `${rule}: none; ${NEVER_ALONE.get(rule)}`),
    ].join("\n"),
    lacking: [
      ...needless.map((rule) => `${rule} catches no broken client that nothing else does`),
      ...stale.map((rule) => `${rule} catches clients that nothing else does, and is excused for it`),
    ],
  };
}
