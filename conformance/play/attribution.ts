/** Attributes failures to operations that do not work at all. */
import { OUTCOMES } from "../contract/constants.ts";
import { describeResponse, type Exchange } from "../contract/exchange.ts";
import { matchesOutcome, type Outcome } from "../contract/outcome.ts";
import { successRuleOf } from "../contract/response-schemas.ts";
import { LIFETIME_RULES } from "../judge/lifetime.ts";
import type { Finding, Result } from "./result.ts";

/** Statuses of a route that does not exist. */
const MISSING: ReadonlySet<number | undefined> = new Set([404, 405, 501]);
/** Rules that the refusal of a valid request can violate: about bearers of public operations, and paths. */
const RULES_OF_REFUSAL = { unauthorized: /^AUTH-[123]$/, missing: /^VERSION-1$/ };
/** By operation: the operation whose success a valid request needs. */
const PREVIOUS: Readonly<Record<string, string>> = { verify: "challenge", build: "verify" };
/** Minimum number of tests that need the success of an operation that does not work. */
const MIN_TESTS = 3;
/** Number of such tests for each test in which the operation succeeds. */
const MIN_RATIO = 20;

/** The operations that succeeded in tests of a run, and the refusals of requests that had to succeed. */
export class OperationEvidence {
  /** By operation: the number of tests in which it succeeded. */
  readonly #succeeded = new Map<string, number>();
  /** Tests in which a session that must still be valid is refused. */
  readonly #endedSessions = new Set<string>();
  /** By operation: the refusals of requests that had to succeed, each with its tests. */
  readonly #refusals = new Map<string, Map<string, Set<string>>>();

  constructor(results: readonly Result[] = []) {
    for (const result of results) this.add(result);
  }

  add({ vector, findings, succeeded = [] }: Result): void {
    for (const operation of succeeded)
      this.#succeeded.set(operation, (this.#succeeded.get(operation) ?? 0) + 1);
    for (const finding of findings) {
      const { exchange } = finding;
      if (exchange === undefined || !needsSuccess(finding)) continue;
      if (isEndedSession(finding)) this.#endedSessions.add(vector.id);
      const refusals = this.#refusals.get(exchange.operation) ?? new Map<string, Set<string>>();
      const refusal = describeResponse(exchange);
      refusals.set(refusal, (refusals.get(refusal) ?? new Set()).add(vector.id));
      this.#refusals.set(exchange.operation, refusals);
    }
  }

  /**
   * Returns a result with the rules of operations that do not work. If a test needs the success of such an
   * operation, or gets the same refusal as a valid request, it shows only that the operation does not work.
   */
  attribute(result: Result): Result {
    const failures = result.findings.filter(({ incidental }) => !incidental);
    const findings = result.findings.map((finding) =>
      finding.incidental && failures.some((failure) => isCause(finding, failure))
        ? { ...finding, incidental: false }
        : finding,
    );
    return { ...result, findings: findings.map((finding) => this.#attributeFinding(finding)) };
  }

  #attributeFinding(given: Finding): Finding {
    const finding = this.#attributeToSession(given);
    const { exchange, difference, rules } = finding;
    const rule = exchange && successRuleOf(exchange.operation);
    if (exchange === undefined || rule === undefined || difference.kind === "values") return finding;
    const isRequired = needsSuccess(finding);
    const isMissing = MISSING.has(exchange.status);
    const refusals = this.#refusals.get(exchange.operation) ?? new Map<string, Set<string>>();
    const isExplained = isRequired || isMissing || refusals.has(describeResponse(exchange));
    if (!isExplained || !this.#isBroken(exchange.operation, isMissing))
      return isRequired && rules.includes(rule)
        ? { ...finding, rules: [rule, ...rules.filter((id) => id !== rule)] }
        : finding;
    const isUnauthorized = matchesOutcome(exchange, OUTCOMES.unauthorized);
    const others = rules.filter(
      (id) =>
        (isUnauthorized && RULES_OF_REFUSAL.unauthorized.test(id)) ||
        (isMissing && RULES_OF_REFUSAL.missing.test(id)),
    );
    return { ...finding, rules: [rule, ...others] };
  }

  /** Names the rule about the lifetime of sessions first, if a session ended early. */
  #attributeToSession(finding: Finding): Finding {
    const { rules } = finding;
    const tests = this.#endedSessions.size;
    const isShown = needsSuccess(finding) || tests >= MIN_TESTS;
    if (!isShown || !isEndedSession(finding) || rules.some((rule) => /^(?:SESSION|AUTH)-/.test(rule)))
      return finding;
    return { ...finding, rules: [LIFETIME_RULES.verify.usable, ...(tests >= MIN_RATIO ? [] : rules)] };
  }

  #isBroken(operation: string, isMissing: boolean): boolean {
    const refusals = this.#refusals.get(operation) ?? new Map<string, Set<string>>();
    const tests = new Set([...refusals.values()].flatMap((ids) => [...ids]));
    const succeeded = this.#succeeded.get(operation) ?? 0;
    // With a bearer that it does not need, for example, an operation may succeed in a few tests.
    // If the operation before it never succeeds, no test sends a valid request to the operation.
    const isReachable = this.#succeeded.has(PREVIOUS[operation] ?? "platform");
    const minTests = isMissing ? Number(isReachable) : MIN_TESTS;
    return succeeded * MIN_RATIO <= tests.size && tests.size >= minTests;
  }
}

/** Returns whether a test failed because it sent a wrong value that an earlier response introduced. */
function isCause({ difference, exchange: earlier }: Finding, { exchange: failed }: Finding): boolean {
  if (difference.kind !== "values") return false;
  const [known, sent] = [textsSentIn(earlier), textsSentIn(failed)];
  return difference.values.some(({ got }) => sent.includes(got) && !known.includes(got));
}

function textsSentIn(exchange: Exchange | undefined): readonly unknown[] {
  const { bearer } = exchange?.request ?? {};
  const texts = [bearer, ...Object.values(exchange?.input ?? {})];
  return texts.filter((text) => typeof text === "string");
}

/** Returns whether a session that must still be valid is refused. */
function isEndedSession(finding: Finding): boolean {
  const { exchange, hasSession = false } = finding;
  const isRefused = exchange !== undefined && matchesOutcome(exchange, OUTCOMES.unauthorized);
  return hasSession && isRefused && !matchesOutcome(exchange, ...expectedOutcomes(finding));
}

/** Returns whether a response had to be, or was allowed to be, a success. */
function needsSuccess(finding: Finding): boolean {
  return expectedOutcomes(finding).some(({ status }) => status === OUTCOMES.success.status);
}

function expectedOutcomes({ difference }: Finding): readonly Outcome[] {
  if (difference.kind === "outcome") return difference.expected;
  return difference.kind === "tally" ? difference.expected.flat().map(({ outcome }) => outcome) : [];
}
