import { auditId } from "../../../engine/audit/recorded.ts";
import { showAnswer, showClientRequest } from "../../../engine/client/show-turn.ts";
import { startOf } from "../../../engine/data/start-of.ts";
import type { Advice } from "../../../engine/play/judgement.ts";
import type { Failure, Result, TraceEntry } from "../../../engine/play/result.ts";
import type { AuditFacts } from "../../../engine/run/report.ts";
import type { NeglectedDuty } from "./client-duties.ts";
import type { SeenTurn } from "./seen-turn.ts";

/** Limits of violations: kept in all, and shown of one rule. */
const MOST_KEPT = 1_000;
const MOST_TOLD = 3;

/** Rules that depend on a client's launches, and on which of its processes knew what. */
const NOT_SEEN = {
  what: "traffic does not tell which launches a client was given, and which process sent what",
  rules: [
    "CLIENT-FLOW-1",
    "CLIENT-FLOW-2",
    "CLIENT-FLOW-3",
    "CLIENT-SESSION-3",
    "CLIENT-BUILD-2",
    "CLIENT-RETRY-3",
    "CLIENT-RETRY-4",
    "CLIENT-INPUT-1",
    "CLIENT-LIMIT-1",
    "CLIENT-LIMIT-2",
  ],
};

const UNREAD = {
  what: "the request was not recorded whole, or compressed, or something of it was taken out",
  rules: [],
};

/** What clients did with a service, as their traffic shows; can be cloned between threads. */
export interface ClientTraffic {
  readonly exchanges: number;
  /** Number of further exchanges that could not be judged. */
  readonly unread: number;
  /** By operation. */
  readonly byOperation: Readonly<Record<string, number>>;
  readonly neglected: readonly NeglectedDuty[];
  /** Number of violations, including those that are not kept. */
  readonly found: number;
  readonly advice: readonly Advice[];
}

/** Counts exchanges of clients, and collects their violations. */
export class ClientTrafficCount {
  #exchanges = 0;
  #unread = 0;
  readonly #byOperation: Record<string, number> = {};
  readonly #neglected: NeglectedDuty[] = [];
  #found = 0;
  readonly #advice = new Map<string, Advice>();

  add({ operation }: SeenTurn, duties: readonly NeglectedDuty[]): void {
    this.#exchanges += 1;
    this.#byOperation[operation] = (this.#byOperation[operation] ?? 0) + 1;
    this.addNeglected(duties);
  }

  /** Counts one that cannot be judged. */
  addUnread(): void {
    this.#unread += 1;
  }

  /** Adds violations in exchanges that are counted already. */
  addNeglected(duties: readonly NeglectedDuty[]): void {
    for (const duty of duties) {
      const { rule, message, got } = duty.violation;
      if (duty.isAdvice) {
        if (!this.#advice.has(rule)) this.#advice.set(rule, { rule, message: `${message}: ${got}` });
        continue;
      }
      this.#found += 1;
      if (this.#neglected.length < MOST_KEPT) this.#neglected.push(duty);
    }
  }

  told(): ClientTraffic {
    return {
      exchanges: this.#exchanges,
      unread: this.#unread,
      byOperation: this.#byOperation,
      neglected: this.#neglected,
      found: this.#found,
      advice: [...this.#advice.values()],
    };
  }
}

/** Facts of the report about the traffic as a whole. */
export function clientAuditFacts({ exchanges, unread, found }: ClientTraffic): AuditFacts {
  const lost = unread === 0 ? [] : [{ ...UNREAD, exchanges: unread }];
  const unknown = [{ ...NOT_SEEN, exchanges }, ...lost];
  return {
    exchanges: exchanges + unread,
    judged: exchanges,
    restarts: 0,
    findings: found,
    complete: false,
    unknown,
    timelines: [],
  };
}

/** One result for each rule that clients violate, and one for each operation that they requested. */
export function clientTrafficResults(traffic: ClientTraffic): readonly Result[] {
  const byRule = new Map<string, NeglectedDuty[]>();
  for (const duty of traffic.neglected) {
    const { rule } = duty.violation;
    byRule.set(rule, [...(byRule.get(rule) ?? []), duty]);
  }
  const failed = [...byRule].map(([rule, duties]) => failedResult(rule, duties));
  const seen = Object.entries(traffic.byOperation).map(
    ([operation, count], index): Result => ({
      ...EMPTY,
      id: auditId(operation),
      title: `${count} requests`,
      rules: [],
      outcome: "passed",
      advice: index === 0 ? traffic.advice : [],
    }),
  );
  return [...failed, ...seen];
}

const EMPTY = {
  kind: "recording",
  failures: [],
  incidental: [],
  observations: [],
  advice: [],
  trace: [],
} as const;

function failedResult(rule: string, duties: readonly NeglectedDuty[]): Result {
  const [creator, ...others] = new Set(duties.flatMap((duty) => duty.creator ?? []));
  const creators =
    others.length === 0 ? `creator ${startOf(creator ?? "", 44)}` : `${others.length + 1} creators`;
  const of = creator === undefined ? "" : `, of ${creators}`;
  const told = duties.slice(0, MOST_TOLD).map((duty, index) => toldDuty(duty, index + 1));
  return {
    ...EMPTY,
    id: auditId(rule),
    title: `${duties.length === 1 ? "one request breaks it" : `${duties.length} requests break it`}${of}`,
    rules: [rule],
    outcome: "failed",
    failures: told.map(({ failure }) => failure),
    trace: told.flatMap(({ trace }) => trace),
  };
}

function toldDuty(
  { violation, turn, because, creator }: NeglectedDuty,
  number: number,
): { readonly failure: Failure; readonly trace: readonly TraceEntry[] } {
  const all = [...because, turn];
  const beganMs = all[0]?.atMs ?? 0;
  const trace = all.map((one, index) => ({
    step: `${number}.${index + 1}`,
    place: one.source,
    clockMs: one.atMs - beganMs,
    ...shown(one),
  }));
  const { rule, message, expected, got } = violation;
  const told = (text: string) => withPlaces(text, all);
  // The request is wrong; the response stands in the trace.
  const { response: _, ...sent } = shown(turn);
  const failure: Failure = {
    rule,
    rules: [rule],
    message: creator === undefined ? message : `${message} (creator ${creator})`,
    step: `${number}.${all.length}`,
    place: turn.source,
    clockMs: turn.atMs - beganMs,
    ...sent,
    expected: told(expected),
    got: told(got),
    differences: [],
  };
  return { failure, trace };
}

/** Replaces numbers of requests by their places. */
function withPlaces(text: string, all: readonly SeenTurn[]): string {
  return text.replace(/\brequest (\d+)\b/g, (whole, number) => {
    const place = all[Number(number) - 1]?.source;
    return place === undefined ? whole : `the request at ${place.file}:${place.line}`;
  });
}

function shown({ request, answer }: SeenTurn) {
  return { request: showClientRequest(request), response: showAnswer(answer) };
}
