/** Judges the history of one trial by all rules. */
import type { Contract, Rule } from "../contract/contract.ts";
import type { Difference } from "../judge/difference.ts";
import type { Finding, Result } from "../play/result.ts";
import { textsOf } from "../report/wording.ts";
import { type ClientExchange, exchangesOf, type History } from "./history.ts";
import { observe } from "./observe.ts";
import { MIN_BEARER_LENGTH, REQUEST_RULES } from "./rules/requests.ts";
import { RESULT_RULES } from "./rules/results.ts";
import { RETRY_RULES } from "./rules/retries.ts";
import type { RuleTest, Violation } from "./rules/rule.ts";
import { SECRET_RULES } from "./rules/secrets.ts";
import { TRUST_RULES } from "./rules/trust.ts";
import type { Trial } from "./trial.ts";

/** A report must not show the requests that violate this rule. */
const SECRET_RULE = "CLIENT-SECRET-1";
/** Maximum number of findings about one rule in one trial. */
const MAX_FINDINGS = 3;

interface FoundViolation extends Violation {
  readonly rule: Rule;
  readonly test: RuleTest;
}

/** The tests of the rules for clients, by the IDs of the rules (`vectors/contract/client/rules.yaml`). */
const RULES: ReadonlyMap<string, RuleTest> = new Map(
  [RESULT_RULES, REQUEST_RULES, RETRY_RULES, SECRET_RULES, TRUST_RULES]
    .flatMap((table) => Object.entries(table))
    .map(([id, rule]) => [`CLIENT-${id}`, rule]),
);

/** Returns the result of a trial. */
export function judge(trial: Trial, history: History, contract: Contract): Result {
  const violations = [...contract.rules.values()].flatMap((rule) => {
    const test = RULES.get(rule.id);
    return test === undefined ? [] : test.check(history).map((one) => ({ rule, test, ...one }));
  });
  const isRequired = ({ rule, test }: FoundViolation) =>
    rule.level === "required" && !(history.isDelayed && test.endsTrial === true);
  const hasCause = violations.some((one) => isRequired(one) && one.test.endsTrial !== true);
  const counted = violations.filter(({ test }) => !(hasCause && test.isConsequence === true));
  const secrets = new Set(counted.filter(({ rule }) => rule.id === SECRET_RULE).map((one) => one.exchange));
  // A request that shows the cause precedes the end of the launch.
  const inOrder = counted.filter(isRequired).sort((one, other) => rankOf(one) - rankOf(other));
  const redact = redactor(history);
  const findings = firstOfEachRule(inOrder, MAX_FINDINGS).map((violation) =>
    findingOf(violation, trial, history, secrets, redact),
  );
  const optional = counted.filter(({ rule }) => rule.level !== "required");
  const notTested = notTestedRules(trial, history, violations);
  return {
    vector: trial,
    ...outcomeOf(trial, history, findings, notTested),
    findings,
    // An early deadline ends launches that the client would continue.
    observations: trial.deadlineMs === undefined ? observe(history) : [],
    recommendations: firstOfEachRule(optional, 1).map((violation) => {
      const { expected, got } = textsOf({ difference: differenceOf(violation, redact) });
      return { rule: violation.rule.id, message: `expected ${expected}, got ${got}` };
    }),
    notTested,
  };
}

function rankOf({ test }: FoundViolation): number {
  return test.endsTrial === true ? 1 : 0;
}

/** Replaces the bearers of a trial in a text. A report must not show a path with one. */
type Redact = (text: string) => string;

function redactor(history: History): Redact {
  const bearers = exchangesOf("verify", history).map(({ body }) => body["bearer"]);
  const secrets = bearers.filter((one) => typeof one === "string" && one.length >= MIN_BEARER_LENGTH);
  return (text) =>
    secrets.reduce<string>((rest, bearer) => rest.replaceAll(bearer as string, "<bearer>"), text);
}

function differenceOf({ test: { expected }, got }: FoundViolation, redact: Redact): Difference {
  if (typeof got === "string") return { kind: "behavior", expected, got: redact(got) };
  return { kind: "values", values: JSON.parse(redact(JSON.stringify(got))) };
}

function firstOfEachRule(violations: readonly FoundViolation[], count: number): readonly FoundViolation[] {
  return violations.filter(
    ({ rule }, index) => violations.slice(0, index).filter((earlier) => earlier.rule === rule).length < count,
  );
}

function findingOf(
  violation: FoundViolation,
  trial: Trial,
  { exchanges }: History,
  secrets: ReadonlySet<ClientExchange | undefined>,
  redact: Redact,
): Finding {
  const { rule, test, exchange, launch = exchange?.launches[0] } = violation;
  const withoutBearer = ({ request, ...others }: ClientExchange) => {
    return { ...others, request: { ...request, path: redact(request.path) } };
  };
  const step = launch?.step.step ?? "1";
  const position = exchange && launch?.exchanges.indexOf(exchange);
  return {
    rules: [rule.id],
    step: position === undefined ? step : `${step}, request ${position + 1}`,
    place: launch?.step.place ?? trial.place,
    clockMs: Math.max(0, Math.round((exchange?.atMs ?? 0) - (exchanges[0]?.atMs ?? 0))),
    ...(exchange !== undefined && !secrets.has(exchange) && { exchange: withoutBearer(exchange) }),
    difference: differenceOf(violation, redact),
    malformed: false,
    incidental: !trial.rules.includes(rule.id) && test.endsTrial !== true,
  };
}

/** Returns the rules of the trial that it did not test, with the reasons. */
function notTestedRules(trial: Trial, history: History, violations: readonly FoundViolation[]) {
  const reasonOf = (id: string): string | undefined => {
    if (history.isDelayed) return "the machine was too busy to judge how the launch ends";
    if (history.missingFaults > 0) return "a scripted fault did not occur, because no request matched";
    if (violations.some(({ rule }) => rule.id === id)) return "a violation of another rule may be the cause";
    const need = RULES.get(id)?.testedBy;
    return need?.isMet(history) === false ? need.otherwise : undefined;
  };
  const reasons = trial.rules.map((id) => [id, reasonOf(id)] as const);
  return new Map(reasons.filter((one): one is [string, string] => one[1] !== undefined));
}

function outcomeOf(
  trial: Trial,
  { launches, isDelayed }: History,
  findings: readonly Finding[],
  notTested: ReadonlyMap<string, string>,
): Pick<Result, "outcome" | "reason"> {
  if (findings.some(({ incidental }) => !incidental)) return { outcome: "failed" };
  const broken = launches.find(({ end }) => end.kind !== "result");
  // A launch that fails after a request violates a rule. A launch that fails before any request is an error.
  if (broken?.exchanges.length === 0 && !isDelayed) {
    const { end } = broken;
    const reason = end.kind === "error" ? end.reason : "no request was sent, and the launch did not end";
    return { outcome: "error", reason };
  }
  const [reason = ""] = notTested.values();
  return notTested.size === trial.rules.length ? { outcome: "skipped", reason } : { outcome: "passed" };
}
