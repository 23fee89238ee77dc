import type { Exchange } from "../../engine/play/exchange.ts";
import { isAnswered, OUTCOMES } from "../operations.ts";

/** What a recording does not tell, and what could not be judged for that. */
export interface UnknownPart {
  readonly what: string;
  readonly rules: readonly string[];
  readonly exchanges: number;
}

/** Why something of an exchange was not judged. */
const KINDS = {
  noAnswer: { what: "no answer of the service was recorded", rules: [] },
  bodyLost: {
    what: "the body of the request or of the answer was not recorded whole, or not as it was",
    rules: [],
  },
  noCredentials: {
    what: "the recording holds no Authorization header at all, as browsers export it, or no Idempotency-Key",
    rules: ["AUTH-4", "AUTH-5", "LAUNCH-6", "SESSION-5", "SESSION-7"],
  },
  oddCredentials: {
    what: "the Authorization header was no plain bearer, or there were several keys",
    rules: ["AUTH-4"],
  },
  challenge: {
    what: "nobody saw when the challenge was issued, and for whom",
    rules: ["CHALLENGE-21", "VERIFY-8", "VERIFY-9", "VERIFY-10", "VERIFY-12"],
  },
  session: {
    what: "nobody saw when the session was opened, and for whom",
    rules: ["AUTH-5", "LAUNCH-6", "SESSION-7"],
  },
  sameBearer: {
    what: "a later session of the same creator, which nobody saw opened, may have the same bearer",
    rules: ["SESSION-6", "SESSION-7", "SESSION-8", "SESSION-10"],
  },
  refused: {
    what: "the refusal may be for what nobody saw: a restart, a used key, a spent minute, a full store",
    rules: ["CHALLENGE-20", "SESSION-5", "SESSION-6", "IDEMPOTENCY-5", "LIMIT-5", "LIMIT-7", "LIMIT-11"],
  },
  counted: {
    what: "builds may have been made that nobody saw, or be retries of such",
    rules: ["LIMIT-6", "LIMIT-12", "IDEMPOTENCY-14"],
  },
  hosts: { what: "nobody stated the metadata hosts (--metadata-hosts A B)", rules: ["LAUNCH-30"] },
  operator: { what: "nobody stated the operator's key (--facts FILE)", rules: ["LAUNCH-13"] },
  proof: {
    what: "the signature is masked, and nothing says whether it held",
    rules: ["VERIFY-8", "VERIFY-10"],
  },
  beside: { what: "the contract says nothing of the route, or HEAD or OPTIONS was asked", rules: [] },
  together: { what: "too many overlapped to find out in which order they were served", rules: [] },
  late: { what: "it stood in the recording long after those that began later", rules: [] },
} as const;
export type UnknownKind = keyof typeof KINDS;

/** Counts what could not be judged, and why. */
export class Unknowns {
  readonly #counts = new Map<UnknownKind, number>();

  count(kind: UnknownKind, exchanges = 1): void {
    this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + exchanges);
  }

  told(): readonly UnknownPart[] {
    return Object.entries(KINDS).flatMap(([kind, { what, rules }]) => {
      const exchanges = this.#counts.get(kind as UnknownKind);
      return exchanges === undefined ? [] : [{ what, rules, exchanges }];
    });
  }
}

/** Refusals that hang on what came before. */
const OF_HISTORY = [
  OUTCOMES.full,
  OUTCOMES.limited,
  OUTCOMES.conflict,
  OUTCOMES.rebuild,
  OUTCOMES.unauthorized,
  OUTCOMES.spentChallenge,
];

/** Whether an answer refuses for what came before. */
export function refusesForHistory(exchange: Exchange): boolean {
  return OF_HISTORY.some((outcome) => isAnswered(outcome, exchange));
}
