import type { Contract } from "../contract.ts";
import type { Outcome } from "../outcome.ts";
import { mentions } from "../vectors/template.ts";
import type { ClockStart, Fields, Step, Template, TogetherStep } from "../vectors/vector.ts";
import type { Recorded } from "./checked-scene.ts";
import type { SequenceRun } from "./play-sequence.ts";
import type { VectorWriting } from "./sequence-contract.ts";
import { writeExpectation } from "./write-expectation.ts";
import { type Answers, type Written, writeRounds, writeTally } from "./write-group.ts";
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
 * contract allows there, given what came before. Where that hangs on an answer that the contract leaves to the service,
 * the vector goes on with that answer alone.
 */
export function writeVector(
  { name, steps, clock, run }: FailedSequence,
  contract: Contract,
  writing: VectorWriting,
): string {
  const { violation, recorded } = run;
  const rules = violation?.rules ?? [];
  const wrong = violation?.at.step;
  const last = topStep(wrong ?? "") ?? steps.length;
  const answers = new Map(recorded.map((entry) => [entry.at.step, entry]));
  const played = steps.slice(0, last);
  const same = violation === undefined ? undefined : originalOf(run, answers, writing);
  const compare = comparison(run, played, answers, writing);
  const looked = new Set([
    ...namesUsed(played.filter(({ kind }) => kind !== "advance")),
    ...(same === undefined ? [] : [played[same - 1]?.as ?? ""]),
    ...mentions(compare as Template).map(({ name: mentioned }) => mentioned),
  ]);
  const used = new Set([...namesUsed(played), ...looked]);
  // What is looked for in an answer may be in none but this one of those that are allowed.
  const alone = played.flatMap((step, index) => (looked.has(step.as ?? "") ? [`${index + 1}`] : []));
  if (wrong !== undefined && (violation?.body !== undefined || same !== undefined)) alone.push(wrong);
  const leaning = new Set([...run.decisive, ...alone.map((step) => answers.get(step))]);
  const expectationOf = (answer: Recorded | undefined) => {
    if (answer === undefined) return undefined;
    const only = leaning.has(answer) ? outcomeOf(answer, contract) : undefined;
    return writeExpectation(answer.expected, contract, writing.anyErrorPoints, only);
  };
  const entries = played.flatMap((step, index): readonly Entry[] => {
    const number = index + 1;
    if (step.kind === "together") return [togetherOf(step, used, writeTally(step, number, answers))];
    const written: readonly Written[] =
      step.kind === "repeat"
        ? writeRounds(step, number, answers, wrong, writing.roomPoints)
        : [{ step, number: `${number}` }];
    return written.map((one, place) => {
      const expect = expectationOf(answers.get(one.number ?? ""));
      if (number !== last || place < written.length - 1) return entryOf(one.step, used, expect);
      // Spelt out, so that the failure is this rule's and not that of the operation in general.
      const form = withBody(expect ?? 200, violation?.body);
      if (same === undefined) return entryOf(one.step, used, form);
      return entryOf(one.step, used, { ...longForm(form), "same-as": `$${played[same - 1]?.as}` });
    });
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

/** An expectation that says of the answer's members, too, what they must be. */
function withBody(expect: unknown, body: Fields | undefined): unknown {
  return body === undefined ? expect : { ...longForm(expect), body };
}

function longForm(expect: unknown): object {
  return typeof expect === "object" && expect !== null ? expect : { is: expect };
}

function outcomeOf({ exchange: { status = 0, body } }: Recorded, { operations }: Contract): Outcome {
  const code = operations.codeOf(body);
  return { status, codes: status < 400 || typeof code !== "string" ? [] : [code] };
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
  if (step.kind !== "operation") return { restart: true };
  return { [step.verb]: step.fields, ...named, ...(expect === undefined ? {} : { expect }) };
}

function togetherOf({ steps }: TogetherStep, used: ReadonlySet<string>, tally: unknown): Entry {
  return { together: { steps: steps.map((inner) => entryOf(inner, used, undefined)), tally } };
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
  answers: Answers,
  { asksAgain }: VectorWriting,
): number | undefined {
  if (violation?.repeats === undefined) return undefined;
  const { request } = violation.exchange;
  const candidates = ownAnswers(answers).filter(
    ([, { exchange }]) =>
      exchange !== violation.exchange && exchange.status === 200 && asksAgain(request, exchange.request),
  );
  return candidates.at(-1)?.[0];
}

/** What no expectation of a single answer says: that two answers differ. */
function comparison(
  { violation }: SequenceRun,
  steps: readonly Step[],
  answers: Answers,
  { distinctMembers }: VectorWriting,
): readonly Entry[] {
  const path = violation?.rules.map((rule) => distinctMembers[rule]).find((member) => member !== undefined);
  if (violation === undefined || path === undefined) return [];
  const value = violation.exchange.body[path];
  const [before, after] = ownAnswers(answers)
    .filter(([, { exchange }]) => exchange.body[path] === value)
    .map(([step]) => steps[step - 1]?.as);
  if (before === undefined || after === undefined) return [];
  return [{ compare: { value: `$${before}.${path}`, "differs-from": `$${after}.${path}` } }];
}

/** The answers of steps that stand by themselves, in no round and no group, with the steps' numbers. */
function ownAnswers(answers: Answers): readonly (readonly [number: number, answer: Recorded])[] {
  return [...answers].flatMap(([step, answer]) => (/^\d+$/.test(step) ? [[Number(step), answer]] : []));
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
