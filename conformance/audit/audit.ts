/** Judges recorded traffic of one service: each response alone, and all exchanges together by the model. */

import { type Facts, ImplementationError } from "../adapters/adapter.ts";
import { readInfo, signedBytesOf } from "../adapters/info.ts";
import { parseJson, show } from "../adapters/json.ts";
import { plural } from "../adapters/text.ts";
import { operationOf } from "../contract/constants.ts";
import type { Contract } from "../contract/contract.ts";
import { DataError } from "../contract/data-file.ts";
import { type Exchange, readEnvelope, readInput } from "../contract/exchange.ts";
import { Judge } from "../judge/judge.ts";
import type { Origin } from "../model/belief.ts";
import { type Interval, instant } from "../model/clock-worlds.ts";
import type { ServiceEvent, TimedEvent } from "../model/event.ts";
import { checkHistory } from "../model/history.ts";
import type { RecordedItem, Recording } from "./recording.ts";

/** A response that violates the contract. */
export interface AuditFinding {
  readonly rules: readonly string[];
  readonly item: RecordedItem;
  readonly expected: string;
  readonly got: string;
  /** Earlier items that make the response a violation. */
  readonly because: readonly RecordedItem[];
}

export interface Audit {
  readonly findings: readonly AuditFinding[];
  readonly exchanges: number;
  /** Number of exchanges whose response was judged. */
  readonly judged: number;
  /** Number of exchanges that the model did not judge, because it no longer tracks the service's state. */
  readonly notDecided: number;
}

/**
 * Judges a recording. If it is not complete, a refusal is a finding only if no unrecorded exchange or restart
 * can explain it.
 * @throws {DataError} if a stated fact is invalid
 */
export function audit(recording: Recording): Audit {
  const stated: Partial<Facts> = recording.facts;
  const judge = new Judge(assumedFacts(stated));
  const history = recording.items.map((item) => ({ ...item, event: eventOf(item, stated) }));
  const findings = history.flatMap((item) => judgeAlone(judge, item, stated));
  const started = history[0]?.event.at ?? instant(0);
  const origin: Origin = { facts: stated, started, incomplete: !recording.isComplete };
  const { violations, notDecided } = checkHistory(history, origin);
  for (const { rules, expected, got, exchange } of violations.slice(0, MAX_VIOLATIONS)) {
    const item = history.find((one) => isAbout(one, exchange));
    if (item === undefined) continue;
    if (findings.some((finding) => finding.item === item && finding.rules[0] === rules[0])) continue;
    const because = evidenceOf(history, item, rules[0], origin);
    findings.push({ rules, item, expected: expected.join(" | "), got, because });
  }
  const exchanges = history.flatMap(({ event }) => (event.kind === "exchange" ? [event.exchange] : []));
  const judged = exchanges.filter(({ status }) => status !== undefined).length;
  return { findings, exchanges: exchanges.length, judged, notDecided };
}

/** Maximum number of violations to report among those that the model finds. */
const MAX_VIOLATIONS = 20;
/** Maximum number of subsets of the events that the search for evidence checks. */
const MAX_CHECKS = 400;

/** A recorded item, with its event for the model. */
type RecordedEvent = RecordedItem & TimedEvent;

function isAbout({ event }: RecordedEvent, exchange: Exchange): boolean {
  return event.kind === "exchange" && event.exchange === exchange;
}

/**
 * Returns a minimal set of other events that prove a violation: if one is left out, unrecorded exchanges can
 * explain the response. If the search ends early, the set may be larger.
 */
