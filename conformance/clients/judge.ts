/** Judges the history of one trial by all rules. */
import type { Contract } from "../contract/contract.ts";
import type { Recommendation } from "../judge/judgment.ts";
import type { Finding, Result } from "../play/result.ts";
import type { ClientExchange, History, Launch } from "./history.ts";
import { observe } from "./observe.ts";
import { RULES } from "./rules/index.ts";
import type { ClientRule, Violation } from "./rules/rule.ts";
import type { Trial } from "./trial.ts";

/** A report must not show requests that this rule finds. */
const SECRET_RULE = "CLIENT-SECRET-1";
/** Maximum number of findings about one rule in one trial. */
const MAX_FINDINGS = 3;

type FoundViolation = Violation & { readonly rule: ClientRule };

/** Returns the result of a trial. */
export function judge(trial: Trial, history: History, contract: Contract): Result {
  const violations = RULES.flatMap((rule) =>
    rule.check(history).map((violation): FoundViolation => ({ rule, ...violation })),
  );
  const isRequired = ({ id }: ClientRule) => contract.rules.get(id)?.level === "required";
  const hasCause = violations.some(({ rule }) => isRequired(rule) && rule.endsTrial !== true);
  const counted = violations.filter(({ rule }) => !(hasCause && rule.isConsequence === true));
  const secrets = new Set(counted.filter(({ rule }) => rule.id === SECRET_RULE).map((one) => one.exchange));
  const findings = firstOfEachRule(counted.filter(({ rule }) => isRequired(rule))).map((violation) =>
    findingOf(violation, trial, history, secrets),
  );
  const notTested = notTestedRules(trial, history, violations);
  return {
    vector: trial,
    ...outcomeOf(trial, history, findings, notTested),
    findings,
    observations: observe(history),
    recommendations: recommendationsOf(counted.filter(({ rule }) => !isRequired(rule))),
    notTested,
  };
}

function firstOfEachRule(violations: readonly FoundViolation[]): readonly FoundViolation[] {
  return violations.filter(
    ({ rule }, index) =>
      violations.slice(0, index).filter((earlier) => earlier.rule === rule).length < MAX_FINDINGS,
  );
}

function findingOf(
  { rule, exchange, launch, got }: FoundViolation,
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
    expected: rule.expected,
    got,
    paths: [],
    malformed: false,
    incidental: !trial.rules.includes(rule.id) && rule.endsTrial !== true,
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
  const reasonOf = (rule: ClientRule): string | undefined => {
    if (history.missingFaults > 0) return "the client sent no request that a scripted fault applies to";
    if (violations.some((violation) => violation.rule === rule)) return "another violation can be the cause";
    return rule.testedBy.isMet(history) ? undefined : rule.testedBy.otherwise;
  };
  const reasons = new Map<string, string>();
  for (const id of trial.rules) {
    const rule = RULES.find((one) => one.id === id);
    const reason = rule === undefined ? undefined : reasonOf(rule);
    if (reason !== undefined) reasons.set(id, reason);
  }
  return reasons;
}

function outcomeOf(
  trial: Trial,
  { launches, exchanges }: History,
  findings: readonly Finding[],
  notTested: ReadonlyMap<string, string>,
): Pick<Result, "outcome" | "reason"> {
  if (findings.some(({ incidental }) => !incidental)) return { outcome: "failed" };
  const broken = launches.find(({ end }) => end.kind !== "result");
  // A client that breaks after a request violates a rule. Before any request, it is an error.
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

/** Returns the first recommendation of each rule. */
function recommendationsOf(violations: readonly FoundViolation[]): readonly Recommendation[] {
  const messages = new Map<string, string>();
  for (const { rule, got } of violations)
    if (!messages.has(rule.id)) messages.set(rule.id, `expected ${rule.expected}, got ${got}`);
  return [...messages].map(([rule, message]) => ({ rule, message }));
}
