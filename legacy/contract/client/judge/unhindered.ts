import type { Violation } from "../../../engine/client/trace.ts";
import { show } from "../../../engine/play/judgement.ts";
import { readBody } from "../../model/body-reading.ts";
import { launchFaults } from "../../model/build-faults.ts";
import { BUILDS_PER_MINUTE, OUTCOMES } from "../../operations.ts";
import {
  type Asked,
  answerInWords,
  type ClientReading,
  gotAnswer,
  type Launch,
  leftAlone,
} from "./client-reading.ts";
import { requestName, requestsOf } from "./found.ts";
import { isAsGiven, meantRoute } from "./requests.ts";
import type { LegalChange, StageKnowledge } from "./stage-knowledge.ts";

/**
 * Judges unhindered launches: the input is valid, and every response is legal and not a refusal. They end with a draft;
 * otherwise the violated rule is the one about what the service did.
 * @param broken violations found so far: a client that was refused for one is not blamed twice
 */
export function judgeUnhindered(
  reading: ClientReading,
  knowledge: StageKnowledge,
  broken: readonly Violation[],
): readonly Violation[] {
  return reading.launches.flatMap((launch) => {
    if (launch.result?.kind === "draft" || mayBeRefused(launch, reading, knowledge)) return [];
    const own = requestsOf(launch, reading);
    if (launch.result === undefined && own.length === 0) return [];
    if (own.some((one) => isBlamed(one, broken) || isHindered(one, reading, knowledge))) return [];
    if (launch.result !== undefined && mayBeHeldBack(launch, own, reading)) return [];
    const changes = new Set(own.flatMap(({ turn }) => knowledge.changes?.(turn) ?? []));
    // Another rule reports how it ended; this one reports which change of the service caused it.
    const isTold = launch.result === undefined || launch.result.kind === "malformed";
    if (isTold && changes.size === 0) return [];
    const last = own.at(-1);
    const meant = last?.operation === "other" ? meantRoute(last) : undefined;
    if (last !== undefined && meant !== undefined) return [missedRoute(launch, last, meant)];
    return ruleOf(changes).map((rule) => ({
      rule,
      message:
        changes.size === 0
          ? "a launch that nothing stands in the way of ends without a draft"
          : `a launch ends without a draft where the service has ${[...changes].map((one) => CHANGES[one]).join(" and ")}`,
      expected: "draft",
      got: `${endOf(launch)}, ${last === undefined ? "nothing asked" : `the last answer ${answerInWords(last)} to ${requestName(last)}`}`,
      ...(last === undefined ? {} : { turn: last.turn.index }),
      task: launch.record.id,
    }));
  });
}

/** The violation by a launch that ends at a request which misses its route. */
function missedRoute({ record }: Launch, last: Asked, meant: string): Violation {
  const { method, target } = last.turn.request;
  return {
    rule: "CLIENT-FLOW-1",
    message: "a launch ends without a draft, since a request misses its route",
    expected: `${meant}, letter for letter`,
    got: `${show(`${method} ${target}`)}, answered ${answerInWords(last)}`,
    turn: last.turn.index,
    task: record.id,
  };
}

const RULES: Readonly<Record<LegalChange, string>> = {
  members: "CLIENT-TOLERANCE-1",
  headers: "CLIENT-TOLERANCE-1",
  timestamps: "CLIENT-TOLERANCE-2",
  message: "CLIENT-TOLERANCE-3",
  bearer: "CLIENT-TOLERANCE-3",
  spelling: "CLIENT-TOLERANCE-4",
};

const CHANGES: Readonly<Record<LegalChange, string>> = {
  members: "members that the contract does not name",
  headers: "headers that the contract does not name",
  timestamps: "timestamps of another form",
  message: "challenge messages of another layout",
  bearer: "bearers of another form",
  spelling: "another spelling of JSON",
};

function ruleOf(changes: ReadonlySet<LegalChange>): readonly string[] {
  if (changes.size === 0) return ["CLIENT-FLOW-1"];
  return [...new Set([...changes].map((change) => RULES[change]))];
}

function endOf({ result, record }: Launch): string {
  switch (result?.kind) {
    case "refused":
      return `refused ${show({ status: result.status, code: result.code, reason: result.reason }, 160)}`;
    case "distrusted":
      return `distrusted: ${show(result.reason, 160)}`;
    case "malformed":
      return "no result of the protocol";
    default:
      return record.end.kind === "broke" ? "the client broke" : "no result";
  }
}

/** Whether some legal service refuses the input. */
export function mayBeRefused(
  { input }: Launch,
  { asked }: ClientReading,
  { facts }: StageKnowledge,
): boolean {
  const profile = asked.find(({ operation, status }) => operation === "platform" && status === 200)?.answer;
  const { platform, feeWallet, withdrawAuthority } = profile ?? {};
  const keys = {
    platform: [platform, feeWallet, withdrawAuthority],
    operator: facts.operatorKey,
  };
  return launchFaults(readBody(JSON.stringify(input)), facts.metadataHosts, keys).length > 0;
}

/** Rules about how a launch ends, which do not say why. */
const OF_ENDS: ReadonlySet<string> = new Set(["CLIENT-FLOW-3", "CLIENT-LIMIT-2"]);

function isBlamed({ turn }: Asked, broken: readonly Violation[]): boolean {
  return broken.some((violation) => violation.turn === turn.index && !OF_ENDS.has(violation.rule));
}

const MINUTE_MS = 60_000;

/**
 * Whether a client that knows the contract may end a launch early: its creator has used all builds of a minute, by any clock,
 * or the requests that it does not send had failed before or were refused for lack of capacity, as by a circuit breaker.
 */
function mayBeHeldBack(
  { creator, record }: Launch,
  own: readonly Asked[],
  { asked }: ClientReading,
): boolean {
  const isUnasked = ({ operation }: Asked) => own.every((one) => one.operation !== operation);
  const before = asked.filter((one) => one.turn.index < record.toTurn && isUnasked(one));
  const builds = before.filter(
    (one) =>
      one.operation === "build" && one.creator === creator && record.endedAtMs - one.turn.atMs < MINUTE_MS,
  );
  if (builds.length >= BUILDS_PER_MINUTE) return true;
  return before.some((one) => leftAlone(one) || one.status === OUTCOMES.full.status);
}

/** Whether a launch may end at a response: the script disturbed it, or it refuses a correct request. */
function isHindered(asked: Asked, reading: ClientReading, { changes }: StageKnowledge): boolean {
  const { turn, status, operation, body, bearer } = asked;
  const changed = changes?.(turn) ?? [];
  if ((turn.disturbed !== undefined && changed.length === 0) || turn.answer.kind === "lost") return true;
  switch (status) {
    case 400:
      return operation === "build" && isAsGiven(asked, reading) && body.kind === "object";
    case 401:
      return operation === "build"
        ? reading.sessions.has(bearer ?? "")
        : gotAnswer(asked, OUTCOMES.spentChallenge) && reading.challenges.has(String(body.members["id"]));
    case 409:
    case 429:
      return true;
    default:
      return status !== undefined && status >= 500;
  }
}
