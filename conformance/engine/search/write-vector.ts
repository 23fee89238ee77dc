import { formatOutcome } from "../outcome.ts";
import type { RuleBook } from "../rule-book.ts";
import { mentions } from "../vectors/template.ts";
import type { ClockStart, Fields, Step, Tally, Template } from "../vectors/vector.ts";
import type { Recorded } from "./checked-scene.ts";
import { merge } from "./model.ts";
import type { SequenceRun } from "./play-sequence.ts";
import type { VectorWriting } from "./sequence-contract.ts";
import { writeExpectation } from "./write-expectation.ts";
import { writeSuite } from "./write-suite.ts";

/** A sequence that failed, and how. */
export interface FailedSequence {
  /** Name of the property: the vector's id. */
  readonly name: string;
  readonly steps: readonly Step[];
  readonly clock: ClockStart;
  readonly run: SequenceRun;
}

type Entry = Readonly<Record<string, unknown>>;

/**
 * Writes a failed sequence as a suite of one vector, which fails again at the same step: each step with what the
 * contract allows there, given what came before.
 */
export function writeVector(
  { name, steps, clock, run }: FailedSequence,
  contract: RuleBook,
  writing: VectorWriting,
): string {
  const { violation, recorded } = run;
  const rules = violation?.rules ?? [];
  const last = topStep(violation?.at.step ?? "") ?? steps.length;
  const answers = new Map(
    recorded.filter(({ at }) => /^\d+$/.test(at.step)).map((entry) => [Number(entry.at.step), entry]),
  );
  const played = steps.slice(0, last);
  const same = violation === undefined ? undefined : originalOf(run, answers, writing);
  const compare = comparison(run, played, answers, writing);
  const used = namesUsed(played);
  if (same !== undefined) used.add(played[same - 1]?.as ?? "");
  for (const { name: mentioned } of mentions(compare as Template)) used.add(mentioned);
  const entries = played.flatMap((step, index): readonly Entry[] => {
    if (step.kind === "repeat") {
      const rounds = spelledRounds(step, index + 1, run, (expected) =>
        writeExpectation(expected, contract, writing.anyErrorPoints),
      );
      if (rounds !== undefined) return rounds.map(([inner, expect]) => entryOf(inner, used, expect));
    }
    if (step.kind === "together") {
      const tallies = [allowedTally(step, index + 1, run)];
      return [entryOf({ ...step, tallies }, used, undefined)];
    }
    const answer = answers.get(index + 1);
    const expect =
      answer === undefined ? undefined : writeExpectation(answer.expected, contract, writing.anyErrorPoints);
    const repeats =
      index + 1 === last && same !== undefined
        ? { is: 200, "same-as": `$${played[same - 1]?.as}` }
        : undefined;
    // Spelt out, so that the failure is this rule's and not that of the operation in general.
    const spelt = index + 1 === last ? withBody(expect ?? 200, violation?.body) : expect;
    return [entryOf(step, used, repeats ?? spelt)];
  });
  const vector = {
    id: name,
    title: `the service keeps ${rules[0] ?? "the contract"} in a sequence that was found by search`,
    rules,
    ...(clock === "between-seconds" ? {} : { clock }),
    steps: compressed([...entries, ...compare]),
  };
  return writeSuite("found", [vector]);
}

/**
 * The rounds of a `repeat` one by one, up to the answer that was wrong, each with what the contract allows there.
 * @returns undefined where each of them may succeed, which the repeat itself says
 */
function spelledRounds(
  { times, steps }: Extract<Step, { kind: "repeat" }>,
  number: number,
  { recorded, violation }: SequenceRun,
  write: (expected: Recorded["expected"]) => unknown,
): readonly (readonly [step: Step, expect: unknown])[] | undefined {
  const rounds: (readonly [Step, unknown])[] = [];
  let refused = false;
  for (let round = 1; round <= Number(times); round++) {
    for (const [place, step] of steps.entries()) {
      const answer = recorded.find(({ at }) => at.step === `${number}[${round}].${place + 1}`);
      if (answer === undefined) continue;
      const expect = write(answer.expected);
      refused ||= answer.expected.outcomes.every(({ status }) => status !== 200);
      const isLast = answer.at.step === violation?.at.step;
      rounds.push([step, isLast ? withBody(expect ?? 200, violation?.body) : expect]);
    }
  }
  return refused ? rounds : undefined;
}

