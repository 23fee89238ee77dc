/** Rules about how launches end, and about what the client reports. */
import { isDeepStrictEqual } from "node:util";
import { namedMembersOf, type WrongValue } from "../../contract/response-schemas.ts";
import { isObject, type JsonObject, show, valueAt } from "../../data/json.ts";
import {
  type ClientExchange,
  exchangesOf,
  type History,
  hasStatus,
  inputOf,
  isAnsweredBefore,
  type Launch,
  resultOf,
} from "../history.ts";
import type { Fault } from "../trial.ts";
import { DRAFT, launches, type RuleTable, type RuleTest, received } from "./rule.ts";

/** Faults that leave a response legal, by the rule that requires a draft despite these faults. */
const LEGAL_FAULTS: Readonly<Record<string, readonly [reason: string, ...(keyof Fault)[]]>> = {
  "TOLERANCE-1": ["responses have additional fields and headers", "add", "headers"],
  "TOLERANCE-2": ["timestamps have an unusual form", "timestamps"],
  "TOLERANCE-3": ["the message or the bearer has an unusual form", "message", "bearer"],
  "TOLERANCE-4": ["the JSON is formatted in an unusual way", "spelling"],
};

/** Maximum number of changed values of a draft to show. */
const MAX_CHANGES = 5;

export const RESULT_RULES: RuleTable = {
  // Other rules cover launches with legal faults and launches without a valid result.
  "FLOW-1": requiringDraft("a draft", (launch, faults) => {
    const names = Object.values(LEGAL_FAULTS).flatMap(([, ...each]) => each);
    return resultOf(launch) !== undefined && !names.some((name) => faults.has(name));
  }),
  "FLOW-2": {
    expected: "the draft or the refusal that the service returned",
    testedBy: DRAFT,
    check: launches((launch, history) => {
      const { kind, value } = resultOf(launch) ?? {};
      if (kind === "draft") return changesOfDraft(value, launch, history);
      if (kind !== "refused" || !isObject(value)) return undefined;
      if (!isReceivedRefusal(value, launch))
        return `a refusal that the launch did not receive: ${show(value)}`;
      return isDraftIgnored(launch) && `the refusal ${show(value)}, although the last build got 200`;
    }),
  },
  // An error of a launch counts only if the launch sent a request.
  "FLOW-3": {
    expected: "a result that the client protocol defines",
    testedBy: DRAFT,
    endsTrial: true,
    check: launches((launch) => {
      const { end, exchanges } = launch;
      if (end.kind === "error") return exchanges.length > 0 && end.reason;
      return end.kind === "result" && !isValidResult(launch) && show(end.result);
    }),
  },
  "LIMIT-2": {
    expected: "a launch that ends in time, after a bounded number of requests",
    testedBy: received(
      "refusal or error after the profile",
      (one) => one.operation !== "platform" && !hasStatus(one, 200),
    ),
    endsTrial: true,
    check: launches(({ end: { kind }, exchanges: { length } }) => {
      if (length === 0 || kind === "result" || kind === "error") return undefined;
      return `a launch that did not end ${kind === "timeout" ? "in time, " : ""}after ${length} requests`;
    }),
  },
  ...Object.fromEntries(
    Object.entries(LEGAL_FAULTS).map(([id, [reason, ...names]]) => [
      id,
      requiringDraft(`a draft, although ${reason}`, (_, faults) => names.some((name) => faults.has(name))),
    ]),
  ),
};

/** Returns a rule that requires a draft from each launch for which `applies` returns true. */
function requiringDraft(
  expected: string,
  applies: (launch: Launch, faults: ReadonlySet<string>) => boolean,
): RuleTest {
  const check = launches((launch) => {
    const { end, step, exchanges } = launch;
    if (resultOf(launch)?.kind === "draft" || !isDeepStrictEqual(step.expected, ["draft"])) return undefined;
    if (exchanges.length === 0 && end.kind !== "result") return undefined;
    // Every client may reach a limit, so a refusal without a scripted fault is not a violation.
    const isFull = (one: ClientExchange) => hasStatus(one, 429) && one.fault.refuse === undefined;
    if (exchanges.some(isFull)) return undefined;
    if (!applies(launch, new Set(exchanges.flatMap(({ fault }) => Object.keys(fault))))) return undefined;
    if (end.kind === "result") return show(end.result);
    return end.kind === "error" ? end.reason : `a launch that did not end (${end.kind})`;
  });
  return { expected, testedBy: DRAFT, isConsequence: true, endsTrial: true, check };
}

