import { formatOutcome, type Outcome } from "../outcome.ts";
import type { RepeatStep, Step, TogetherStep } from "../vectors/vector.ts";
import type { Recorded } from "./checked-scene.ts";
import { merge } from "./model.ts";

const SUCCESS: Outcome = { status: 200, codes: [] };

/** What was sent in a sequence, by the steps' own numbers: `3`, or `3[2].1` for the first of the second round. */
export type Answers = ReadonlyMap<string, Recorded>;

/** A step as it is to be written, and the number of its answer where it has one of its own. */
export interface Written {
  readonly step: Step;
  readonly number?: string;
}

/**
 * The rounds of a `repeat` as a vector can say them: what is repeated must succeed, so the rounds before the first
 * that might be refused stay together, and what comes after them stands one by one, up to the answer that was wrong.
 * @param number the step's own
 * @param roomPoints open points whose refusals are set aside wherever a vector gets them
 */
export function writeRounds(
  step: RepeatStep,
  number: number,
  answers: Answers,
  wrong: string | undefined,
  roomPoints: readonly string[],
): readonly Written[] {
  const rounds = Array.from({ length: Number(step.times) }, (_, round) =>
    step.steps.map((inner, place) => ({ step: inner, number: `${number}[${round + 1}].${place + 1}` })),
  );
  const wrongRound = rounds.findIndex((round) => round.some((one) => one.number === wrong));
  if (wrongRound === -1 && rounds.flat().every((one) => mustSucceed(answers, one, roomPoints)))
    return [{ step }];
  const refused = rounds.findIndex((round) => round.some((one) => !mustSucceed(answers, one, roomPoints)));
  const together = Math.min(...[refused, wrongRound].filter((round) => round !== -1));
  const single = rounds.slice(together).flat();
  const end = wrongRound === -1 ? single.length : single.findIndex((one) => one.number === wrong) + 1;
  return [
    ...(together === 0 ? [] : [{ step: { ...step, times: together } }]),
    ...single.slice(0, end).filter((one) => answers.has(one.number)),
  ];
}

/** Whether it had to succeed, or did where nothing but room was left open; what was not sent says nothing else. */
function mustSucceed(answers: Answers, { number = "" }: Written, roomPoints: readonly string[]): boolean {
  const { expected, exchange } = answers.get(number) ?? {};
  if (expected === undefined || expected.outcomes.every(({ status }) => status === 200)) return true;
  const { points } = expected;
  const onlyRoom = points.length > 0 && points.every((point) => roomPoints.includes(point));
  return exchange?.status === 200 && onlyRoom;
}

type Tally = Readonly<Record<string, number>>;

/** How often each outcome is to occur in requests in flight together; a list where there are several ways. */
export function writeTally(
  { steps }: TogetherStep,
  number: number,
  answers: Answers,
): Tally | readonly Tally[] {
  let tallies: readonly Tally[] = [{}];
  for (const place of steps.keys()) {
    const outcomes = merge(answers.get(`${number}[1].${place + 1}`)?.expected.outcomes ?? [SUCCESS]);
    const longer = tallies.flatMap((tally) => outcomes.map((outcome) => withOneMore(tally, outcome)));
    tallies = [...new Map(longer.map((tally) => [JSON.stringify(tally), tally])).values()];
  }
  const [only = {}, ...more] = tallies;
  return more.length === 0 ? only : tallies;
}

/** Its outcomes stay in one order, so that equal tallies read alike. */
function withOneMore(tally: Tally, outcome: Outcome): Tally {
  const said = formatOutcome(outcome);
  const entries = Object.entries({ ...tally, [said]: (tally[said] ?? 0) + 1 });
  return Object.fromEntries(entries.sort(([one], [other]) => (one < other ? -1 : 1)));
}
