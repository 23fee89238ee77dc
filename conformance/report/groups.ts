/** Groups failures that probably have the same cause. Changes only the order: no failure is dropped. */
import { OUTCOMES, operationOf } from "../contract/constants.ts";
import { excusedRules, type FindingData, type ReportData, type ResultData } from "./data.ts";

/** A finding and its test, or a test that ended in an error. */
export interface Failure {
  readonly result: ResultData;
  readonly finding?: FindingData;
}

/** Returns the failure that decided the outcome of a test, or undefined. */
export function mainFailure(result: ResultData): Failure | undefined {
  if (result.outcome === "error") return { result };
  const finding = result.findings?.find(({ incidental }) => incidental !== true);
  return result.outcome === "failed" && finding !== undefined ? { result, finding } : undefined;
}

/** Failures that probably have one cause. */
export interface FailureGroup {
  /** The failure to show in full. */
  readonly first: Failure;
  /** All failures, the first one included. */
  readonly members: readonly Failure[];
  /** IDs of the tests. The test of the first failure comes first. */
  readonly tests: readonly string[];
  /** Number of these tests that pass, because they test other rules. */
  readonly passing: number;
  /** IDs of the rules of the first failure, and of the main rules of the others, the most likely causes first. */
  readonly causes: readonly string[];
  /** IDs of all violated rules: first `causes`, then the other rules. */
  readonly rules: readonly string[];
}

/** Returns the failures and errors of a report in groups, without known failures. */
export function groupFailures(data: Pick<ReportData, "results">): readonly FailureGroup[] {
  const excused = excusedRules(data);
  const failures = data.results.flatMap((result) => failuresOf(result, excused));
  const rulesOf = new Map<string, Set<string>>();
  for (const { finding } of failures) {
    const refusal = finding && refusalOf(finding);
    const [rule = ""] = finding?.rules ?? [];
    if (refusal !== undefined) rulesOf.set(refusal, (rulesOf.get(refusal) ?? new Set()).add(rule));
  }
  const isFrequent = (finding: FindingData) =>
    (rulesOf.get(refusalOf(finding) ?? "")?.size ?? 0) > MAX_RULES_OF_REFUSAL;
  const linked = absorb(absorbConsequences(link(failures, (failure) => linksOf(failure, isFrequent))));
  const failing = ({ first }: FailureGroup) => first.finding?.incidental !== true;
  const namedBy = new Map<string, number>();
  for (const { rules } of data.results)
    for (const rule of rules) namedBy.set(rule, (namedBy.get(rule) ?? 0) + 1);
  const all = linked.map((members) => toGroup(members, namedBy));
  return [...all.filter(failing), ...all.filter((group) => !failing(group))];
}

/** Returns failures in sets that are connected by common links, in the order of the first failure of each. */
function link(
  failures: readonly Failure[],
  linksOfOne: (failure: Failure) => readonly string[],
): readonly (readonly Failure[])[] {
  const setOf = new Map<string, Set<Failure>>();
  const sets = new Set<Set<Failure>>();
  for (const failure of failures) {
    const links = linksOfOne(failure);
    const found = new Set(links.flatMap((one) => setOf.get(one) ?? []));
    const [joined = new Set<Failure>(), ...others] = [...sets].filter((set) => found.has(set));
    sets.add(joined.add(failure));
    for (const one of links) setOf.set(one, joined);
    for (const other of others) {
      for (const member of other) joined.add(member);
      sets.delete(other);
      for (const [one, set] of setOf) if (set === other) setOf.set(one, joined);
    }
  }
  return [...sets].map((set) => [...set]);
}

/**
 * Joins sets of wrong values that occur in the same tests, and adds incidental findings to the set of
 * failures in whose tests alone they occur: a response that must not exist is often wrong in itself.
 */
function absorb(sets: readonly (readonly Failure[])[]): readonly (readonly Failure[])[] {
  const described = sets.map((members) => ({
    members: [...members],
    tests: new Set(members.map(({ result }) => result.id)),
    isAboutValues: members.every(({ finding }) => finding !== undefined && isAboutValues(finding)),
    isIncidental: members.every(({ finding }) => finding?.incidental === true),
  }));
  const kept: (typeof described)[number][] = [];
  for (const set of described.sort((one, other) => Number(one.isIncidental) - Number(other.isIncidental))) {
    const owner = kept.find((other) => {
      if ([...set.tests].some((test) => !other.tests.has(test))) return false;
      if (set.isAboutValues && other.isAboutValues)
        return set.isIncidental || set.tests.size === other.tests.size;
      return set.isIncidental && !other.isAboutValues;
    });
    if (owner === undefined) kept.push(set);
    else owner.members.push(...set.members);
  }
  return kept.map(({ members }) => members);
}