/** Returns whether a result follows the protocol. An optional member can be missing or null. */
function isValidResult(launch: Launch): boolean {
  const { kind, value } = resultOf(launch) ?? {};
  if (kind === "draft") return isObject(value);
  if (kind === "distrusted") return typeof value === "string";
  if (kind === undefined || !isObject(value)) return false;
  const { status, code, reason } = value;
  const isText = (member: unknown) => isMissing(member) || typeof member === "string";
  const isCode = isText(code) || launch.exchanges.some(({ body }) => isDeepStrictEqual(body["code"], code));
  return isCode && isText(reason) && (isMissing(status) || Number.isInteger(status));
}

function isMissing(value: unknown): boolean {
  return value === undefined || value === null;
}

/** Returns how a reported draft differs from the most similar draft that the launch received, or undefined. */
function changesOfDraft(draft: unknown, { input, exchanges }: Launch, history: History) {
  const isBuildOfLaunch = (build: ClientExchange) => {
    if (isDeepStrictEqual(inputOf(build), input)) return true;
    // A launch may change its input after a refusal.
    const isCertain =
      build.launches.length === 1 ||
      exchanges.some((earlier) => hasStatus(earlier, 400) && isAnsweredBefore(earlier, build));
    return exchanges.includes(build) && isCertain;
  };
  // Not an object if the response is lost, or not JSON.
  const bodyOf = ({ envelope }: ClientExchange) => valueAt(envelope, ["body"]);
  const drafts = exchangesOf("build", history).filter(
    (build) => build.status === 200 && isObject(bodyOf(build)),
  );
  const [own, others] = [true, false].map((isOwn) =>
    drafts
      .filter((build) => isBuildOfLaunch(build) === isOwn)
      .map((build) => changesOf(draft, bodyOf(build), namedMembersOf("build", build.body), "draft"))
      .sort((one, other) => one.length - other.length),
  );
  const [changes] = own ?? [];
  if (changes?.length === 0) return undefined;
  if (changes === undefined || others?.[0]?.length === 0)
    return `a draft that the launch did not receive: ${show(draft)}`;
  return changes.slice(0, MAX_CHANGES);
}

/**
 * Returns each place where a reported value differs from the received one. A reported object may lack members that
 * the contract does not name.
 * @param named the received value without these members
 */
function changesOf(
  reported: unknown,
  received: unknown,
  named: unknown,
  path: string,
): readonly WrongValue[] {
  const change = { path, expected: received === undefined ? "no member" : show(received), got: reported };
  const isList = Array.isArray(received) && Array.isArray(reported) && received.length === reported.length;
  if (!isList && !(isObject(received) && isObject(reported))) return received === reported ? [] : [change];
  // A name can be `__proto__`.
  return Object.keys({ ...Object(reported), ...Object(named) }).flatMap((name) => {
    const [to, from, required] = [reported, received, named].map((value) => valueAt(value, [name]));
    return changesOf(to, from, required, `${path}.${name}`);
  });
}

/** Returns whether the launch got a response with the status and code that the client reported, if any. */
function isReceivedRefusal({ status, code }: JsonObject, { exchanges }: Launch): boolean {
  if (isMissing(status) && isMissing(code)) return true;
  return exchanges.some(
    (exchange) =>
      (isMissing(status) || [exchange.status, exchange.halfStatus].includes(status as number)) &&
      (isMissing(code) || isReportOfCode(code, exchange.body["code"])),
  );
}

/** Returns whether a client may report a code in this form. Only a code that is a text has one form. */
function isReportOfCode(reported: unknown, received: unknown): boolean {
  return reported === received || !(isMissing(received) || typeof received === "string");
}

/**
 * Returns whether a launch got a draft in its last response, although an earlier request did not succeed.
 * False if requests overlap, if the last request may be of another launch, or if a fault changed the draft.
 */
function isDraftIgnored({ exchanges }: Launch): boolean {
  const last = exchanges.at(-1);
  if (last?.operation !== "build" || !hasStatus(last, 200) || last.launches.length > 1) return false;
  const isChanged = Object.keys(last.fault).length > 0;
  const earlier = exchanges.slice(0, -1);
  if (isChanged || !earlier.every(({ answeredIndex }) => answeredIndex < last.sentIndex)) return false;
  return earlier.some((exchange) => !hasStatus(exchange, 200));
}
