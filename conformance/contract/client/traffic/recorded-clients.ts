import type { Facts, ServiceRequest } from "../../../adapters/adapter.ts";
import type { Recorded } from "../../../engine/audit/recorded.ts";
import { ToldHeaders } from "../../audit/unknowns.ts";
import { holdsRemoved, isRemoved } from "../../traffic/secret-masks.ts";
import { ClientDuties, type NeglectedDuty } from "./client-duties.ts";
import { type ClientTraffic, ClientTrafficCount } from "./client-traffic-results.ts";
import { seenTurn } from "./seen-turn.ts";

/** Most undecided duties that are kept. */
const MOST_BARE = 1_000;

interface RecordedClientsOptions {
  readonly signedBytes: Facts["signedBytes"] | undefined;
  readonly clockDoubtMs: number;
  readonly isWhole: boolean;
}

/** Judges clients by their recorded traffic. */
export class RecordedClients {
  readonly #duties: ClientDuties;
  readonly #count = new ClientTrafficCount();
  readonly #isWhole: boolean;
  readonly #toldHeaders: ToldHeaders;
  /** Duties of builds that lack a header: one that no request of a recording has was not recorded. */
  readonly #bare: NeglectedDuty[] = [];

  /**
   * @param options.signedBytes what is signed, where that is stated
   * @param options.clockDoubtMs how far the clocks of those who recorded may be apart
   * @param options.isWhole whether every request is as it was sent: no header is missing, and no secret was taken out
   */
  constructor({ signedBytes, clockDoubtMs, isWhole }: RecordedClientsOptions) {
    this.#duties = new ClientDuties(signedBytes, clockDoubtMs);
    this.#isWhole = isWhole;
    this.#toldHeaders = new ToldHeaders(isWhole);
  }

  /** Takes an item that began no earlier than those before it; returns the duties that were surely neglected. */
  take(recorded: Recorded): readonly NeglectedDuty[] {
    if (recorded.kind === "restart") {
      this.#duties.restarted();
      return [];
    }
    this.#toldHeaders.note(recorded);
    if (recorded.requestLost || (!this.#isWhole && isCleaned(recorded.request))) {
      this.#count.addUnread();
      return [];
    }
    const turn = seenTurn(recorded);
    const duties = this.#duties.take(turn);
    const sure = duties.filter((duty) => !this.#mayLack(duty));
    this.#count.add(turn, sure);
    if (this.#bare.length < MOST_BARE) this.#bare.push(...duties.filter((duty) => !sure.includes(duty)));
    return sure;
  }

  #mayLack(duty: NeglectedDuty): boolean {
    return this.#toldHeaders.mayLack(duty.turn.source.file, lackedBy(duty));
  }

  /** Ends the traffic, and returns its result. */
  told(): ClientTraffic {
    const missed = this.#bare.splice(0).filter((duty) => !this.#mayLack(duty));
    this.#count.addNeglected(missed);
    return this.#count.told();
  }
}

/** Whether a part of a request was removed from the recording. */
function isCleaned({ body, bearer, authorization, idempotencyKey }: ServiceRequest): boolean {
  return holdsRemoved(body) || [bearer, authorization, idempotencyKey].some(isRemoved);
}

function lackedBy({ violation: { rule }, turn }: NeglectedDuty) {
  const has = (wanted: string) => turn.request.headers.some(([name]) => name === wanted);
  return {
    caller: rule === "CLIENT-SESSION-1" && !has("authorization"),
    key: rule === "CLIENT-BUILD-3" && !has("idempotency-key"),
  };
}