/** How requests in flight together are to be answered, each by what the contract allows it: success where it may succeed. */
function allowedTally(
  { steps }: Extract<Step, { kind: "together" }>,
  number: number,
  { recorded }: SequenceRun,
): Tally {
  const counts = new Map<string, Tally[number]>();
  for (const place of steps.keys()) {
    const answer = recorded.find(({ at }) => at.step === `${number}[1].${place + 1}`);
    const allowed = merge(answer?.expected.outcomes ?? []);
    const outcome = allowed.find(({ status }) => status === 200) ?? allowed[0] ?? { status: 200, codes: [] };
    const known = counts.get(formatOutcome(outcome));
    counts.set(formatOutcome(outcome), { outcome, count: (known?.count ?? 0) + 1 });
  }
  return [...counts.values()];
}

/** An expectation that says of the answer's members, too, what they must be. */
function withBody(expect: unknown, body: Fields | undefined): unknown {
  if (body === undefined) return expect;
  return typeof expect === "object" ? { ...expect, body } : { is: expect, body };
}

/** The step of the vector to which an exchange belongs; preparation belongs to the step that asked for it. */
function topStep(step: string): number | undefined {
  const number = /^(\d+)/.exec(step)?.[1];
  return number === undefined ? undefined : Number(number);
}

function entryOf(step: Step, used: ReadonlySet<string>, expect: unknown): Entry {
  const named = step.as !== undefined && used.has(step.as) ? { as: step.as } : {};
  if (step.kind === "advance") return { advance: step.advance };
  if (step.kind === "repeat")
    return {
      repeat: { times: step.times, steps: step.steps.map((inner) => entryOf(inner, used, undefined)) },
    };
  if (step.kind === "together")
    return {
      together: {
        steps: step.steps.map((inner) => entryOf(inner, used, undefined)),
        tally: talliesOf(step.tallies),
      },
    };
  if (step.kind !== "operation") return { restart: true };
  return { [step.verb]: step.fields, ...named, ...(expect === undefined ? {} : { expect }) };
}

function talliesOf(tallies: readonly Tally[]): Entry | readonly Entry[] {
  const counts = tallies.map((tally) =>
    Object.fromEntries(tally.map(({ outcome, count }) => [formatOutcome(outcome), count])),
  );
  const [only, ...others] = counts;
  return only !== undefined && others.length === 0 ? only : counts;
}

function namesUsed(steps: readonly Step[]): Set<string> {
  return new Set(
    steps.flatMap(templatesIn).flatMap((template) => mentions(template).map(({ name }) => name)),
  );
}

function templatesIn(step: Step): readonly Template[] {
  if (step.kind === "operation") return [step.fields];
  if (step.kind === "advance") return [step.advance];
  return "steps" in step ? step.steps.flatMap(templatesIn) : [];
}

/** The step whose answer a retry had to repeat, where that is what went wrong. */
function originalOf(
  { violation }: SequenceRun,
  answers: ReadonlyMap<number, Recorded>,
  { asksAgain }: VectorWriting,
): number | undefined {
  if (violation?.repeats === undefined) return undefined;
  const { request } = violation.exchange;
  const candidates = [...answers].filter(
    ([, { exchange }]) =>
      exchange !== violation.exchange && exchange.status === 200 && asksAgain(request, exchange.request),
  );
  return candidates.at(-1)?.[0];
}

/** What no expectation of a single answer says: that two answers differ. */
function comparison(
  { violation }: SequenceRun,
  steps: readonly Step[],
  answers: ReadonlyMap<number, Recorded>,
  { distinctMembers }: VectorWriting,
): readonly Entry[] {
  const path = violation?.rules.map((rule) => distinctMembers[rule]).find((member) => member !== undefined);
  if (violation === undefined || path === undefined) return [];
  const value = violation.exchange.body[path];
  const [before, after] = [...answers]
    .filter(([, { exchange }]) => exchange.body[path] === value)
    .map(([step]) => steps[step - 1]?.as);
  if (before === undefined || after === undefined) return [];
  return [{ compare: { value: `$${before}.${path}`, "differs-from": `$${after}.${path}` } }];
}

/** Runs of equal steps become one `repeat`. */
function compressed(entries: readonly Entry[]): readonly Entry[] {
  const runs: { entry: Entry; times: number }[] = [];
  for (const entry of entries) {
    const run = runs.at(-1);
    const equal =
      run !== undefined && entry["as"] === undefined && JSON.stringify(run.entry) === JSON.stringify(entry);
    if (equal) run.times += 1;
    else runs.push({ entry, times: 1 });
  }
  return runs.map(({ entry, times }) => (times === 1 ? entry : { repeat: { times, steps: [entry] } }));
}
