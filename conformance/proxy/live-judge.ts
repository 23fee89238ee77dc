import type { Facts } from "../adapters/adapter.ts";
import { thrownLine } from "../adapters/one-line.ts";
import { type AuditOutcome, TrafficJudge } from "../contract/audit/traffic-judge.ts";
import { ClientDuties } from "../contract/client/traffic/client-duties.ts";
import { type ClientTraffic, ClientTrafficCount } from "../contract/client/traffic/client-traffic-results.ts";
import { seenTurn } from "../contract/client/traffic/seen-turn.ts";
import type { RecordedExchange } from "../engine/audit/recorded.ts";
import type { BesideWork } from "./beside.ts";
import { dutyLine, type FindingLine, findingLine } from "./finding-line.ts";
import { type PassedExchange, recordedOf } from "./passed-exchange.ts";
import { dueUntil, StartOrder } from "./start-order.ts";

/** What a judge is made of; can be handed to a thread. */
export interface LiveJudgeData {
  readonly facts: Partial<Facts>;
  /** Stands for the traffic where a finding tells its place. */
  readonly name: string;
  /** Whether clients are judged, too. */
  readonly clients: boolean;
}

/** What all came to. */
export interface LiveOutcome {
  readonly audited: AuditOutcome;
  /** Where clients are judged, too. */
  readonly clients?: ClientTraffic;
  /** Exchanges at which the judge itself failed, and how it first did. */
  readonly stumbled?: { readonly exchanges: number; readonly over: number; readonly reason: string };
}

/** The two clocks, by which an exchange was measured and is judged, are one. */
const CLOCK_DOUBT_MS = 5;

/** Findings of a rule that are told as they come: a broken service may give thousands, and the report counts them. */
const MOST_TOLD = 4;
/** An exchange is said to end by so much later than it did. */
const ROUNDED_MS = 2;

/** Judges what passes, as it passes. */
export class LiveJudge implements BesideWork<FindingLine, LiveOutcome> {
  readonly #order = new StartOrder();
  readonly #judge: TrafficJudge;
  readonly #name: string;
  #found: FindingLine[] = [];
  /** How many findings of each rule were told. */
  readonly #told = new Map<string, number>();
  #stumbled: LiveOutcome["stumbled"];
  readonly #clients: { readonly duties: ClientDuties; readonly count: ClientTrafficCount } | undefined;

  constructor({ facts, name, clients }: LiveJudgeData) {
    this.#name = name;
    this.#clients = clients
      ? { duties: new ClientDuties(facts.signedBytes), count: new ClientTrafficCount() }
      : undefined;
    this.#judge = new TrafficJudge({
      // Others may ask the service besides, and before.
      complete: false,
      allHeaders: true,
      facts,
      clockDoubtMs: CLOCK_DOUBT_MS,
      onFinding: (finding) => this.#tell(finding.rules[0] ?? "", () => findingLine(finding)),
    });
  }

  take(exchange: PassedExchange, openSinceMs: number): readonly FindingLine[] {
    this.#order.take(exchange);
    return this.tick(exchange.endedMs - ROUNDED_MS, openSinceMs);
  }

  tick(nowMs: number, openSinceMs: number): readonly FindingLine[] {
    this.#judgeAll(this.#order.due(nowMs, openSinceMs));
    this.#judge.settle(dueUntil(nowMs, openSinceMs) - CLOCK_DOUBT_MS);
    return this.#found.splice(0);
  }

  end(): LiveOutcome {
    this.#judgeAll(this.#order.rest());
    const stumbled = this.#stumbled === undefined ? {} : { stumbled: this.#stumbled };
    const clients = this.#clients === undefined ? {} : { clients: this.#clients.count.told() };
    return { audited: this.#judge.end(), ...clients, ...stumbled };
  }

  /** One that the judge fails at is not to cost the others. */
  #judgeAll(exchanges: readonly PassedExchange[]): void {
    for (const exchange of exchanges) {
      try {
        const recorded = recordedOf(exchange, this.#name);
        this.#judge.take(recorded);
        if (recorded.requestLost) this.#clients?.count.addUnread();
        else this.#judgeClient(recorded);
      } catch (thrown) {
        const {
          exchanges: before = 0,
          over = exchange.number,
          reason = thrownLine(thrown),
        } = this.#stumbled ?? {};
        if (before === 0)
          this.#found.push({
            rule: "judge",
            line: `the judge failed at request ${over}, and goes on: ${reason}`,
          });
        this.#stumbled = { exchanges: before + 1, over, reason };
      }
    }
  }

  #judgeClient(exchange: RecordedExchange): void {
    if (this.#clients === undefined) return;
    const turn = seenTurn(exchange);
    const neglected = this.#clients.duties.take(turn);
    this.#clients.count.add(turn, neglected);
    for (const duty of neglected) if (!duty.isAdvice) this.#tell(duty.violation.rule, () => dutyLine(duty));
  }

  /** Has a finding told, unless enough of its rule were. */
  #tell(rule: string, line: () => FindingLine): void {
    const told = this.#told.get(rule) ?? 0;
    if (told >= MOST_TOLD) return;
    this.#told.set(rule, told + 1);
    this.#found.push(line());
  }
}
