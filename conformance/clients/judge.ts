/** Judges the history of one trial by all rules. */
import type { Contract, Rule } from "../contract/contract.ts";
import type { Finding, Result } from "../play/result.ts";
import type { ClientExchange, History, Launch } from "./history.ts";
import { observe } from "./observe.ts";
import { RULES } from "./rules/index.ts";
import type { RuleTest, Violation } from "./rules/rule.ts";
import type { Trial } from "./trial.ts";

/** A report must not show the requests that violate this rule. */
const SECRET_RULE = "CLIENT-SECRET-1";
/** Maximum number of findings about one rule in one trial. */
const MAX_FINDINGS = 3;

interface FoundViolation extends Violation {
  readonly rule: Rule;
  readonly test: RuleTest;
}

/** Returns the result of a trial. */
export function judge(trial: Trial, history: History, contract: Contract): Result {
  const violations = [...contract.rules.values()].flatMap((rule) => {
    const test = RULES.get(rule.id);
    return (test?.check(history) ?? []).map(
      (one): FoundViolation => ({ rule, test: test as RuleTest, ...one }),
    );
  });
  const isRequired = ({ rule }: FoundViolation) => rule.level === "required";
  const hasCause = violations.some((one) => isRequired(one) && one.test.endsTrial !== true);
  const counted = violations.filter(({ test }) => !(hasCause && test.isConsequence === true));
  const secrets = new Set(counted.filter(({ rule }) => rule.id === SECRET_RULE).map((one) => one.exchange));
  const findings = firstOfEachRule(counted.filter(isRequired), MAX_FINDINGS).map((violation) =>
    findingOf(violation, trial, history, secrets),
  );
  const notTested = notTestedRules(trial, history, violations);
  const recommendations = firstOfEachRule(
    counted.filter((one) => !isRequired(one)),
    1,
  ).map(({ rule, test, got }) => ({ rule: rule.id, message: `expected ${test.expected}, got ${got}` }));
  return {
    vector: trial,
    ...outcomeOf(trial, history, findings, notTested),
    findings,
    observations: observe(history),
    recommendations,
    notTested,
  };
}

function firstOfEachRule(violations: readonly FoundViolation[], count: number): readonly FoundViolation[] {
  return violations.filter(
    ({ rule }, index) => violations.slice(0, index).filter((earlier) => earlier.rule === rule).length < count,
  );
}

function findingOf(
  { rule, test, exchange, launch, got }: FoundViolation,
  trial: Trial,
  history: History,
  secrets: ReadonlySet<ClientExchange | undefined>,
): Finding {
  const shownLaunch = launch ?? exchange?.launches[0];
  return {
    rules: [rule.id],
    step: placeOf(exchange, shownLaunch, history),
    place: shownLaunch?.step.place ?? trial.place,
    clockMs: Math.max(0, Math.round((exchange?.atMs ?? 0) - (history.exchanges[0]?.atMs ?? 0))),
    ...(exchange !== undefined && !secrets.has(exchange) && { exchange }),
    expected: test.expected,
    got,
    paths: [],
    malformed: false,
    incidental: !trial.rules.includes(rule.id) && test.endsTrial !== true,
  };
}

/** Returns the step of a launch, and the number of a request in it. */
function placeOf(
  exchange: ClientExchange | undefined,
  launch: Launch | undefined,
  { exchanges }: History,
): string {
  const step = launch?.step.step ?? "1";
  if (exchange === undefined || launch === undefined) return step;
  const own = exchanges.filter(({ launches }) => launches.includes(launch));
  return `${step}, request ${own.indexOf(exchange) + 1}`;
}

/** Returns the rules of the trial that it did not test, with the reasons. */
function notTestedRules(
  trial: Trial,
  history: History,
  violations: readonly FoundViolation[],
): ReadonlyMap<string, string> {
  const reasonOf = (id: string): string | undefined => {
    if (history.missingFaults > 0) return "the client sent no request that a scripted fault applies to";
    if (violations.some(({ rule }) => rule.id === id)) return "another violation may explain the failure";
    const need = RULES.get(id)?.testedBy;
    return need === undefined || need.isMet(history) ? undefined : need.otherwise;
  };
  const reasons = trial.rules.map((id) => [id, reasonOf(id)] as const);
  return new Map(reasons.filter((one): one is [string, string] => one[1] !== undefined));
}

function outcomeOf(
  trial: Trial,
  { launches, exchanges }: History,
  findings: readonly Finding[],
  notTested: ReadonlyMap<string, string>,
): Pick<Result, "outcome" | "reason"> {
  if (findings.some(({ incidental }) => !incidental)) return { outcome: "failed" };
  const broken = launches.find(({ end }) => end.kind !== "result");
  // A launch that fails after a request violates a rule. A launch that fails before any request is an error.
  if (broken !== undefined && !exchanges.some((exchange) => exchange.launches.includes(broken))) {
    const { end } = broken;
    const reason = end.kind === "error" ? end.reason : "the launch did not end, and sent no request";
    return { outcome: "error", reason };
  }
  const [first = ""] = notTested.values();
  return notTested.size === trial.rules.length
    ? { outcome: "skipped", reason: first }
    : { outcome: "passed" };
}