/** Rules about errors in general, what a refused request leaves unchanged, and values that were refused. */
const GENERAL_RULE = /^(?:ERROR-|SERVICE-|LAUNCH-42$)/;
/** Maximum number of tests of a consequence. */
const MAX_CONSEQUENCES = 4;

/**
 * Adds a few failures that a rule of another set explains to this set, and a few failures of general rules to
 * the largest set about the same operation, which probably causes them.
 */
function absorbConsequences(sets: readonly (readonly Failure[])[]): readonly (readonly Failure[])[] {
  const described = sets.map((members, index) => {
    const tests = [...new Set(members.map(({ result }) => result.id))];
    const findings = members.flatMap(({ finding }) => finding ?? []);
    const mainRules = members.map(({ finding }) => finding?.rules[0] ?? "");
    // Tests of capacities depend on every part of a service.
    const isOfCapacity = tests.length === 1 && tests[0]?.startsWith("capacity/") === true;
    return {
      ...{ index, members: [...members] },
      operations: new Set(findings.map(({ operation = "other" }) => operation)),
      mainRules: new Set(mainRules),
      otherRules: new Set(findings.flatMap(({ rules }) => rules.slice(1))),
      isGeneral: mainRules.every((rule) => GENERAL_RULE.test(rule)) || isOfCapacity,
      isSmall: tests.length <= MAX_CONSEQUENCES,
    };
  });
  const kept: (typeof described)[number][] = [];
  for (const set of described.sort((one, other) => other.members.length - one.members.length)) {
    const related = kept.filter(({ operations }) => [...set.operations].some((one) => operations.has(one)));
    const owner =
      related.find(({ mainRules }) => [...set.otherRules].some((rule) => mainRules.has(rule))) ??
      (set.isGeneral ? related.find(({ isGeneral }) => !isGeneral) : undefined);
    if (owner === undefined || !set.isSmall) kept.push(set);
    else owner.members.push(...set.members);
  }
  return kept.sort((one, other) => one.index - other.index).map(({ members }) => members);
}

/** @param excused rules that known failures violate. Omits incidental findings about only these rules. */
function failuresOf(result: ResultData, excused: ReadonlySet<string>): readonly Failure[] {
  const { outcome, known, findings = [] } = result;
  if (known !== undefined) return [];
  const isNew = ({ rules, incidental }: FindingData) =>
    incidental !== true || rules.some((rule) => !excused.has(rule));
  const failures = findings.filter(isNew).map((finding) => ({ result, finding }));
  return outcome === "error" ? [...failures, { result }] : failures;
}

/**
 * Returns a group. Its `first` failure is one that fails its test, and violates the fewest rules, if possible
 * rules that the test names. Other failures are those of requests that only prepare a test.
 * @param namedBy number of tests that name each rule
 */
function toGroup(members: readonly Failure[], namedBy: ReadonlyMap<string, number>): FailureGroup {
  const rank = ({ result, finding }: Failure) => {
    if (finding === undefined) return 1;
    const isNamed = finding.rules.some((rule) => result.rules.includes(rule));
    return finding.rules.length + (finding.incidental === true ? 200 : isNamed ? 0 : 100);
  };
  const [first] = members.toSorted((one, other) => rank(one) - rank(other)) as [Failure];
  const ordered = [first, ...members];
  const counts = new Map<string, number>();
  for (const { finding } of members) {
    const [rule] = finding?.rules ?? [];
    if (rule !== undefined) counts.set(rule, (counts.get(rule) ?? 0) + (finding?.incidental ? 0 : 1));
  }
  // A rule is a likely cause if most of the tests that name it fail.
  const share = ([rule, count]: readonly [string, number]) => count / (namedBy.get(rule) ?? count);
  const frequent = [...counts].sort((one, other) => share(other) - share(one)).map(([rule]) => rule);
  const causes = [...new Set([...(first.finding?.rules ?? []), ...frequent])];
  const rules = new Set([...causes, ...ordered.flatMap(({ finding }) => finding?.rules ?? [])]);
  const tests = new Set(ordered.map(({ result }) => result.id));
  const passing = new Set(
    members.flatMap(({ result: { id, outcome } }) => (outcome === "passed" ? [id] : [])),
  );
  return { first, members, tests: [...tests], passing: passing.size, causes, rules: [...rules] };
}

/** Returns whether a finding is about values in a response whose outcome may be right. */
export function isAboutValues({ paths = [] }: FindingData): boolean {
  return paths.length > 0 && paths[0] !== "status";
}

/** Number of rules above which the tests that get a refusal say nothing about their rules. */
const MAX_RULES_OF_REFUSAL = 12;

/** Returns the operation and the refusal of a request that had to succeed, or undefined. */
function refusalOf(finding: FindingData): string | undefined {
  if (isAboutValues(finding)) return undefined;
  const [[kind, ...came] = []] = differences(finding);
  return kind === "refused" ? JSON.stringify([finding.operation, ...came]) : undefined;
}

