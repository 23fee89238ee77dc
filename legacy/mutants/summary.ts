/** What to print about a judged mutant suite, and whether it promises what it should. */
import type { RuleBook } from "../engine/rule-book.ts";
import { type MutantOutcome, unexpectedChoices, type VariantOutcome } from "./judge.ts";
import type { JudgedSuite } from "./judge-suite.ts";
import type { ConformingVariant, Mutant } from "./suite.ts";
import type { UniqueKillers } from "./traceability.ts";

export interface Summary {
  readonly text: string;
  readonly good: boolean;
}

/** Facts about a suite as a whole; absent where only a part of it was judged. */
export interface Coverage {
  /** Required rules without a mutant of their own. */
  readonly uncovered: readonly string[];
  readonly killers?: UniqueKillers;
}

interface Complained {
  readonly id: string;
  readonly title: string;
  readonly complaints: readonly string[];
}

/** The matrix of rules by mutants, what each check alone catches, what is wrong, and the numbers. */
export function summaryOf(judged: JudgedSuite, contract: RuleBook, coverage: Coverage | undefined): Summary {
  const { side, mutantOutcomes, variantOutcomes } = judged;
  const broken = judged.broken.map((mutant) => ({
    ...mutant,
    complaints: mutantComplaints(mutant, mutantOutcomes.get(mutant.id)),
  }));
  const legal = judged.legal.map((variant) => ({
    ...variant,
    complaints: variantComplaints(variantOutcomes.get(variant.id), variant),
  }));
  const combinations = judged.combinations.map(({ id, entries }) => ({
    id,
    title: entries.map((entry) => entry.id).join(", "),
    complaints: variantComplaints(variantOutcomes.get(id)),
  }));
  const wrong = [...broken, ...legal, ...combinations].filter(({ complaints }) => complaints.length > 0);
  const lacking = coverage === undefined ? [] : lackingIn(coverage);
  const first = firstFailures(judged);
  const paragraphs = [
    matrix(judged, contract),
    coverage?.killers === undefined ? "" : killersText(coverage.killers),
    ...wrong.map(({ id, title, complaints }) => [`${id}: ${title}`, ...cut(complaints)].join("\n  ")),
    ...lacking,
    judged.broken.length === 0 ? "" : first.text,
    [
      `${score(broken)} mutants of ${side} caught by the right rule`,
      `${score(legal)} conforming variants accepted${side === "services" ? ` (plus ${score(combinations)} combinations)` : ""}`,
    ].join("; "),
  ];
  return {
    text: paragraphs.filter((paragraph) => paragraph !== "").join("\n\n"),
    // Of a few entries chosen by hand any share may begin otherwise.
    good: wrong.length === 0 && lacking.length === 0 && (coverage === undefined || first.good),
  };
}

/** Lists what is wrong with the outcome of a mutant: nothing where each of its rules was seen to fail. */
export function mutantComplaints(mutant: Mutant, outcome: MutantOutcome | undefined): readonly string[] {
  if (outcome === undefined) return ["was not judged"];
  if (outcome.fault !== undefined) return [`broke down: ${outcome.fault}`];
  const { allBroken = [], caughtBy } = outcome;
  const survived = mutant.breaks.filter((rule) => (caughtBy[rule] ?? []).length === 0);
  const late = survived.filter((rule) => allBroken.includes(rule));
  const never = survived.filter((rule) => !allBroken.includes(rule));
  const others = allBroken.filter((rule) => !mutant.breaks.includes(rule)).join(", ");
  const notOwn = allBroken.filter((rule) => rule !== mutant.breaks[0]);
  return [
    ...needlessProperty(mutant, outcome),
    ...late.map((rule) => `${rule} fails only in vectors that do not name it`),
    ...never.map(
      (rule) => `survives ${rule}; ${others === "" ? "nothing else failed" : `instead failed ${others}`}`,
    ),
    ...(mutant.alone && notOwn.length > 0 ? [`is not alone: ${notOwn.join(", ")} failed, too`] : []),
  ];
}

/** A mutant that names a property shows what no vector sees: where one does, it says nothing about the property. */
function needlessProperty({ property }: Mutant, { caughtBy }: MutantOutcome): readonly string[] {
  const vectors = Object.values(caughtBy).flatMap((checks) => checks.filter((check) => check !== property));
  return property === undefined || vectors.length === 0
    ? []
    : [`needs no ${property}: ${vectors[0]} sees it`];
}

