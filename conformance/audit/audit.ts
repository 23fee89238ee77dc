/** Judges recorded traffic of one service: each response alone, and all exchanges together by the model. */

import { type Facts, ImplementationError } from "../adapters/adapter.ts";
import { readInfo, signedBytesOf } from "../adapters/info.ts";
import { operationOf } from "../contract/constants.ts";
import { type Exchange, type RequestPart, readEnvelope, readInput } from "../contract/exchange.ts";
import { DataError } from "../data/data-file.ts";
import { isObject, parseJson, sameJson } from "../data/json.ts";
import { type Interval, instant } from "../judge/clocks.ts";
import { Judge } from "../judge/judge.ts";
import type { Origin } from "../model/belief.ts";
import type { TimedEvent } from "../model/event.ts";
import { checkHistory, HistoryChecker, overlappingGroups } from "../model/history.ts";
import { differenceOf } from "../model/violation.ts";
import type { Finding } from "../play/result.ts";
import {
  type Kind,
  LOST,
  placeText,
  type RecordedExchange,
  type RecordedItem,
  type Recording,
} from "../recordings/recording.ts";
import { isRedacted, kindOf } from "../recordings/tables.ts";
import { rulesOfResponse, rulesOfState } from "./coverage.ts";

/** A response that violates the contract. */
export interface AuditFinding extends Pick<Finding, "rules" | "difference"> {
  readonly event: RecordedEvent;
  readonly exchange: Exchange;
  /** Earlier items that make the response a violation. */
  readonly because: readonly RecordedEvent[];
}

/** Numbers of exchanges of a recording. */
interface Counts {
  exchanges: number;
  /** Exchanges with the service whose requests and responses are known as a whole. */
  whole: number;
  /** Exchanges with the service whose requests have unknown parts. */
  partial: number;
  /** Exchanges that the model did not judge, because it no longer tracks the service's state. */
  notDecided: number;
  /** Exchanges in which a part of the request is unknown. */
  readonly parts: Map<RequestPart, number>;
  readonly kinds: Map<Kind, number>;
  /** By rule, the exchanges that test it: another response would violate the rule. */
  readonly rules: Map<string, number>;
  /** Place of the first response of a gateway. */
  gateway?: string;
}

export interface Audit extends Readonly<Counts> {
  /** Time of the first exchange, in ms since the Unix epoch. */
  readonly startMs: number;
  readonly findings: readonly AuditFinding[];
}

/** A recorded item, with its event for the model. */
export interface RecordedEvent extends TimedEvent {
  readonly item: RecordedItem;
}

/**
 * Judges a recording. If it is not complete, a response is a finding only if no unrecorded exchange, restart,
 * or part of a request can explain it.
 * @throws {DataError} if a stated fact is invalid
 */
export function audit(recording: Recording): Audit {
  const stated: Partial<Facts> = recording.facts;
  const facts = assumedFacts(stated);
  const { histories, isComplete, elsewhere } = recording;
  const incomplete = !isComplete || !histories.every((items) => items.every(isRecordedWhole));
  const counts: Counts = {
    ...{ exchanges: 0, whole: 0, partial: 0, notDecided: 0 },
    ...{ parts: new Map(), kinds: new Map(), rules: new Map() },
  };
  const findings: AuditFinding[] = [];
  for (const items of histories) {
    const judge = new Judge(facts);
    const started = items[0] === undefined ? instant(0) : intervalOf(items[0]);
    const origin: Origin = { facts: stated, started, incomplete };
    const checker = new HistoryChecker(origin);
    let recent: readonly RecordedEvent[] = [];
    for (const group of overlappingGroups(eventsOf(items, stated, incomplete, counts))) {
      recent = [...recent.slice(-MAX_RECENT), ...group];
      for (const event of group) findings.push(...judgeAlone(judge, event, stated));
      countRules(counts.rules, checker, group);
      for (const violation of checker.step(group)) {
        const { rules, exchange } = violation;
        const event = group.find((one) => isAbout(one, exchange));
        const isKnown = findings.some((finding) => finding.event === event && finding.rules[0] === rules[0]);
        if (event === undefined || isKnown || findings.length > MAX_FINDINGS) continue;
        const because = evidenceOf(relatedTo(event, recent), event, rules[0], origin);
        findings.push({ rules, event, exchange, difference: differenceOf(violation), because });
      }
    }
    counts.notDecided += checker.notDecided;
  }
  if (elsewhere > 0) counts.kinds.set("elsewhere", elsewhere);
  const startMs = Math.min(...histories.map(([first]) => first?.sentAt ?? Number.POSITIVE_INFINITY));
  return { ...counts, exchanges: counts.exchanges + elsewhere, startMs, findings };
}

