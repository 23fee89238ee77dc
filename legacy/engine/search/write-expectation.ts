import { formatOutcome, type Outcome } from "../outcome.ts";
import type { OpenPoint, RuleBook } from "../rule-book.ts";
import { allows, type Expected, merge } from "./model.ts";

/**
 * Writes what the model allows as the `expect` of a vector's step.
 * @param anyError open points with many readings, for sets that lean on no single point
 * @param goesOn the one of several answers with which alone the vector goes on
 * @returns undefined where only success is allowed, which a step without `expect` says
 */
export function writeExpectation(
  expected: Expected,
  contract: RuleBook,
  anyError: readonly string[],
  goesOn?: Outcome,
): unknown {
  const written = writeAllowed(expected, contract, anyError);
  const [code] = goesOn?.codes ?? [];
  if (goesOn === undefined || answersOf(expected) < 2 || !allows(expected, goesOn.status, code))
    return written;
  const form = typeof written === "object" ? written : { is: written };
  return { ...form, "ends-unless": writeOutcome(goesOn) };
}

/** How many answers the model allows, each with one code. */
function answersOf({ outcomes }: Expected): number {
  return merge(outcomes).reduce((sum, { codes }) => sum + Math.max(1, codes.length), 0);
}

function writeAllowed(
  { outcomes, points }: Expected,
  contract: RuleBook,
  anyError: readonly string[],
): object | string | undefined {
  const sorted = merge(outcomes).map(({ status, codes }) => ({ status, codes: [...codes] }));
  const [only] = sorted;
  if (sorted.length === 1 && only !== undefined) return only.status === 200 ? undefined : formatOutcome(only);
  const known = [...points, ...anyError].map((id) => contract.points.get(id));
  // A point whose readings name these very answers tells a reader more than one that has room for them.
  const point =
    known.find(
      (found) => holds(found, sorted.length) && sorted.every((outcome) => isShown(found, outcome)),
    ) ?? known.find((found) => holds(found, sorted.length));
  if (point === undefined)
    return formatOutcome(sorted.find(({ status }) => status !== 200) ?? { status: 200, codes: [] });
  return { any: assign(point, sorted), open: point.id };
}

function isShown(point: OpenPoint | undefined, outcome: Outcome): boolean {
  return point?.readings.some((reading) => overlaps(reading.outcome, outcome)) === true;
}

function holds(point: OpenPoint | undefined, count: number): point is OpenPoint {
  return point?.observable === true && point.readings.length >= count;
}

/** Gives every outcome a reading: the one that it shows, or one that is left over. */
function assign(point: OpenPoint, outcomes: readonly Outcome[]): Readonly<Record<string, string | number>> {
  const free = new Set(point.readings.map(({ id }) => id));
  const any: Record<string, string | number> = {};
  const waiting: Outcome[] = [];
  const give = (reading: string, outcome: Outcome) => {
    free.delete(reading);
    any[reading] = writeOutcome(outcome);
  };
  for (const outcome of outcomes) {
    const shown = point.readings.find(
      (reading) => free.has(reading.id) && overlaps(reading.outcome, outcome),
    );
    if (shown === undefined) waiting.push(outcome);
    else give(shown.id, outcome);
  }
  for (const outcome of waiting) give([...free][0] ?? "", outcome);
  return any;
}

function writeOutcome(outcome: Outcome): string | number {
  return outcome.codes.length === 0 ? outcome.status : formatOutcome(outcome);
}

function overlaps(reading: Outcome | undefined, { status, codes }: Outcome): boolean {
  if (reading?.status !== status) return false;
  return codes.length === 0 || reading.codes.some((code) => codes.includes(code));
}
