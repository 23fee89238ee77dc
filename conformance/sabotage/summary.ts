import type { Contract } from "../contract/contract.ts";
import { complaintsAboutBroken, complaintsAboutCombination, complaintsAboutLegal } from "./complaints.ts";
import type { JudgedBank } from "./judge-bank.ts";

/** What to print about a judged bank, and whether all is well with it. */
export interface Summary {
  readonly text: string;
  readonly good: boolean;
}

interface Verdict {
  readonly id: string;
  readonly title: string;
  readonly complaints: readonly string[];
}

/**
 * The matrix of rules by broken services, what is wrong, and the three numbers.
 * @param uncovered required rules without a broken service of their own
 */
export function summaryOf(judged: JudgedBank, contract: Contract, uncovered: readonly string[]): Summary {
  const { brokenOutcomes, legalOutcomes } = judged;
  const broken = judged.broken.map(
    (entry): Verdict => ({
      ...entry,
      complaints: complaintsAboutBroken(entry, brokenOutcomes.get(entry.id)),
    }),
  );
  const legal = judged.legal.map(
    (entry): Verdict => ({ ...entry, complaints: complaintsAboutLegal(entry, legalOutcomes.get(entry.id)) }),
  );
  const combinations = judged.combinations.map(({ id, entries }): Verdict => {
    const title = entries.map((entry) => entry.id).join(", ");
    return { id, title, complaints: complaintsAboutCombination(legalOutcomes.get(id)) };
  });
  const wrong = [...broken, ...legal, ...combinations].filter(({ complaints }) => complaints.length > 0);
  const paragraphs = [
    matrix(judged, contract),
    soleCatchers(judged),
    ...wrong.map(({ id, title, complaints }) => [`${id}: ${title}`, ...complaints].join("\n  ")),
    uncovered.length === 0 ? "" : `No broken service of its own: ${uncovered.join(", ")}`,
    [
      `broken: ${score(broken)} caught by the right rule`,
      `legal: ${score(legal)} conform`,
      `combinations: ${score(combinations)} conform`,
    ].join("; "),
  ];
  return {
    text: paragraphs.filter((paragraph) => paragraph !== "").join("\n\n"),
    good: wrong.length === 0 && uncovered.length === 0,
  };
}

function score(verdicts: readonly Verdict[]): string {
  return `${verdicts.filter(({ complaints }) => complaints.length === 0).length}/${verdicts.length}`;
}

/** One line for each rule: the services that break it, each with how many vectors saw it. */
function matrix({ broken, brokenOutcomes }: JudgedBank, contract: Contract): string {
  const width = Math.max(...[...contract.rules.keys()].map((id) => id.length));
  const lines = [...contract.rules.keys()].flatMap((rule) => {
    const cells = broken
      .filter(({ breaks }) => breaks.includes(rule))
      .map(({ id }) => `${id} (${brokenOutcomes.get(id)?.caughtBy[rule]?.length ?? 0})`);
    return cells.length === 0 ? [] : [`${rule.padEnd(width)}  ${cells.join("  ")}`];
  });
  return lines.join("\n");
}

/** The suites that no other can stand in for: each with how many services would survive without it. */
function soleCatchers({ broken, brokenOutcomes }: JudgedBank): string {
  const counts = new Map<string, number>();
  for (const { id, breaks } of broken) {
    const { caughtBy } = brokenOutcomes.get(id) ?? { caughtBy: {} as Record<string, readonly string[]> };
    const suites = breaks.map(
      (rule) => new Set((caughtBy[rule] ?? []).map((vector) => vector.split("/")[0] ?? "")),
    );
    const sole = new Set(suites.filter(({ size }) => size === 1).flatMap((names) => [...names]));
    for (const suite of sole) counts.set(suite, (counts.get(suite) ?? 0) + 1);
  }
  if (counts.size === 0) return "";
  const listed = [...counts]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([suite, count]) => `${suite} (${count})`);
  return `Suites that alone catch a service: ${listed.join(", ")}`;
}