/** Number of findings after which the model's violations are not explained any more. */
const MAX_FINDINGS = 1000;
/** Maximum number of subsets of the events that the search for evidence checks. */
const MAX_CHECKS = 400;
/** Number of events before a violation among which the search for evidence chooses. */
const MAX_RECENT = 2000;

/** Maximum number of exchanges of which the rules about the state of the service are counted. */
const MAX_COVERED = 1000;

/** Counts the rules that the responses of a group test. Does not count rules that depend on an unknown order. */
function countRules(
  counts: Map<string, number>,
  checker: HistoryChecker,
  group: readonly RecordedEvent[],
): void {
  for (const { event, item } of group) {
    if (event.kind === "restart" || event.exchange.status === undefined) continue;
    const isCovered = group.length === 1 && (counts.get("SERVICE-1") ?? 0) < MAX_COVERED;
    const belief = isCovered ? checker.belief() : undefined;
    const rules = new Set([
      ...rulesOfResponse(event.exchange, item.clockMs !== undefined),
      ...(belief === undefined ? [] : rulesOfState(belief, event)),
    ]);
    for (const rule of rules) countOne(counts, rule);
  }
}

/** Returns whether an item is known with all its parts. */
function isRecordedWhole({ read }: RecordedItem): boolean {
  const recorded = read?.();
  return recorded === undefined || (recorded.unknown.size === 0 && !LOST.has(recorded.kind));
}

/** Iterates over the events of the service, and counts all exchanges. */
function* eventsOf(
  items: Iterable<RecordedItem>,
  facts: Partial<Facts>,
  incomplete: boolean,
  counts: Counts,
): Generator<RecordedEvent> {
  /** Exchanges that may still be in flight. */
  let inFlight: (readonly [RecordedItem, RecordedExchange])[] = [];
  for (const item of items) {
    const recorded = item.read?.();
    if (recorded === undefined) {
      yield toEvent(item, recorded, facts);
      continue;
    }
    inFlight = inFlight.filter(([other]) => other.receivedAt >= item.sentAt);
    const isRepeated = incomplete && inFlight.some(([, other]) => isSame(other, recorded));
    inFlight.push([item, recorded]);
    const kind = isRepeated ? "repeated" : recorded.kind;
    counts.exchanges += 1;
    if (kind === "gateway") counts.gateway ??= placeText(item.place);
    if (kind !== undefined) countOne(counts.kinds, kind);
    else counts[recorded.unknown.size === 0 ? "whole" : "partial"] += 1;
    if (kind === undefined) for (const part of recorded.unknown) countOne(counts.parts, part);
    if (kind === undefined || LOST.has(kind)) yield toEvent(item, recorded, facts);
  }
}

function countOne<Name>(counts: Map<Name, number>, name: Name): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

/** Returns whether two exchanges can be the same one, recorded by two tools that left out different parts. */
function isSame(one: RecordedExchange, other: RecordedExchange): boolean {
  const { body, bearer, idempotencyKey, method, path } = one.request;
  const isEqual = (part: RequestPart, value: unknown, otherValue: unknown) =>
    one.unknown.has(part) || other.unknown.has(part) || sameJson(value, otherValue);
  const isLost = one.kind === "lost" || other.kind === "lost";
  return (
    (isLost || isSameResponse(one.response, other.response)) &&
    method === other.request.method &&
    path === other.request.path &&
    isEqual("body", body, other.request.body) &&
    isEqual("bearer", bearer, other.request.bearer) &&
    isEqual("key", idempotencyKey, other.request.idempotencyKey)
  );
}

/** Returns whether two responses are the same, except for texts that a tool has replaced. */
function isSameResponse(one: RecordedExchange["response"], other: RecordedExchange["response"]): boolean {
  const isReplaced = (value: unknown, name: string) =>
    typeof value === "string" && isRedacted(value, kindOf(name));
  const isSameValue = (value: unknown, otherValue: unknown, of = ""): boolean => {
    if (isReplaced(value, of) || isReplaced(otherValue, of)) return true;
    if (!isObject(value) || !isObject(otherValue)) return sameJson(value, otherValue);
    const names = new Set([...Object.keys(value), ...Object.keys(otherValue)]);
    return [...names].every((name) => isSameValue(value[name], otherValue[name], name));
  };
  if (one === undefined || other === undefined || one.status !== other.status) return false;
  return one.body === other.body || isSameValue(parseJson(one.body), parseJson(other.body));
}

function isAbout({ event }: RecordedEvent, exchange: Exchange): boolean {
  return event.kind === "exchange" && event.exchange === exchange;
}

