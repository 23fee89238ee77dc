/** Checks of how launches end, and of what the client reports. Each returns what is wrong, or undefined. */
import { isDeepStrictEqual } from "node:util";
import { isObject, type JsonObject, show } from "../../adapters/json.ts";
import {
  type ClientExchange,
  exchangesOf,
  type History,
  hasStatus,
  inputOf,
  isAnsweredBefore,
  type Launch,
  type LaunchResult,
  resultOf,
} from "../history.ts";
import type { Fault } from "../trial.ts";

type Exchanges = readonly ClientExchange[];

/** Faults that leave a response legal. Rules of their own require that a client works with them. */
const LEGAL_FAULTS: readonly (keyof Fault)[] = [
  "add",
  "headers",
  "timestamps",
  "message",
  "bearer",
  "spelling",
];

/** Excludes launches with legal faults and launches without a valid result. Other rules find these. */
export function withoutDraft(launch: Launch, exchanges: Exchanges): string | undefined {
  const isFoundElsewhere = resultOf(launch) === undefined || hasFault(exchanges, LEGAL_FAULTS);
  return lacksDraft(launch, exchanges) && !isFoundElsewhere ? describeEnd(launch) : undefined;
}

/** Returns a check for launches that end without a draft after one of these faults. */
export function withoutDraftAfter(...faultNames: readonly (keyof Fault)[]) {
  return (launch: Launch, exchanges: Exchanges): string | undefined =>
    lacksDraft(launch, exchanges) && hasFault(exchanges, faultNames) ? describeEnd(launch) : undefined;
}

export function withWrongReport(launch: Launch, exchanges: Exchanges, history: History): string | undefined {
  const { kind, value } = resultOf(launch) ?? {};
  if (kind === "draft") {
    const isReceived = isReceivedDraft(value, launch, exchanges, history);
    return isReceived ? undefined : `the draft ${show(value)}`;
  }
  if (kind !== "refused" || !isObject(value)) return undefined;
  if (!isReceivedRefusal(value, exchanges)) return `the refusal ${show(value)}`;
  return isDraftIgnored(exchanges)
    ? `the refusal ${show(value)}, although the last build got 200`
    : undefined;
}

/** Returns the error of a launch that sent a request, or a result that does not follow the client protocol. */
export function withoutResult(launch: Launch, exchanges: Exchanges): string | undefined {
  const { end } = launch;
  if (end.kind === "error") return exchanges.length > 0 ? end.reason : undefined;
  return end.kind === "result" && !isValidResult(resultOf(launch)) ? show(end.result) : undefined;
}

/** Returns how the kit stopped a launch that sent at least one request, or undefined. */
export function withoutEnd({ end }: Launch, exchanges: Exchanges): string | undefined {
  if (exchanges.length === 0) return undefined;
  if (end.kind === "request limit") return `no end after ${exchanges.length} requests`;
  return end.kind === "timeout" ? `no end in time, after ${exchanges.length} requests` : undefined;
}

function describeEnd({ end }: Launch): string {
  if (end.kind === "result") return show(end.result);
  return end.kind === "error" ? end.reason : `no end (${end.kind})`;
}

/** Returns whether a launch has to end with a draft, but does not. */
function lacksDraft(launch: Launch, exchanges: Exchanges): boolean {
  if (resultOf(launch)?.kind === "draft" || !isDeepStrictEqual(launch.step.expected, ["draft"])) return false;
  return exchanges.length > 0 || launch.end.kind === "result";
}

function hasFault(exchanges: Exchanges, names: readonly (keyof Fault)[]): boolean {
  return exchanges.some(({ fault }) => names.some((name) => name in fault));
}

/** Returns whether a result follows the protocol. A missing member can be null. */
function isValidResult(result: LaunchResult | undefined): boolean {
  if (result === undefined) return false;
  const { kind, value } = result;
  if (kind === "draft") return true;
  if (kind === "distrusted") return typeof value === "string";
  if (!isObject(value)) return false;
  const { status, code, reason } = value;
  const isOptionalString = (member: unknown) => isMissing(member) || typeof member === "string";
  const isStatus = isMissing(status) || Number.isInteger(status);
  return isStatus && isOptionalString(code) && isOptionalString(reason);
}

function isMissing(value: unknown): boolean {
  return value === undefined || value === null;
}

/** Returns whether a build of the launch returned the reported draft. */
function isReceivedDraft(draft: unknown, launch: Launch, exchanges: Exchanges, history: History): boolean {
  const isBuildOfLaunch = (build: ClientExchange) => {
    if (isDeepStrictEqual(inputOf(build), launch.input)) return true;
    // A launch may change its input after a refusal.
    const isCertain =
      build.launches.length === 1 ||
      exchanges.some((earlier) => hasStatus(earlier, 400) && isAnsweredBefore(earlier, build));
    return exchanges.includes(build) && isCertain;
  };
  return exchangesOf("build", history).some(
    (build) => hasStatus(build, 200) && isBuildOfLaunch(build) && isReportOf(draft, build.body, history),
  );
}

/**
 * Returns whether a reported draft has all fields of the contract, and no value that the response does not
 * have.
 */
function isReportOf(reported: unknown, received: unknown, { responses }: History): boolean {
  const named = new Set([
    ...responses.memberNames("build"),
    ...responses.memberNames("build", "cost"),
    ...responses.memberNames("build", "cost", "accounts", "*"),
  ]);
  const withNamedFields = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(withNamedFields);
    if (!isObject(value)) return value;
    const fields = Object.entries(value).filter(([name]) => named.has(name));
    return Object.fromEntries(fields.map(([name, child]) => [name, withNamedFields(child)]));
  };
  return isPartOf(reported, received) && isPartOf(withNamedFields(received), reported);
}

/** Returns whether a JSON value contains all members of another. */
function isPartOf(part: unknown, whole: unknown): boolean {
  if (Array.isArray(part)) {
    if (!Array.isArray(whole) || part.length !== whole.length) return false;
    return part.every((item, index) => isPartOf(item, whole[index]));
  }
  if (!isObject(part)) return part === whole;
  if (!isObject(whole)) return false;
  return Object.entries(part).every(
    ([name, child]) => Object.hasOwn(whole, name) && isPartOf(child, whole[name]),
  );
}

/** Returns whether the launch got a response with the reported status and code, or reports neither. */
function isReceivedRefusal({ status, code }: JsonObject, exchanges: Exchanges): boolean {
  if (isMissing(status) && isMissing(code)) return true;
  return exchanges.some(
    (exchange) =>
      (isMissing(status) || hasStatus(exchange, Number(status))) &&
      (isMissing(code) || exchange.body["code"] === code),
  );
}

/**
 * Returns whether a launch reports an earlier refusal, although its last request got a draft. Ignores
 * launches whose requests overlap or are not certain, and drafts that the script changed.
 */
function isDraftIgnored(exchanges: Exchanges): boolean {
  const last = exchanges.at(-1);
  if (last?.operation !== "build" || !hasStatus(last, 200) || last.launches.length > 1) return false;
  const isChanged = Object.keys(last.fault).length > 0;
  const earlier = exchanges.slice(0, -1);
  if (isChanged || !earlier.every(({ answeredIndex }) => answeredIndex < last.sentIndex)) return false;
  return earlier.some((exchange) => !hasStatus(exchange, 200));
}
