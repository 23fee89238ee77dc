/** Observes client behavior that the contract leaves open. */
import { LIFETIME_MS, OUTCOMES } from "../contract/constants.ts";
import { matchesOutcome } from "../contract/outcome.ts";
import { IDEMPOTENCY_KEY } from "../contract/refusals.ts";
import type { Observation } from "../judge/judgment.ts";
import { launchFaults } from "../model/launch-faults.ts";
import {
  type ClientExchange,
  exchangesOf,
  exchangesOfLaunch,
  type History,
  hasStatus,
  hasUnknownOutcome,
  haveSameInput,
  type Launch,
  resultOf,
  sessionOf,
} from "./history.ts";
import { departuresOf } from "./rules/trust.ts";

/** Returns the readings of open points that a trial showed, each once. */
export function observe(history: History): readonly Observation[] {
  const observations = history.launches.flatMap((launch) => observeLaunch(launch, history));
  const distinct = new Map(observations.map((one) => [`${one.point} ${one.reading}`, one]));
  return [...distinct.values()];
}

function observeLaunch(launch: Launch, history: History): readonly Observation[] {
  const own = exchangesOfLaunch(launch, history);
  // A launch shows nothing if it has no result, or if another launch may have sent its requests.
  if (resultOf(launch) === undefined || own.some(({ launches }) => launches.length > 1)) return [];
  const earlier = history.launches.slice(0, history.launches.indexOf(launch));
  const before = earlier.filter((one) =>
    exchangesOfLaunch(one, history).every(({ answeredIndex }) => answeredIndex < launch.startIndex),
  );
  return [
    ...firstOfEachPoint(own.flatMap((exchange, index) => reactionTo(exchange, own.slice(index + 1)))),
    ...observeReuse(launch, own, before, history),
    ...observeKeys(launch, own, before, history),
    ...observeInput(launch, own, history),
    ...observeTrust(launch, history),
  ];
}

/** Only the first reaction counts, because every client gives up in the end. */
function firstOfEachPoint(observations: readonly Observation[]): readonly Observation[] {
  const isFirst = ({ point }: Observation, index: number) =>
    observations.findIndex((one) => one.point === point) === index;
  return observations.filter(isFirst);
}

/** Observes the reaction to a response: the first later request that serves the same purpose. */
function reactionTo(exchange: ClientExchange, later: readonly ClientExchange[]): readonly Observation[] {
  const { operation } = exchange;
  const next = (...operations: readonly string[]) => later.find((one) => operations.includes(one.operation));
  const again = next(operation);
  const see = (point: string, reading: string) => [{ point, reading }];
  const unless = (retry: string, isRetried: boolean) => (isRetried ? retry : "gives-up");
  if (hasStatus(exchange, 429)) return see("CLIENT-AFTER-429", unless("asks-again", again !== undefined));
  if (hasStatus(exchange, 400)) return see("CLIENT-AFTER-400", unless("changed", again !== undefined));
  if (operation === "platform" || operation === "challenge")
    return hasUnknownOutcome(exchange)
      ? see("CLIENT-LOST-START", unless("asks-again", again !== undefined))
      : [];
  if (operation === "verify") {
    const then = next("challenge", "verify");
    const fresh = unless("new-challenge", then !== undefined);
    if (hasStatus(exchange, 401)) return see("CLIENT-AFTER-401-VERIFY", fresh);
    if (!hasUnknownOutcome(exchange)) return [];
    return see("CLIENT-LOST-VERIFY", then?.operation === "verify" ? "same-proof" : fresh);
  }
  if (operation !== "build") return [];
  const isSameKey = again?.request.idempotencyKey === exchange.request.idempotencyKey;
  const reading = unless(isSameKey ? "same-key" : "new-key", again !== undefined);
  if (hasStatus(exchange, 401))
    return see("CLIENT-AFTER-401-BUILD", unless("new-session", next("challenge", "build") !== undefined));
  if (matchesOutcome(exchange, OUTCOMES.rebuild))
    return see("CLIENT-AFTER-REBUILD", unless("new-key", again !== undefined));
  if (matchesOutcome(exchange, OUTCOMES.conflict)) return see("CLIENT-AFTER-CONFLICT", reading);
  return hasUnknownOutcome(exchange) ? see("CLIENT-AFTER-LOST-BUILD", reading) : [];
}