function evidenceOf(
  history: readonly RecordedEvent[],
  own: RecordedEvent,
  rule: string | undefined,
  origin: Origin,
): readonly RecordedEvent[] {
  let checks = 0;
  const suffice = (events: readonly RecordedEvent[], assumed: Origin) => {
    checks += 1;
    if (checks > MAX_CHECKS) return false;
    const chosen = new Set([own, ...events]);
    const chosenHistory = history.filter((one) => chosen.has(one));
    const { violations } = checkHistory(chosenHistory, assumed);
    return violations.some(({ exchange, rules }) => isAbout(own, exchange) && rules[0] === rule);
  };
  let kept: readonly RecordedEvent[] = history.filter((one) => one !== own && one.sentAt <= own.receivedAt);
  const assumed = { ...origin, incomplete: true };
  const believed = suffice(kept, assumed) ? assumed : origin;
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

function eventOf(item: RecordedItem, { signedBytes: form }: Partial<Facts>): ServiceEvent {
  const { request, response, clockMs, sentAt, receivedAt } = item;
  const at: Interval = clockMs === undefined ? { earliest: sentAt, latest: receivedAt } : instant(clockMs);
  if (request === undefined) return { kind: "restart", at };
  const operation = operationOf(request);
  const read = readEnvelope(response && { ...response, body: parseJson(response.body) ?? response.body });
  const { message } = read.body;
  const isChallenge = operation === "challenge" && read.status === 200 && typeof message === "string";
  // The signed bytes are unknown if the recording does not state how they are derived.
  const isSigned = isChallenge && form !== undefined && form !== "adapter";
  const exchange: Exchange = {
    operation,
    request,
    input: readInput(request.body),
    ...read,
    atMs: at.earliest,
    answeredAtMs: at.latest,
    ...(isSigned && { signed: signedBytesOf(form, message) }),
  };
  return { kind: "exchange", exchange, at };
}

/** Judges the response of an item. Leaves out findings that depend on facts that are not stated. */
function judgeAlone(judge: Judge, item: RecordedEvent, stated: Partial<Facts>): readonly AuditFinding[] {
  const { event, clockMs } = item;
  if (event.kind === "restart") judge.reset();
  if (event.kind === "restart" || event.exchange.status === undefined) return [];
  const isUnknown = (path: string) =>
    (path === "expiresAt" && clockMs === undefined) ||
    (path === "message" && stated.signedBytes === undefined);
  return judge
    .judge(event.exchange)
    .mismatches.filter(({ path, malformed }) => malformed || !isUnknown(path))
    .map(({ rule, path, expected, got }) => {
      const difference = { expected: `${path}: ${expected}`, got: `${path}: ${got}` };
      return { rules: [rule], item, ...difference, because: [] };
    });
}

/** Maximum number of findings to show for one rule. */
const MAX_SHOWN = 3;

/** Formats an audit for people, without escaping recorded text. The last line is the conclusion. */
export function formatAudit(result: Audit, recording: Recording, contract: Contract): readonly string[] {
  const { findings, exchanges, notDecided } = result;
  const { isComplete, notRead } = recording;
  const ids = new Set(findings.map(({ rules: [id = ""] }) => id));
  const sections = [...ids].flatMap((id) => {
    const ofRule = findings.filter(({ rules }) => rules[0] === id);
    const shown = ofRule.slice(0, MAX_SHOWN);
    const { statement = "", section = "" } = contract.rules.get(id) ?? {};
    const more = ofRule.length - MAX_SHOWN;
    return [
      `FOUND  ${id}: ${statement.trim()} (contract, ${section})`,
      ...shown.flatMap(({ item, expected, got, because }) => [
        `  place     ${item.place}: ${describe(item)}`,
        `  expected  ${expected}`,
        `  got       ${got}`,
        ...because.map((other) => `  because   ${other.place}: ${describe(other)}`),
      ]),
      ...(more > 0 ? [`  and ${more} more`] : []),
      "",
    ];
  });
  const unknown = [...notRead].map(([reason, count]) => `Not judged: ${count} exchanges, because ${reason}.`);
  if (notDecided > 0)
    unknown.push(
      `Not decided: ${notDecided} exchanges, because of an earlier violation or too many possible states.`,
    );
  if (!isComplete)
    unknown.push(
      "The recording may be incomplete, so a refusal that a missing exchange can explain is not reported.",
    );
  const conclusion =
    findings.length === 0
      ? `No violation found in ${exchanges} exchanges.`
      : `${plural(findings.length, "finding")} about ${plural(ids.size, "rule")} in ${exchanges} exchanges.`;
  return [...sections, ...unknown, conclusion];
}

/** Formats a recorded item in one line. */
function describe({ request, response }: RecordedItem): string {
  if (request === undefined) return "restart";
  const code = /"code"\s*:\s*"(\w+)"/.exec(response?.body ?? "")?.[1];
  const answer = response === undefined ? "no response" : [response.status, code].filter(Boolean).join(" ");
  const key = request.idempotencyKey === undefined ? "" : `, key ${show(request.idempotencyKey)}`;
  return `${request.method} ${request.path}${key}: ${answer}`;
}
