import type { Facts } from "../adapters/adapter.ts";
import { oneLine, thrownLine } from "../adapters/one-line.ts";
import type { Finding } from "../contract/audit/findings.ts";
import { type AuditOutcome, TrafficJudge } from "../contract/audit/traffic-judge.ts";
import type { NeglectedDuty } from "../contract/client/traffic/client-duties.ts";
import type { ClientTraffic } from "../contract/client/traffic/client-traffic-results.ts";
import { RecordedClients } from "../contract/client/traffic/recorded-clients.ts";
import type { BesideWork } from "./beside.ts";
import { type PassedExchange, recordedOf } from "./passed-exchange.ts";

/** Longest wait of an exchange for pending ones that began before it, in ms. */
const LONGEST_WAIT_MS = 500;

/** Sorts exchanges, which are reported when they end, by the moment when they began. */
export class StartOrder {
  readonly #held: PassedExchange[] = [];

  /** Takes an exchange that has ended. */
  take(exchange: PassedExchange): void {
    let place = this.#held.length;
    while (place > 0 && (this.#held[place - 1]?.startedMs ?? 0) > exchange.startedMs) place -= 1;
    this.#held.splice(place, 0, exchange);
  }

  /**
   * Releases exchanges that no pending request began before, or that have waited long enough.
   * @param openSinceMs when the earliest pending request began
   */
  due(nowMs: number, openSinceMs: number): readonly PassedExchange[] {
    const first = this.#held.findIndex(({ startedMs }) => startedMs >= dueUntil(nowMs, openSinceMs));
    return this.#held.splice(0, first === -1 ? this.#held.length : first);
  }

  /** All that is left. */
  rest(): readonly PassedExchange[] {
    return this.#held.splice(0);
  }
}

/** Moment until which exchanges no longer wait for pending ones. */
function dueUntil(nowMs: number, openSinceMs: number): number {
  return Math.max(Math.min(nowMs, openSinceMs), nowMs - LONGEST_WAIT_MS);
}

/** A finding as the screen shows it at once; the report has all of it. */
export interface FindingLine {
  readonly rule: string;
  readonly line: string;
}

/** Text limit of the expected and the actual value. */
const MOST = 120;

/** Formats a finding in one line: when, which request, what is wrong, and which earlier requests show it. */
function findingLine({ rules, seen, because, expected, got }: Finding): FindingLine {
  const { source, exchange, moment } = seen;
  const [rule = ""] = rules;
  const { method, path } = exchange.request;
  const at = new Date(moment.earliest).toISOString().slice(11, -1);
  const others = because.filter((one) => one !== seen).map((one) => one.source.line);
  return {
    rule,
    line: `${rule}  ${at} request ${source.line}, ${method} ${oneLine(path, 80)}: expected ${oneLine(expected, MOST)}, got ${oneLine(got, MOST)}${shownBy(others)}`,
  };
}

/** Formats a client's violation in one line. */
function dutyLine({ violation, turn, because, creator }: NeglectedDuty): FindingLine {
  const { rule, message, expected, got } = violation;
  const { source, atMs, request } = turn;
  const at = new Date(atMs).toISOString().slice(11, -1);
  const whose = creator === undefined ? "" : ` for ${oneLine(creator, 44)}`;
  const others = because.map((one) => one.source.line);
  // Violations number requests from the first that shows them.
  const numbered = (text: string) =>
    oneLine(text, MOST).replace(/\brequest (\d+)\b/g, (whole, place) => {
      const number = [...others, source.line][Number(place) - 1];
      return number === undefined ? whole : `request ${number}`;
    });
  return {
    rule,
    line: `${rule}  ${at} request ${source.line}, ${request.method} ${oneLine(request.target, 80)}${whose}: ${oneLine(message, MOST)}: expected ${numbered(expected)}, got ${numbered(got)}${shownBy(others)}`,
  };
}

function shownBy(numbers: readonly number[]): string {
  if (numbers.length === 0) return "";
  return `; see request${numbers.length === 1 ? "" : "s"} ${numbers.join(", ")}`;
}

/** Options of a judge; can be cloned to a thread. */
export interface LiveJudgeData {
  readonly facts: Partial<Facts>;
  /** Name of the traffic in places of findings. */
  readonly name: string;
  /** Whether clients are judged, too. */
  readonly clients: boolean;
}

/** Result of the judge. */
export interface LiveOutcome {
  readonly audited: AuditOutcome;
  /** Where clients are judged, too. */
  readonly clients?: ClientTraffic;
  /** Number of exchanges at which the judge itself failed, and the first failure. */
  readonly stumbled?: { readonly exchanges: number; readonly over: number; readonly reason: string };
}

/** Uncertainty of the proxy's clock, in ms. */
const CLOCK_DOUBT_MS = 5;

/** Findings of one rule that the screen shows; the report counts all. */
const MOST_TOLD = 4;
/** By how much the end of an exchange is rounded up, in ms. */
const ROUNDED_MS = 2;

/** Judges traffic as it passes. */
export class LiveJudge implements BesideWork<FindingLine, LiveOutcome> {
  readonly #order = new StartOrder();
  readonly #judge: TrafficJudge;
  readonly #name: string;
  #found: FindingLine[] = [];
  /** Number of findings of each rule that were shown. */
  readonly #told = new Map<string, number>();
  #stumbled: LiveOutcome["stumbled"];
  readonly #clients: RecordedClients | undefined;

  constructor({ facts, name, clients }: LiveJudgeData) {
    this.#name = name;
    const { signedBytes } = facts;
    this.#clients = clients
      ? new RecordedClients({ signedBytes, clockDoubtMs: 0, isWhole: true })
      : undefined;
    this.#judge = new TrafficJudge({
      // Other clients may reach the service without the proxy, or before it.
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
    const clients = this.#clients === undefined ? {} : { clients: this.#clients.told() };
    return { audited: this.#judge.end(), ...clients, ...stumbled };
  }

  /** A failure of the judge at one exchange must not affect the others. */
  #judgeAll(exchanges: readonly PassedExchange[]): void {
    for (const exchange of exchanges) {
      try {
        const recorded = recordedOf(exchange, this.#name);
        this.#judge.take(recorded);
        for (const duty of this.#clients?.take(recorded) ?? [])
          if (!duty.isAdvice) this.#tell(duty.violation.rule, () => dutyLine(duty));
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

  /** Shows a finding, unless enough of its rule were shown. */
  #tell(rule: string, line: () => FindingLine): void {
    const told = this.#told.get(rule) ?? 0;
    if (told >= MOST_TOLD) return;
    this.#told.set(rule, told + 1);
    this.#found.push(line());
  }
}