/** Returns the events that have a creator, bearer, or challenge in common with an event, directly or not. */
function relatedTo(own: RecordedEvent, recent: readonly RecordedEvent[]): readonly RecordedEvent[] {
  const names = new Set(namesOf(own));
  const related = recent.toReversed().filter((event) => {
    const common = namesOf(event);
    const isRelated = event.event.kind === "restart" || common.some((name) => names.has(name));
    if (isRelated) for (const name of common) names.add(name);
    return isRelated && event !== own && event.sentAt <= own.receivedAt;
  });
  return related.toReversed();
}

function namesOf({ event }: RecordedEvent): readonly unknown[] {
  if (event.kind === "restart") return [];
  const { request, input, body } = event.exchange;
  const names = [request.bearer, input?.["creator"], input?.["id"], body["id"], body["bearer"]];
  return names.filter((name) => typeof name === "string");
}

/**
 * Returns a minimal set of other events that prove a violation: if one is left out, unrecorded exchanges can
 * explain the response. If the search ends early, the set may be larger. Empty if it finds no proof.
 */
function evidenceOf(
  events: readonly RecordedEvent[],
  own: RecordedEvent,
  rule: string | undefined,
  origin: Origin,
): readonly RecordedEvent[] {
  let checks = 0;
  const suffice = (chosen: readonly RecordedEvent[], assumed: Origin) => {
    checks += 1;
    if (checks > MAX_CHECKS) return false;
    const history = [...chosen, own].sort((one, other) => one.sentAt - other.sentAt);
    const { violations } = checkHistory(history, assumed);
    return violations.some(({ exchange, rules }) => isAbout(own, exchange) && rules[0] === rule);
  };
  const assumed = { ...origin, incomplete: true };
  const believed = suffice(events, assumed) ? assumed : origin;
  if (believed === origin && !suffice(events, origin)) return [];
  let kept = events;
  for (let size = kept.length; size >= 1; size = Math.floor(size / 2))
    for (let start = 0; start < kept.length; ) {
      const fewer = [...kept.slice(0, start), ...kept.slice(start + size)];
      if (suffice(fewer, believed)) kept = fewer;
      else start += size;
    }
  return kept;
}

/** Returns the stated facts, and default values of all other facts. @throws {DataError} */
function assumedFacts(stated: Partial<Facts>): Facts {
  const implementation = { name: "recording", version: "unversioned" };
  const metadataHosts = ["unknown-a.invalid", "unknown-b.invalid"];
  try {
    return readInfo({ implementation, facts: { metadataHosts, ...stated } }, "facts", "http", true).facts;
  } catch (error) {
    throw error instanceof ImplementationError ? new DataError(error.message) : error;
  }
}

/** Returns when the service handled an item, on its clock if that is recorded. */
function intervalOf({ clockMs, sentAt, receivedAt }: RecordedItem): Interval {
  return clockMs === undefined ? { earliest: sentAt, latest: receivedAt } : instant(clockMs);
}

/** @param recorded undefined for a restart */
function toEvent(
  item: RecordedItem,
  recorded: RecordedExchange | undefined,
  { signedBytes: form }: Partial<Facts>,
): RecordedEvent {
  const { sentAt, receivedAt } = item;
  const at = intervalOf(item);
  if (recorded === undefined) return { item, event: { kind: "restart", at }, sentAt, receivedAt };
  const { request, response, unknown } = recorded;
  const operation = operationOf(request);
  const read = readEnvelope(response && { ...response, body: parseJson(response.body) ?? response.body });
  const { message } = read.body;
  const isChallenge = operation === "challenge" && read.status === 200 && typeof message === "string";
  // The signed bytes are unknown if the recording does not state how they are derived.
  const isSigned = isChallenge && form !== undefined && form !== "adapter";
  const exchange: Exchange = {
    operation,
    request,
    ...(unknown.size > 0 && { unknown }),
    input: readInput(request.body),
    ...read,
    atMs: at.earliest,
    answeredAtMs: at.latest,
    ...(isSigned && { signed: signedBytesOf(form, message) }),
  };
  return { item, event: { kind: "exchange", exchange, at }, sentAt, receivedAt };
}

/** Judges the response of an item. Leaves out findings that depend on facts that are not stated. */
function judgeAlone(judge: Judge, recorded: RecordedEvent, stated: Partial<Facts>): readonly AuditFinding[] {
  const { event, item } = recorded;
  if (event.kind === "restart") judge.reset();
  if (event.kind === "restart" || event.exchange.status === undefined) return [];
  const { exchange } = event;
  const isUnknown = (path: string) =>
    (path === "expiresAt" && item.clockMs === undefined) ||
    (path === "message" && stated.signedBytes === undefined);
  return judge
    .judge(exchange)
    .mismatches.filter(({ path, malformed }) => malformed || !isUnknown(path))
    .map(({ rule, ...value }) => {
      const difference = { kind: "values", values: [value] } as const;
      return { rules: [rule], event: recorded, exchange, difference, because: [] };
    });
}