/** Observes whether a launch reuses the profile and the session of an earlier one. */
function observeReuse(
  launch: Launch,
  own: readonly ClientExchange[],
  before: readonly Launch[],
  history: History,
): readonly Observation[] {
  const [first] = own;
  const build = own.find(({ operation }) => operation === "build");
  if (first === undefined || before.length === 0) return [];
  const isEarlier = ({ sentIndex }: ClientExchange) => sentIndex < launch.startIndex;
  const observations: Observation[] = [];
  if (exchangesOf("platform", history).some((one) => isEarlier(one) && hasStatus(one, 200))) {
    const isAgain = own.some(({ operation }) => operation === "platform");
    observations.push({ point: "CLIENT-PROFILE-REUSE", reading: isAgain ? "again" : "remembered" });
  }
  const session = build === undefined ? undefined : sessionOf(build, history);
  const hasLiveSession = exchangesOf("build", history).some((one) => {
    const opened = sessionOf(one, history);
    const isOfCreator = one.fields["creator"] === launch.creator.address;
    return (
      opened !== undefined &&
      isEarlier(opened) &&
      isOfCreator &&
      first.atMs - opened.atMs < LIFETIME_MS.verify
    );
  });
  if (hasLiveSession && session !== undefined)
    observations.push({
      point: "CLIENT-SESSION-REUSE",
      reading: isEarlier(session) ? "reused" : "another",
    });
  return observations;
}

function observeKeys(
  launch: Launch,
  own: readonly ClientExchange[],
  before: readonly Launch[],
  history: History,
): readonly Observation[] {
  const build = own.find(({ operation }) => operation === "build");
  const key = build?.request.idempotencyKey;
  const observations: Observation[] = [];
  if (key !== undefined && IDEMPOTENCY_KEY.test(key))
    observations.push({ point: "CLIENT-KEY-FORM", reading: formOf(key) });
  const earlier = before
    .filter(({ id }) => id === launch.id)
    .flatMap((one) => exchangesOfLaunch(one, history))
    .filter(({ operation }) => operation === "build");
  const [first] = earlier;
  if (first === undefined || (build !== undefined && !haveSameInput(first, build))) return observations;
  const isSame = earlier.some(({ request }) => request.idempotencyKey === key);
  const reading = build === undefined ? "no-build" : isSame ? "same-key" : "new-key";
  return [...observations, { point: "CLIENT-KEY-OF-LAUNCH", reading }];
}

function formOf(key: string): string {
  if (/^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(key)) return "uuid";
  if (/^[0-9a-f]+$/i.test(key)) return "hex";
  return key.length >= 22 && /[a-z]/.test(key) && /[A-Z]/.test(key) ? "base64url" : "other";
}

/** Observes whether the client sends input that the service may refuse. */
function observeInput(
  launch: Launch,
  own: readonly ClientExchange[],
  { facts }: History,
): readonly Observation[] {
  const field = (name: string) => String(launch.input[name]);
  if (launchFaults(field, { facts, reserved: new Set(), isAccepted: false }).length === 0) return [];
  const isAsked = own.some(({ operation }) => operation === "build");
  // A launch that ended for another reason shows nothing about its input.
  const isServed = own.every((exchange) => hasStatus(exchange, 200));
  if (!isAsked && (resultOf(launch)?.kind !== "refused" || !isServed)) return [];
  return [{ point: "CLIENT-INVALID-INPUT", reading: isAsked ? "asked" : "refused-unasked" }];
}

function observeTrust(launch: Launch, history: History): readonly Observation[] {
  if (departuresOf(launch, history).length === 0) return [];
  const readings = { draft: "believed", distrusted: "distrusted", refused: "gives-up" } as const;
  const { kind } = resultOf(launch) ?? {};
  return kind === undefined ? [] : [{ point: "CLIENT-TRUST", reading: readings[kind] }];
}
