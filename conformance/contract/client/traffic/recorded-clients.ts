import type { Facts, ServiceRequest } from "../../../adapters/adapter.ts";
import type { Recorded } from "../../../engine/audit/recorded.ts";
import { ToldHeaders } from "../../audit/unknowns.ts";
import { holdsRemoved, isRemoved } from "../../traffic/secret-masks.ts";
import { ClientDuties, type NeglectedDuty } from "./client-duties.ts";
import { type ClientTraffic, ClientTrafficCount } from "./client-traffic-results.ts";
import { seenTurn } from "./seen-turn.ts";

/** Duties of which nobody knows yet whether they were neglected, at most. */
const MOST_BARE = 1_000;

/** Judges clients by what was recorded of them. */
export class RecordedClients {
  readonly #duties: ClientDuties;
  readonly #count = new ClientTrafficCount();
  readonly #toldHeaders = new ToldHeaders(false);
  /** Duties of builds that lack a header: what no request of a recording has was not recorded. */
  readonly #bare: NeglectedDuty[] = [];

  /**
   * @param signedBytes what is signed, where that is stated
   * @param clockDoubtMs how far the clocks of those who recorded may be apart
   */
  constructor(signedBytes: Facts["signedBytes"] | undefined, clockDoubtMs: number) {
    this.#duties = new ClientDuties(signedBytes, clockDoubtMs);
  }

  /** Takes in what began no earlier than what came before. */
  take(recorded: Recorded): void {
    if (recorded.kind === "restart") {
      this.#duties.restarted();
      return;
    }
    this.#toldHeaders.note(recorded);
    if (recorded.requestLost || isCleaned(recorded.request)) {
      this.#count.addUnread();
      return;
    }
    const turn = seenTurn(recorded);
    const [bare, sure] = parted(this.#duties.take(turn));
    this.#count.add(turn, sure);
    if (this.#bare.length < MOST_BARE) this.#bare.push(...bare);
  }

  /** What all came to, once there is no more. */
  told(): ClientTraffic {
    const missed = this.#bare.filter(
      (duty) => !this.#toldHeaders.mayLack(duty.turn.source.file, lackedBy(duty)),
    );
    this.#bare.length = 0;
    this.#count.addNeglected(missed);
    return this.#count.told();
  }
}

/** Whether something of a request was taken out of the recording. */
function isCleaned({ body, bearer, authorization, idempotencyKey }: ServiceRequest): boolean {
  return holdsRemoved(body) || [bearer, authorization, idempotencyKey].some(isRemoved);
}

/** Duties that hang on a header that is not there, and the others. */
function parted(
  duties: readonly NeglectedDuty[],
): readonly [bare: readonly NeglectedDuty[], sure: readonly NeglectedDuty[]] {
  const isBare = (duty: NeglectedDuty) => {
    const { caller, key } = lackedBy(duty);
    return caller || key;
  };
  return [duties.filter(isBare), duties.filter((duty) => !isBare(duty))];
}

function lackedBy({ violation: { rule }, turn }: NeglectedDuty) {
  const has = (wanted: string) => turn.request.headers.some(([name]) => name === wanted);
  return {
    caller: rule === "CLIENT-SESSION-1" && !has("authorization"),
    key: rule === "CLIENT-BUILD-3" && !has("idempotency-key"),
  };
}
