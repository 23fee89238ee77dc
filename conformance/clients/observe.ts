/** Observes client behavior that the contract leaves open. */
import { LIFETIME_MS, OUTCOMES } from "../contract/constants.ts";
import { matchesOutcome } from "../contract/outcome.ts";
import { IDEMPOTENCY_KEY } from "../contract/refusals.ts";
import type { Observation } from "../judge/judgment.ts";
import { launchFaults } from "../model/launch-faults.ts";
import {
  type ClientExchange,
  exchangesOf,
  type History,
  hasStatus,
  hasUnknownOutcome,
  haveSameInput,
  isOfGateway,
  type Launch,
  resultOf,
  sessionOf,
} from "./history.ts";
import { departuresOf } from "./rules/trust.ts";

/** Returns the readings of open points that a trial showed, without duplicates. */
export function observe(history: History): readonly Observation[] {
  const distinct = new Map<string, Observation>();
  for (const launch of history.launches)
    for (const [point, reading] of Object.entries(readingsOf(launch, history)))
      if (reading !== undefined) distinct.set(`${point} ${reading}`, { point, reading });
  return [...distinct.values()];
}

/** The reading of each open point, or undefined if the trial did not show one. */
type Readings = Readonly<Record<string, string | undefined>>;

function readingsOf(launch: Launch, history: History): Readings {
  const own = launch.exchanges;
  const result = resultOf(launch);
  // A launch shows nothing if it has no result, or if another launch may have sent its requests.
  if (result === undefined || own.some(({ launches }) => launches.length > 1)) return {};
  const before = history.launches
    .slice(0, history.launches.indexOf(launch))
    .filter(({ exchanges }) => exchanges.every((one) => one.answeredIndex < launch.startIndex));
  const trust = { draft: "believed", distrusted: "distrusted", refused: "gives-up" };
  return {
    ...reactionsOf(own),
    ...(before.length > 0 ? reuseBy(launch, history) : {}),
    ...keysOf(launch, before),
    "CLIENT-INVALID-INPUT": inputReading(launch, history),
    "CLIENT-TRUST": departuresOf(launch, history).length > 0 ? trust[result.kind] : undefined,
  };
}

/** Returns the first reading of each open point. Later readings prove nothing: every client gives up. */
function reactionsOf(own: readonly ClientExchange[]): Readings {
  const readings: Record<string, string> = {};
  for (const [index, exchange] of own.entries()) {
    const [point, reading] = reactionTo(exchange, own.slice(index + 1)) ?? [];
    if (point !== undefined && reading !== undefined) readings[point] ??= reading;
  }
  return readings;
}

/** Returns an open point and its reading. The next request for the same purpose shows the reading. */
function reactionTo(exchange: ClientExchange, later: readonly ClientExchange[]) {
  const { operation } = exchange;
  if (isOfGateway(exchange)) return undefined;
  const isUnknown = hasUnknownOutcome(exchange);
  const next = (...operations: readonly string[]) => later.find((one) => operations.includes(one.operation));
  const again = next(operation);
  const after = (retry: ClientExchange | undefined, reading: string) =>
    retry === undefined ? "gives-up" : reading;
  if (hasStatus(exchange, 429)) return ["CLIENT-AFTER-429", after(again, "asks-again")];
  if (hasStatus(exchange, 400)) return ["CLIENT-AFTER-400", after(again, "changed")];
  if (operation === "platform" || operation === "challenge")
    return isUnknown ? ["CLIENT-LOST-START", after(again, "asks-again")] : undefined;
  if (operation === "verify") {
    const then = next("challenge", "verify");
    if (hasStatus(exchange, 401)) return ["CLIENT-AFTER-401-VERIFY", after(then, "new-challenge")];
    const reading = after(then, then?.operation === "verify" ? "same-proof" : "new-challenge");
    return isUnknown ? ["CLIENT-LOST-VERIFY", reading] : undefined;
  }
  if (operation !== "build") return undefined;
  const isSameKey = again?.request.idempotencyKey === exchange.request.idempotencyKey;
  const reading = after(again, isSameKey ? "same-key" : "new-key");
  if (hasStatus(exchange, 401))
    return ["CLIENT-AFTER-401-BUILD", after(next("challenge", "build"), "new-session")];
  if (matchesOutcome(exchange, OUTCOMES.rebuild)) return ["CLIENT-AFTER-REBUILD", reading];
  if (matchesOutcome(exchange, OUTCOMES.conflict)) return ["CLIENT-AFTER-CONFLICT", reading];
  return isUnknown ? ["CLIENT-AFTER-LOST-BUILD", reading] : undefined;
}

/** Observes whether a launch reuses the profile and the session of an earlier one. */
function reuseBy(launch: Launch, history: History): Readings {
  const [first] = launch.exchanges;
  if (first === undefined) return {};
  const isEarlier = ({ sentIndex }: ClientExchange) => sentIndex < launch.startIndex;
  const hasProfile = exchangesOf("platform", history).some((one) => isEarlier(one) && hasStatus(one, 200));
  const isAgain = exchangesOf("platform", launch).length > 0;
  const [build] = exchangesOf("build", launch);
  const session = build && sessionOf(build, history);
  const hasLiveSession = exchangesOf("build", history).some((one) => {
    const opened = sessionOf(one, history);
    if (opened === undefined || one.fields["creator"] !== launch.creator.address) return false;
    return isEarlier(opened) && first.atMs - opened.atMs < LIFETIME_MS.verify;
  });
  return {
    ...(hasProfile && { "CLIENT-PROFILE-REUSE": isAgain ? "again" : "remembered" }),
    ...(hasLiveSession && session && { "CLIENT-SESSION-REUSE": isEarlier(session) ? "reused" : "another" }),
  };
}

function keysOf(launch: Launch, before: readonly Launch[]): Readings {
  const [build] = exchangesOf("build", launch);
  const key = build?.request.idempotencyKey ?? "";
  const earlier = before.filter(({ id }) => id === launch.id).flatMap((one) => exchangesOf("build", one));
  const [first] = earlier;
  const isRepeated = first !== undefined && (build === undefined || haveSameInput(first, build));
  const isSame = earlier.some(({ request }) => request.idempotencyKey === build?.request.idempotencyKey);
  const reading = build === undefined ? "no-build" : isSame ? "same-key" : "new-key";
  return {
    "CLIENT-KEY-FORM": IDEMPOTENCY_KEY.test(key) ? formOf(key) : undefined,
    "CLIENT-KEY-OF-LAUNCH": isRepeated ? reading : undefined,
  };
}

function formOf(key: string): string {
  if (/^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(key)) return "uuid";
  if (/^[0-9a-f]+$/i.test(key)) return "hex";
  return key.length >= 22 && /[a-z]/.test(key) && /[A-Z]/.test(key) ? "base64url" : "other";
}

/** Observes whether the client sends input that the service may refuse. */
function inputReading(launch: Launch, { facts }: History): string | undefined {
  const { input, exchanges } = launch;
  const field = (name: string) => String(input[name]);
  if (launchFaults(field, { facts, reserved: new Set(), isAccepted: false }).length === 0) return undefined;
  if (exchangesOf("build", launch).length > 0) return "asked";
  // A launch that ended because of a refusal or a lost response shows nothing about its input.
  const isServed = exchanges.every((exchange) => hasStatus(exchange, 200));
  return isServed && resultOf(launch)?.kind === "refused" ? "refused-unasked" : undefined;
}
