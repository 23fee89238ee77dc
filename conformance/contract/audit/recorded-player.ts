import type { Facts } from "../../adapters/adapter.ts";
import { AnyOf, type Contradiction, type Player } from "../../engine/audit/partition.ts";
import { formatOutcomes } from "../../engine/outcome.ts";
import type { Timekeeping } from "../../engine/play/timekeeping.ts";
import { allows, type Model, type Prediction, type WrongMember } from "../../engine/search/model.ts";
import { isFrameworkAnswer } from "../judge/envelope.ts";
import { addressKind, usualKind } from "../model/address.ts";
import { recordedModel } from "../model/model.ts";
import type { ModelContext, ServiceInstance } from "../model/state.ts";
import { codeOf, LIFETIME_MS, MINUTE_MS } from "../operations.ts";
import type { Proofs } from "../traffic/proofs.ts";
import type { RecordingClock } from "./recording-clock.ts";
import type { Seen, SeenExchange } from "./seen.ts";
import type { BearerHabit } from "./service-habits.ts";

/** A clock that is off by no more than a grace period; a draft may live longer. */
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

/** Timekeeping in whole seconds, and in milliseconds. */
export const IN_SECONDS = keptWithin(999);
const IN_MILLISECONDS = keptWithin(0);

/** What players need to know of the service besides its exchanges. */
interface ServiceSeen {
  readonly facts: Facts;
  readonly clock: RecordingClock;
  /** How far the clocks of those who recorded may be apart. */
  readonly clockDoubtMs: number;
  readonly proofs: Proofs;
  readonly bearerHabit: BearerHabit;
  /** The platform profile, once it was seen. */
  readonly profile: () => ServiceInstance["profile"];
}

/** Makes the players that follow a recorded service. */
export class RecordedPlayers {
  readonly #service: ServiceSeen;

  constructor(service: ServiceSeen) {
    this.#service = service;
  }

  /** Judges an exchange that depends on no history. */
  contradiction(seen: SeenExchange): Contradiction | undefined {
    return this.#new(IN_SECONDS, false).play(seen);
  }

  /**
   * Makes a player of one partition. Only on the service's own clock is a moment exact to the millisecond: there time may be
   * kept in two ways.
   * @param whole whether it will see every request about its creator
   */
  newPlayer(whole: boolean): Player<Seen> {
    const bySeconds = this.#new(IN_SECONDS, whole);
    if (!whole || !this.#service.clock.isServices) return bySeconds;
    return new AnyOf([this.#new(IN_MILLISECONDS, whole), bySeconds]);
  }

  #new(timekeeping: Timekeeping, whole: boolean): RecordedPlayer {
    return new RecordedPlayer(this.#service, timekeeping, whole);
  }
}

/** Over HTTP a server may answer in the service's place. */
const OVER_HTTP = { overHttp: true };

/** The contract's model, following the recorded exchanges of one creator. */
class RecordedPlayer implements Player<Seen> {
  readonly #model: Model;
  readonly #proofs: Proofs;
  /** How much of the service's capacity other creators may have used. */
  readonly #room: { altogether?: number; asksOfAll?: number; asksOfOne?: number } = {};
  #draftAgeMs = 0;

  /** @param whole whether it sees every request about its creator */
  constructor(service: ServiceSeen, timekeeping: Timekeeping, whole: boolean) {
    const { facts, clock, clockDoubtMs, proofs, bearerHabit } = service;
    const context: ModelContext = {
      facts: { ...facts, capacity: {} },
      doubt: {
        timekeeping,
        // Exchanges with and without a reading of the service's clock may be mixed.
        get toleranceMs() {
          return clock.isServices ? 0 : clockDoubtMs + 1;
        },
      },
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
    this.#model = recordedModel(context, clock.started, service.profile());
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
    // Few keys are odd, and few responses depend on whether one is.
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
