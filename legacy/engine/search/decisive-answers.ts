import { formatOutcome, type Outcome } from "../outcome.ts";
import type { Recorded } from "./checked-scene.ts";
import { allows, instant, type Model, type Moment, merge } from "./model.ts";

/** What it takes to go through a recorded sequence anew, without a service. */
export interface Retelling {
  /** A model of the service that was started then. */
  readonly newModel: (started: Moment) => Model;
  /** The error code in the body of an answer. */
  readonly codeOf: (body: Fields) => unknown;
  /** The body of an error answer, as far as a model reads it. */
  readonly bodyOf: (code: string) => Fields;
}

type Fields = Readonly<Record<string, unknown>>;

/** What a model makes of one request. */
interface Told {
  /** The answers that are allowed, each with one code. */
  readonly allowed: ReadonlySet<string>;
  /** Whether the answer that came has something wrong in it that only the state shows. */
  readonly wrong: boolean;
}

/** Where more answers than this are left to the service, nobody finds out which of them matter. */
const MOST_WEIGHED = 12;

/**
 * The answers of a failed sequence that the contract leaves to the service, and on which hangs what it allows
 * afterwards: had the service given another that it may, something would be allowed later that is not so now.
 * The last answer, which is wrong, is none of them.
 */
export function decisiveAnswers(recorded: readonly Recorded[], retelling: Retelling): ReadonlySet<Recorded> {
  const asItWas = tell(recorded, new Map(), retelling);
  const matters = (...others: readonly (readonly [Recorded, Outcome])[]) => {
    const otherwise = tell(recorded, new Map(others), retelling);
    return asItWas.some((told, place) => !covers(told, otherwise[place]));
  };
  const open = recorded.slice(0, -1).flatMap((one) => {
    const others = othersOf(one, retelling);
    return others.length === 0 ? [] : [{ one, others }];
  });
  // Who leans on all of them is wrong about none.
  if (open.length > MOST_WEIGHED) return new Set(open.map(({ one }) => one));
  const alone = open.filter(({ one, others }) => others.some((other) => matters([one, other])));
  const decisive = new Set(alone.map(({ one }) => one));
  const rest = open.filter(({ one }) => !decisive.has(one));
  for (const [place, first] of rest.entries()) {
    for (const second of rest.slice(place + 1)) {
      const together = first.others.some((one) =>
        second.others.some((other) => matters([first.one, one], [second.one, other])),
      );
      if (together) decisive.add(first.one).add(second.one);
    }
  }
  return decisive;
}

/** Goes through the sequence again, some of its answers replaced, for as long as the model can follow. */
function tell(
  recorded: readonly Recorded[],
  others: ReadonlyMap<Recorded, Outcome>,
  { newModel, codeOf, bodyOf }: Retelling,
): readonly Told[] {
  const [first] = recorded;
  if (first === undefined) return [];
  const model = newModel(instant(first.life.startedMs));
  let life = 1;
  const told: Told[] = [];
  for (const one of recorded) {
    for (; life < one.life.number; life++) model.restart(instant(one.life.startedMs));
    const { expected, learn } = model.predict(one.exchange.request, instant(one.exchange.sentAt));
    const allowed = new Set(expected.outcomes.flatMap(singly).map(formatOutcome));
    const other = others.get(one);
    const [code] = other?.codes ?? [];
    const answer =
      other === undefined
        ? one.exchange
        : { status: other.status, body: code === undefined ? {} : bodyOf(code) };
    const isAllowed = allows(expected, answer.status, codeOf(answer.body));
    const { mismatches, lost } = learn(answer);
    told.push({ allowed, wrong: isAllowed && mismatches.length > 0 });
    if (lost) break;
  }
  return told;
}

/** Whether what is allowed otherwise is allowed as it was, too; where nobody can tell, it is not. */
function covers(asItWas: Told, otherwise: Told | undefined): boolean {
  if (otherwise === undefined) return false;
  const more = [...otherwise.allowed].some((answer) => !asItWas.allowed.has(answer));
  return !more && (otherwise.wrong || !asItWas.wrong);
}

/** The answers that the service might have given instead, each with one code. */
function othersOf({ expected, exchange }: Recorded, { codeOf }: Retelling): readonly Outcome[] {
  const { status, body } = exchange;
  return merge(expected.outcomes)
    .flatMap(singly)
    .filter((answer) => {
      const same =
        answer.status === status && (answer.codes.length === 0 || answer.codes[0] === codeOf(body));
      return !same;
    });
}

function singly({ status, codes }: Outcome): readonly Outcome[] {
  return codes.length === 0 ? [{ status, codes }] : codes.map((code) => ({ status, codes: [code] }));
}
