import type { Facts } from "../adapters/adapter.ts";
import { type AuditOutcome, TrafficJudge } from "../contract/audit/traffic-judge.ts";
import { type FindingLine, findingLine } from "./finding-line.ts";
import type { BesideWork } from "./beside-work.ts";
import type { PassedExchange } from "./passed-exchange.ts";
import { recordedOf } from "./recorded-of.ts";
import { dueUntil, StartOrder } from "./start-order.ts";

/** What a judge is made of; can be handed to a thread. */
export interface LiveJudgeData {
  readonly facts: Partial<Facts>;
  /** Stands for the traffic where a finding tells its place. */
  readonly name: string;
}

/** The two clocks, by which an exchange was measured and is judged, are one. */
const CLOCK_DOUBT_MS = 5;

/** An exchange is said to end by so much later than it did. */
const ROUNDED_MS = 2;

/** Judges what passes, as it passes. */
export class LiveJudge implements BesideWork<FindingLine, AuditOutcome> {
  readonly #order = new StartOrder();
  readonly #judge: TrafficJudge;
  readonly #name: string;
  #found: FindingLine[] = [];

  constructor({ facts, name }: LiveJudgeData) {
    this.#name = name;
    this.#judge = new TrafficJudge({
      // Others may ask the service besides, and before.
      complete: false,
      facts,
      clockDoubtMs: CLOCK_DOUBT_MS,
      onFinding: (finding) => this.#found.push(findingLine(finding)),
    });
  }

  take(exchange: PassedExchange, openSinceMs: number): readonly FindingLine[] {
    this.#order.take(exchange);
    return this.tick(exchange.endedMs - ROUNDED_MS, openSinceMs);
  }

  tick(nowMs: number, openSinceMs: number): readonly FindingLine[] {
    for (const exchange of this.#order.due(nowMs, openSinceMs))
      this.#judge.take(recordedOf(exchange, this.#name));
    this.#judge.settle(dueUntil(nowMs, openSinceMs));
    return this.#found.splice(0);
  }

  end(): AuditOutcome {
    for (const exchange of this.#order.rest()) this.#judge.take(recordedOf(exchange, this.#name));
    return this.#judge.end();
  }
}
