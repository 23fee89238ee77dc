import type { ServiceRequest } from "../../adapters/adapter.ts";
import type { WorldHost } from "../contract.ts";
import { matchesOutcome, type Outcome } from "../outcome.ts";
import type { Exchange } from "../play/exchange.ts";
import type { Mismatch } from "../play/judgement.ts";
import type { Template } from "../vectors/vector.ts";

/** When something took place on the service's clock, in ms: a span, since on a real clock nobody outside knows better. */
export interface Moment {
  readonly earliest: number;
  readonly latest: number;
}

/** An instant that is known to the millisecond. */
export function instant(ms: number): Moment {
  return { earliest: ms, latest: ms };
}

/** An executable reading of a contract: for any request, the answers that the contract allows. It follows one service. */
export interface Model {
  /** What the contract allows as the answer to a request that is sent at `now`. */
  predict(request: ServiceRequest, now: Moment): Prediction;
  /** A new instance of the service, with empty state. */
  restart(now: Moment): void;
}

/** Makes the model of a service that was just started. */
export type NewModel = (
  host: Pick<WorldHost, "info" | "timekeeping" | "clockToleranceMs" | "room">,
  now: Moment,
) => Model;

/** The answers that the contract allows to one request in one state. */
export interface Expected {
  readonly outcomes: readonly Outcome[];
  /** Those of the outcomes that are found without weighing what else might be answered: most answers are one of them. */
  readonly usual: readonly Outcome[];
  /** Open points that the set leans on, the one that matters most first. */
  readonly points: readonly string[];
  /** The rules that an answer outside the set breaks. */
  readonly rulesFor: (status: number | undefined, code: unknown) => readonly string[];
}

/** What the model says of one request before it is answered. */
export interface Prediction {
  readonly expected: Expected;
  /**
   * Takes in an answer that is one of those expected.
   * @returns what is wrong with it beyond status and code, and whether the model still knows the service's state
   */
  learn(answer: Pick<Exchange, "status" | "body" | "aside">): Learnt;
}

/** A member of an answer that is not what the state makes it. */
export interface WrongMember extends Mismatch {
  /** What it must be, where that can be said by value. */
  readonly value?: Template;
  /** Whether it must be as it was in the answer that the request asks for again. */
  readonly repeats?: true;
}

export interface Learnt {
  readonly mismatches: readonly WrongMember[];
  /** Whether nobody can tell any more what the service understood. */
  readonly lost: boolean;
}

/** Nothing is wrong, and the state is known. */
export const FINE: Learnt = { mismatches: [], lost: false };

/** Nothing is wrong, but nobody can tell what the service understood. */
export const LOST: Learnt = { mismatches: [], lost: true };

/** Whether an answer is one of those allowed. */
export function allows(expected: Expected, status: unknown, code: unknown): boolean {
  return anyMatches(expected.usual, status, code) || anyMatches(expected.outcomes, status, code);
}

function anyMatches(outcomes: readonly Outcome[], status: unknown, code: unknown): boolean {
  return outcomes.some((outcome) => matchesOutcome(outcome, status, code));
}

/** The same, all of it weighed: for whoever looks at it when the model has learnt more. */
export function weighed({ outcomes, points, usual, rulesFor }: Expected): Expected {
  return { outcomes, points, usual, rulesFor };
}

/** One outcome for each status. */
export function merge(outcomes: readonly Outcome[]): readonly Outcome[] {
  if (outcomes.length < 2) return outcomes;
  const codes = new Map<number, Set<string>>();
  for (const outcome of outcomes) {
    const known = codes.get(outcome.status) ?? new Set();
    for (const code of outcome.codes) known.add(code);
    codes.set(outcome.status, known);
  }
  return [...codes].map(([status, found]) => ({ status, codes: [...found] }));
}