/**
 * Lists what is wrong with the outcome of a conforming variant: nothing where it conforms, and chooses as it says.
 * @param variant absent for a combination, in which one choice may hide another
 */
function variantComplaints(
  outcome: VariantOutcome | undefined,
  variant?: ConformingVariant,
): readonly string[] {
  if (outcome === undefined) return ["was not judged"];
  if (!outcome.conforms) return outcome.complaints;
  return variant === undefined ? [] : unexpectedChoices(variant, outcome.choices);
}

/** Reports on at least this share of the mutants must begin with a rule that they break. */
const LEAST_SHARE = 0.95;

/** How often the first failure that is shown of a mutant is of a rule that it names, and of which it is not. */
export function firstFailures({
  side,
  broken,
  mutantOutcomes,
}: Pick<JudgedSuite, "side" | "broken" | "mutantOutcomes">): Summary {
  const misled = broken.flatMap(({ id, breaks }) => {
    const first = mutantOutcomes.get(id)?.first;
    if (first !== undefined && breaks.includes(first.rule)) return [];
    const shown =
      first === undefined
        ? "nothing"
        : `${first.rule} by ${first.id}: expected ${first.expected}, got ${first.got}`;
    return [`  ${id}, which breaks ${breaks.join(", ")} and begins with ${shown}`];
  });
  const right = broken.length - misled.length;
  const share = broken.length === 0 ? 1 : right / broken.length;
  const percent = (Math.floor(share * 1000) / 10).toFixed(1);
  const others = misled.length === 0 ? "" : "; not for";
  return {
    text: [
      `the report begins with a rule of the mutant for ${right} of ${broken.length} ${side} (${percent} %, and at least ${LEAST_SHARE * 100} % must)${others}`,
      ...misled,
    ].join("\n"),
    good: share >= LEAST_SHARE,
  };
}

/** Number of complaints shown about one program: one fault can fail every vector. */
const MOST_COMPLAINTS = 20;

function cut(complaints: readonly string[]): readonly string[] {
  const rest = complaints.length - MOST_COMPLAINTS;
  return rest > 0 ? [...complaints.slice(0, MOST_COMPLAINTS), `… and ${rest} more`] : complaints;
}

function score(judged: readonly Complained[]): string {
  return `${judged.filter(({ complaints }) => complaints.length === 0).length} of ${judged.length}`;
}

function lackingIn({ uncovered, killers }: Coverage): readonly string[] {
  const needless = killers?.needless ?? [];
  return [
    ...(uncovered.length === 0 ? [] : [`No mutant of its own: ${uncovered.join(", ")}`]),
    ...(needless.length === 0
      ? []
      : [`Could be deleted unnoticed: ${needless.join(", ")}; each needs a mutant that it alone catches`]),
  ];
}

/** One line for each rule: the mutants that break it, each with how many vectors saw it or the property that did. */
function matrix({ broken, mutantOutcomes }: JudgedSuite, contract: RuleBook): string {
  const width = Math.max(...[...contract.rules.keys()].map((id) => id.length));
  const lines = [...contract.rules.keys()].flatMap((rule) => {
    const cells = broken
      .filter(({ breaks }) => breaks.includes(rule))
      .map(({ id, property }) => {
        const count = mutantOutcomes.get(id)?.caughtBy[rule]?.length ?? 0;
        return `${id} (${property === undefined || count === 0 ? count : property})`;
      });
    return cells.length === 0 ? [] : [`${rule.padEnd(width)}  ${cells.join("  ")}`];
  });
  return lines.length === 0
    ? ""
    : ["Rules, the mutants that break each, and how many vectors see that:", ...lines].join("\n");
}

/** Number of mutants named that only one check catches. */
const MOST_NAMED = 3;

function killersText({ services, excused }: UniqueKillers): string {
  const width = Math.max(...[...services.keys()].map((check) => check.length));
  const caught = [...services].filter(([, ids]) => ids.length > 0);
  return [
    "How many mutants each suite and property catches that nothing else does:",
    ...caught.map(([check, ids]) => {
      const more = ids.length > MOST_NAMED ? ["…"] : [];
      const named = [...ids.slice(0, MOST_NAMED), ...more].join("  ");
      return `${check.padEnd(width)}  ${String(ids.length).padStart(3)}  ${named}`;
    }),
    ...[...excused].map(([check, reason]) => `${check}: none; ${reason}`),
  ].join("\n");
}
