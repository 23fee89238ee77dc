import type { Exchange } from "../../engine/play/exchange.ts";
import type { Mismatch } from "../../engine/play/judgement.ts";
import type { Expected } from "./expected.ts";

/** What the model says of one request before it is answered. */
export interface Prediction {
  readonly expected: Expected;
  /**
   * Takes in an answer that is one of those expected.
   * @returns what is wrong with it beyond status and code, and whether the model still knows the service's state
   */
  learn(answer: Pick<Exchange, "status" | "body">): Learnt;
}

export interface Learnt {
  readonly mismatches: readonly Mismatch[];
  readonly lost: boolean;
}

/** Nothing is wrong, and the state is known. */
export const FINE: Learnt = { mismatches: [], lost: false };

/** Nothing is wrong, but nobody can tell what the service understood. */
export const LOST: Learnt = { mismatches: [], lost: true };
