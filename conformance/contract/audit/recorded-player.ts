import type { Facts } from "../../adapters/adapter.ts";
import type { Contradiction, Player } from "../../engine/audit/lane.ts";
import { formatOutcomes } from "../../engine/outcome.ts";
import type { Timekeeping } from "../../engine/play/timekeeping.ts";
import {
  allows,
  type Model,
  type Moment,
  type Prediction,
  type WrongMember,
} from "../../engine/search/model.ts";
import { isFrameworkAnswer } from "../judge/framework-answer.ts";
import { addressKind, usualKind } from "../model/address.ts";
import { recordedModel } from "../model/model.ts";
import type { ClockDoubt } from "../model/moment.ts";
import type { ModelContext, ServiceInstance } from "../model/state.ts";
import { codeOf, LIFETIME_MS, MINUTE_MS } from "../operations.ts";
import type { Proofs } from "../traffic/proofs.ts";
import type { BearerHabit } from "./bearer-habit.ts";
import type { Seen, SeenExchange } from "./seen.ts";

/** A clock that is late and early by no more than this; a draft may live on. */
function keptWithin(graceMs: number): Timekeeping {
  const grace = { earlyMs: graceMs, lateMs: graceMs };
  const kept = { ...grace, markMs: MINUTE_MS, stepMs: graceMs + 1, advice: [] };
  return {
    lives: [
      { ...kept, operation: "challenge", lifetimeMs: LIFETIME_MS.challenge },
      { ...kept, operation: "verify", lifetimeMs: LIFETIME_MS.session },
      { ...kept, operation: "build", lifetimeMs: LIFETIME_MS.draft, lateMs: Number.POSITIVE_INFINITY },
    ],
    others: grace,
  };
}

/** Services keep time in whole seconds, or in milliseconds. */
export const IN_SECONDS = keptWithin(999);
export const IN_MILLISECONDS = keptWithin(0);

/** What a player must know of the service besides what it is shown. */
interface PlayerContext {
  readonly facts: Facts;
  readonly doubt: ClockDoubt;
  readonly proofs: Proofs;
  readonly profile: ServiceInstance["profile"];
  readonly bearerHabit: BearerHabit;
  /** When the instance of the service began. */
  readonly started: Moment;
}

/** Over HTTP a server may answer in the service's place. */
const OVER_HTTP = { overHttp: true };

/** The contract's model, shown what was recorded of one creator. */
export class RecordedPlayer implements Player<Seen> {
  readonly #model: Model;
  readonly #proofs: Proofs;
  /** What others than this creator may have made of the service's room. */
  readonly #room: { altogether?: number; asksOfAll?: number; asksOfOne?: number } = {};
  #draftAgeMs = 0;

  /** @param whole whether it is shown all that the service was asked about its creator */
  constructor({ facts, doubt, proofs, profile, started, bearerHabit }: PlayerContext, whole: boolean) {
    const context: ModelContext = {
      facts: { ...facts, capacity: {} },
      doubt,
      room: this.#room,
      recorded: true,
      bearerHabit,
      inPart: !whole,
      proofHolds: proofs.holds,
      get kindOf() {
        return proofs.isClose ? addressKind : usualKind;
      },
      ...(whole ? {} : { draftAgeMs: () => this.#draftAgeMs }),
    };
    this.#model = recordedModel(context, started, profile);
    this.#proofs = proofs;
  }

  play(seen: Seen): Contradiction | undefined {
    if (seen.kind === "restart") {
      this.#model.restart(seen.moment);
      return undefined;
    }
    const { exchange, moment } = seen;
    this.#proofs.next(seen.told);
    this.#draftAgeMs = seen.draftAgeMs;
    this.#setRoom(seen);
    const code = codeOf(exchange.body);
    const isAllowed = ({ expected }: Prediction) =>
      allows(expected, exchange.status, code) || isFrameworkAnswer(exchange, OVER_HTTP);
    // Few keys are odd ones, and whether one is decides on few answers.
    this.#proofs.isClose = false;
    let prediction = this.#model.predict(exchange.request, moment);
    if (!isAllowed(prediction)) {
      this.#proofs.isClose = true;
      prediction = this.#model.predict(exchange.request, moment);
    }
    const { expected, learn } = prediction;
    if (!isAllowed(prediction)) {
      const wanted = formatOutcomes(expected.usual);
      const got = shownOutcome(exchange.status, code);
      return {
        rules: expected.rulesFor(exchange.status, code),
        expected: wanted,
        got,
        differences: [{ path: "status", expected: wanted, got }],
      };
    }
    if (exchange.operation === "verify" && exchange.status === 200) this.#proofs.taken();
    const { mismatches } = learn(exchange);
    return mismatches.length === 0 ? undefined : wrongMembers(mismatches);
  }

  #setRoom({ room: { crowded, manyAsked } }: SeenExchange): void {
    const room = this.#room;
    if (crowded) room.altogether = 0;
    else delete room.altogether;
    if (manyAsked) {
      room.asksOfAll = 0;
      room.asksOfOne = 0;
    } else {
      delete room.asksOfAll;
      delete room.asksOfOne;
    }
  }
}

function shownOutcome(status: number | undefined, code: unknown): string {
  return typeof code === "string" ? `${status ?? "no status"} ${code}` : String(status ?? "no status");
}

/** The members that are wrong, all of one rule. */
function wrongMembers(mismatches: readonly WrongMember[]): Contradiction {
  const rule = mismatches[0]?.rule ?? "";
  const differences = mismatches
    .filter((mismatch) => mismatch.rule === rule)
    .map(({ path, expected, got }) => ({ path, expected, got }));
  return {
    rules: [rule],
    expected: differences.map(({ path, expected }) => `${path}: ${expected}`).join("; "),
    got: differences.map(({ path, got }) => `${path}: ${got}`).join("; "),
    differences,
  };
}
