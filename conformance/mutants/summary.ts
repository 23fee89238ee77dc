import type { RuleBook } from "../engine/rule-book.ts";
import { complaintsAboutBroken, complaintsAboutCombination, complaintsAboutLegal } from "./complaints.ts";
import { firstShown } from "./first-shown.ts";
import type { JudgedBank } from "./judge-bank.ts";
import type { UniqueKillers } from "./unique-killers.ts";

/** What to print about a judged bank, and whether all is well with it. */
export interface Summary {
  readonly text: string;
  readonly good: boolean;
}

/** What is known of the bank as a whole; absent where only a part of it was judged. */
export interface Coverage {
  /** Required rules without a broken service of their own. */
  readonly uncovered: readonly string[];
  readonly killers: UniqueKillers;
}

interface Verdict {
  readonly id: string;
  readonly title: string;
  readonly complaints: readonly string[];
}

/** The matrix of rules by broken services, what each check alone catches, what is wrong, and the numbers. */
export function summaryOf(judged: JudgedBank, contract: RuleBook, coverage: Coverage | undefined): Summary {
  const { broken, legal, combinations } = verdictsOf(judged);
  const wrong = [...broken, ...legal, ...combinations].filter(({ complaints }) => complaints.length > 0);
  const lacking = coverage === undefined ? [] : lackingIn(coverage);
  const shown = firstShown(judged);
  const paragraphs = [
    matrix(judged, contract),
    coverage === undefined ? "" : killersText(coverage.killers),
    ...wrong.map(({ id, title, complaints }) => [`${id}: ${title}`, ...shortened(complaints)].join("\n  ")),
    ...lacking,
    judged.broken.length === 0 ? "" : shown.text,
    [
      `${score(broken)} broken services caught by the right rule`,
      `${score(legal)} legal services conform (plus ${score(combinations)} combinations)`,
    ].join("; "),
  ];
  return {
    text: paragraphs.filter((paragraph) => paragraph !== "").join("\n\n"),
    // Of a few entries chosen by hand any share may begin otherwise.
    good: wrong.length === 0 && lacking.length === 0 && (coverage === undefined || shown.good),
  };
}

/** Of many complaints about one service, this many are told: one fault can fail every vector. */
const MOST_COMPLAINTS = 20;

function shortened(complaints: readonly string[]): readonly string[] {
  const rest = complaints.length - MOST_COMPLAINTS;
  return rest > 0 ? [...complaints.slice(0, MOST_COMPLAINTS), `… and ${rest} more`] : complaints;
}

function verdictsOf(judged: JudgedBank): Readonly<Record<"broken" | "legal" | "combinations", Verdict[]>> {
  const { brokenOutcomes, legalOutcomes } = judged;
  return {
    broken: judged.broken.map((entry) => ({
      ...entry,
      complaints: complaintsAboutBroken(entry, brokenOutcomes.get(entry.id)),
    })),
    legal: judged.legal.map((entry) => ({
      ...entry,
      complaints: complaintsAboutLegal(entry, legalOutcomes.get(entry.id)),
    })),
    combinations: judged.combinations.map(({ id, entries }) => ({
      id,
      title: entries.map((entry) => entry.id).join(", "),
      complaints: complaintsAboutCombination(legalOutcomes.get(id)),
    })),
  };
}

function score(verdicts: readonly Verdict[]): string {
  return `${verdicts.filter(({ complaints }) => complaints.length === 0).length} of ${verdicts.length}`;
}

function lackingIn({ uncovered, killers }: Coverage): readonly string[] {
  return [
    ...(uncovered.length === 0 ? [] : [`No broken service of its own: ${uncovered.join(", ")}`]),
    ...(killers.needless.length === 0
      ? []
      : [
          `Could be deleted unnoticed: ${killers.needless.join(", ")}; each needs a broken service that it alone catches`,
        ]),
  ];
}

/** One line for each rule: the services that break it, each with how many vectors saw it or the property that did. */
function matrix({ broken, brokenOutcomes }: JudgedBank, contract: RuleBook): string {
  const width = Math.max(...[...contract.rules.keys()].map((id) => id.length));
  const lines = [...contract.rules.keys()].flatMap((rule) => {
    const cells = broken
      .filter(({ breaks }) => breaks.includes(rule))
      .map(({ id, property }) => {
        const count = brokenOutcomes.get(id)?.caughtBy[rule]?.length ?? 0;
        return `${id} (${property === undefined || count === 0 ? count : property})`;
      });
    return cells.length === 0 ? [] : [`${rule.padEnd(width)}  ${cells.join("  ")}`];
  });
  return lines.length === 0
    ? ""
    : ["Rules, the services that break each, and how many vectors see that:", ...lines].join("\n");
}

/** Of many services that only one check catches, this many are named. */
const MOST_NAMED = 3;

function killersText({ services, excused }: UniqueKillers): string {
  const width = Math.max(...[...services.keys()].map((check) => check.length));
  const caught = [...services].filter(([, ids]) => ids.length > 0);
  return [
    "How many services each suite and property catches that nothing else does:",
    ...caught.map(([check, ids]) => {
      const more = ids.length > MOST_NAMED ? ["…"] : [];
      const named = [...ids.slice(0, MOST_NAMED), ...more].join("  ");
      return `${check.padEnd(width)}  ${String(ids.length).padStart(3)}  ${named}`;
    }),
    ...[...excused].map(([check, reason]) => `${check}: none; ${reason}`),
  ].join("\n");
}