type Link = readonly (string | number | undefined)[];

/** Returns texts by which failures are grouped: two failures with a common text probably have one cause. */
function linksOf(
  { result, finding }: Failure,
  isFrequent: (finding: FindingData) => boolean,
): readonly string[] {
  if (finding === undefined) return [JSON.stringify(["error", ...errorCause(result)])];
  const { rules, incidental = false, paths = [], isMissing, operation, accepted } = finding;
  const [rule = ""] = rules;
  // One cause can show in several operations, and with several codes.
  const links: Link[] = incidental || isFrequent(finding) ? [] : [["rule", rule]];
  if (isMissing) links.push(["missing", operation]);
  else if (isAboutValues(finding)) {
    // Members of a list are one field. The same wrong value in several operations often has one cause.
    const path = paths.map((one) => one.replace(/\.\d+\b/g, "")).join(" ");
    links.push(["value", operation, path], ["value", path, finding.got]);
  } else {
    const kinds = differences(finding);
    links.push(...kinds.map((kind) => [operation, ...kind]));
    const { status, code } = finding.response ?? {};
    const [wanted] = accepted ?? [];
    // A refusal of a request that had to pass this check, and to get a later refusal.
    const hadToPass = wanted?.status === 409 || wanted?.code === OUTCOMES.invalidProof.codes[0];
    const isRefused = status !== undefined && status >= 400 && status < 500;
    if ((hadToPass && isRefused) || result.id.startsWith("property/"))
      links.push([operation, "refused", status, code]);
    // The same case of several vectors of a suite, such as a kind of malformed JSON in each operation.
    const [suite, vector, name] = result.id.split("/");
    const statuses = [...new Set(accepted?.map((one) => one.status)), "to", status ?? finding.got];
    if (name !== undefined) links.push(["case", suite, name, ...(rule.startsWith("JSON") ? [] : statuses)]);
    if (name !== undefined && rule.startsWith("LAUNCH-")) links.push(["vector", suite, vector, ...statuses]);
    if (kinds[0]?.[0] !== "accepted") links.push(["response", result.id, finding.step, finding.sent]);
  }
  return links.map((link) => JSON.stringify(link));
}

/** Returns the kinds of difference between the expected and the actual outcome, each with the parts that matter. */
function differences(finding: FindingData): readonly Link[] {
  const {
    rules: [rule],
    operation,
    response: { status = 0, code } = {},
    accepted,
  } = finding;
  if (finding.paths?.[0] === "status") return [["status", finding.got]];
  // A comparison of values of earlier responses, or a measurement.
  if (accepted === undefined) return [operation === undefined ? ["other", rule] : ["comparison"]];
  const statuses = [...new Set(accepted.map((one) => one.status))];
  if (statuses.includes(200)) return [["refused", status, code]];
  if (status >= 200 && status < 300) {
    // Each accepted invalid input has a separate cause: the service lacks a check for one rule.
    const others = statuses.filter((one) => one !== 400);
    return others.length > 0 ? others.map((one) => ["accepted", one]) : [["accepted", rule]];
  }
  if (statuses.includes(status)) return accepted.map((one) => ["code", one.status, one.code, status, code]);
  const isOnlyStatus = accepted.some((one) => one.code === (code ?? ""));
  return [["refusal", ...statuses, status, ...(isOnlyStatus ? [] : [code])]];
}

/** Names of errors by parsers, whose messages depend on the input. */
const PARSER_ERROR = /syntax|json|parse|decode/i;

/** Returns texts that are equal for errors with one cause: operation, kind, and place in the code. */
function errorCause(result: ResultData): readonly string[] {
  const { request, frames = [] } = result.error ?? {};
  const text = errorMessage(result);
  const name = /^[\w.$]*(?:Error|Exception)\b/.exec(text)?.[0];
  const frame = frames[ownFrameIndex(frames)];
  const isParser = name !== undefined && PARSER_ERROR.test(name);
  // Quoted parts and numbers of a message depend on the input.
  const message = text.replace(/"(?:[^"\\]|\\.)*"|'[^']*'|`[^`]*`|\d+/g, "");
  return [request ? operationOf(request) : "", name ?? "", frame ?? (isParser ? "" : message)];
}

/** Returns the text of an error, without the request that it is about. */
export function errorMessage({ reason = "", error }: ResultData): string {
  return error?.message ?? reason;
}

/** Stack frames of packages, and of the libraries of languages. */
const FOREIGN_FRAME =
  /\bnode_modules\/|-packages\/|\/lib\/python\d|^(?:java|jdk|sun)\.|\/go[^/]*\/src\/|<frozen /;

/** Returns the index of the first stack frame in the user's own code or, without one, of the first frame. */
export function ownFrameIndex(frames: readonly string[]): number {
  return Math.max(
    0,
    frames.findIndex((frame) => !FOREIGN_FRAME.test(frame)),
  );
}
