/** Judges recorded traffic of one service: each response alone, and all exchanges together by the model. */

import type { Facts } from "../adapters/adapter.ts";
import { readInfo, signedBytesOf } from "../adapters/info.ts";
import { parseJson, show } from "../adapters/json.ts";
import { plural } from "../adapters/text.ts";
import { operationOf } from "../contract/constants.ts";
import type { Contract } from "../contract/contract.ts";
import { type Exchange, readEnvelope, readInput } from "../contract/exchange.ts";
import { Judge } from "../judge/judge.ts";
import type { Origin } from "../model/belief.ts";
import { type Interval, instant } from "../model/clock-worlds.ts";
import type { TimedEvent } from "../model/event.ts";
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
  /** Number of exchanges that the model did not judge, because it no longer tracks what they depend on. */
  readonly notDecided: number;
}

/**
 * Judges a recording. If it is not complete, a refusal is a finding only if no unseen exchange or restart can
 * explain it.
 * @throws {DataError} if a stated fact is invalid
 */
export async function audit(recording: Recording): Promise<Audit> {
  const facts = readFacts(recording.facts);
  const judge = new Judge(facts.assumed);
  const findings: AuditFinding[] = [];
  const history: RecordedEvent[] = [];
  for (const item of recording.items) {
    const event = eventOf(item, facts);
    history.push({ event, sentAt: item.sentAt, receivedAt: item.receivedAt, item });
    if (event.kind === "restart") judge.reset();
    else if (event.exchange.status !== undefined)
      findings.push(...judgeAlone(judge, event.exchange, item, facts));
  }
  const [first] = history;
  const origin: Origin = {
    facts: facts.stated,
    started: first?.event.at ?? instant(0),
    incomplete: !recording.isComplete,
  };
  const { violations, notDecided } = checkHistory(history, origin);
  for (const { rules, expected, got, exchange } of violations.slice(0, MAX_VIOLATIONS)) {
    const own = history.find(({ event }) => "exchange" in event && event.exchange === exchange);
    if (own === undefined) continue;
    const { item } = own;
    if (findings.some((finding) => finding.item === item && finding.rules[0] === rules[0])) continue;
    const because = evidenceOf(history, own, rules[0], origin).map((other) => other.item);
    findings.push({ rules, item, expected: expected.join(" | "), got, because });
  }
  const exchanges = history.flatMap(({ event }) => (event.kind === "exchange" ? [event.exchange] : []));
  const judged = exchanges.filter(({ status }) => status !== undefined).length;
  return { findings, exchanges: exchanges.length, judged, notDecided };
}

/** Number of violations of the model that are shown. */
const MAX_VIOLATIONS = 20;
/** Number of histories that the search for evidence may check. */
const MAX_CHECKS = 400;

/** An event of the model, and the item that it comes from. */
interface RecordedEvent extends TimedEvent {
  readonly item: RecordedItem;
}

/**
 * Returns other events that suffice to prove a violation. If any one of them is missing, unseen exchanges can
 * explain the response. If the search ends early, the result may have more events than necessary.
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
    const { violations } = checkHistory(
      history.filter((one) => chosen.has(one)),
      assumed,
    );
    const { event } = own;
    return violations.some(
      (found) => "exchange" in event && found.exchange === event.exchange && found.rules[0] === rule,
    );
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

interface KnownFacts {
  /** Facts that the recording states. */
  readonly stated: Partial<Facts>;
  /** The stated facts, and default values of all other facts. */
  readonly assumed: Facts;
}

/** @throws {DataError} */
function readFacts(stated: Partial<Facts>): KnownFacts {
  const implementation = { name: "recording", version: "unversioned" };
  const metadataHosts = ["unknown-a.invalid", "unknown-b.invalid"];
  const info = readInfo({ implementation, facts: { metadataHosts, ...stated } }, "facts", "http", true);
  return { stated, assumed: info.facts };
}

function eventOf(item: RecordedItem, facts: KnownFacts): TimedEvent["event"] {
  const { request, response, clockMs, sentAt, receivedAt } = item;
  const at: Interval = clockMs === undefined ? { earliest: sentAt, latest: receivedAt } : instant(clockMs);
  if (request === undefined) return { kind: "restart", at };
  const operation = operationOf(request);
  const read = readEnvelope(
    response && { status: response.status, body: parseJson(response.body) ?? response.body },
  );
  const { message } = read.body;
  const isChallenge = operation === "challenge" && read.status === 200 && typeof message === "string";
  const signed = isChallenge ? signedBytes(message, facts) : undefined;
  const exchange: Exchange = {
    operation,
    request,
    input: readInput(request.body),
    ...read,
    atMs: at.earliest,
    answeredAtMs: at.latest,
    ...(signed && { signed }),
  };
  return { kind: "exchange", exchange, at };
}

/** Returns the bytes that a client signs for a message, if the recording states how they are derived. */
function signedBytes(message: string, { stated, assumed }: KnownFacts): Uint8Array | undefined {
  if (stated.signedBytes === undefined || assumed.signedBytes === "adapter") return undefined;
  return signedBytesOf(assumed.signedBytes, message);
}

/** Judges one response. Leaves out what depends on facts that the recording does not state. */
function judgeAlone(
  judge: Judge,
  exchange: Exchange,
  item: RecordedItem,
  { stated }: KnownFacts,
): readonly AuditFinding[] {
  const unknown = new Set([
    ...(item.clockMs === undefined ? ["expiresAt"] : []),
    ...(stated.signedBytes === undefined ? ["message"] : []),
  ]);
  return judge
    .judge(exchange)
    .mismatches.filter(({ path, malformed }) => malformed || !unknown.has(path))
    .map(({ rule, path, expected, got }) => ({
      rules: [rule],
      item,
      expected: `${path}: ${expected}`,
      got: `${path}: ${got}`,
      because: [],
    }));
}

/** Number of findings that are shown for one rule. */
const MAX_SHOWN = 3;

/** Formats an audit for people. The last line is the conclusion. Lines quote the recording unescaped. */
export function formatAudit(
  { findings, exchanges, notDecided }: Audit,
  { isComplete, notRead }: Recording,
  contract: Contract,
): readonly string[] {
  const byRule = new Map<string, readonly AuditFinding[]>();
  for (const finding of findings) {
    const [id = ""] = finding.rules;
    byRule.set(id, [...(byRule.get(id) ?? []), finding]);
  }
  const sections = [...byRule].flatMap(([id, ofRule]) => {
    const { statement = "", section = "" } = contract.rules.get(id) ?? {};
    const more = ofRule.length - MAX_SHOWN;
    return [
      `FOUND  ${id}: ${statement.trim()} (contract, ${section})`,
      ...ofRule
        .slice(0, MAX_SHOWN)
        .flatMap(({ item, expected, got, because }) => [
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
    unknown.push(`Not decided: ${notDecided} exchanges, which depend on too many possible states.`);
  if (!isComplete) unknown.push("The recording may be incomplete: missing exchanges may explain refusals.");
  const conclusion =
    findings.length === 0
      ? `Nothing found in ${exchanges} exchanges.`
      : `${plural(findings.length, "finding")} about ${plural(byRule.size, "rule")} in ${exchanges} exchanges.`;
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
