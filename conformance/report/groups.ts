/** Groups failures that probably have the same cause. Changes only the order: no failure is dropped. */
import { operationOf } from "../contract/constants.ts";
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
  /** IDs of all violated rules. Those of the first failure come first. */
  readonly rules: readonly string[];
}

/** Returns the failures and errors of a report in groups, without known failures. */
export function groupFailures(data: Pick<ReportData, "results">): readonly FailureGroup[] {
  const groups = new Set<Linked>();
  const groupOf = new Map<string, Linked>();
  const excused = excusedRules(data);
  for (const [index, failure] of data.results.flatMap((result) => failuresOf(result, excused)).entries()) {
    const links = linksOf(failure);
    const linked = new Set(links.flatMap((link) => groupOf.get(link) ?? []));
    const inOrder = [...linked].sort((one, other) => one.index - other.index);
    const [joined = { index, members: [], links: [] }, ...others] = inOrder;
    groups.add(joined);
    for (const other of [...others, { members: [failure], links }]) {
      for (const member of other.members) joined.members.push(member);
      for (const link of other.links) {
        joined.links.push(link);
        groupOf.set(link, joined);
      }
    }
    for (const other of others) groups.delete(other);
  }
  const failing = ({ first }: FailureGroup) => first.finding?.incidental !== true;
  const all = [...groups].map(({ members }) => toGroup(members));
  return [...all.filter(failing), ...all.filter((group) => !failing(group))];
}

/** Failures that share links. {@link linksOf} returns the links of a failure. */
interface Linked {
  /** Index of the first failure. */
  readonly index: number;
  readonly members: Failure[];
  readonly links: string[];
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

/** Returns a group. Its `first` failure is one that fails its test and violates the fewest rules. */
function toGroup(members: readonly Failure[]): FailureGroup {
  const ruleCount = ({ finding }: Failure) => (finding?.incidental ? 100 : 0) + (finding?.rules.length ?? 1);
  const fewest = members.reduce((least, failure) => Math.min(least, ruleCount(failure)), Infinity);
  const first = members.find((failure) => ruleCount(failure) === fewest) as Failure;
  const tests = new Set([first, ...members].map(({ result }) => result.id));
  const rules = new Set([first, ...members].flatMap(({ finding }) => finding?.rules ?? []));
  return { first, members, tests: [...tests], rules: [...rules] };
}

/** Returns texts by which failures are grouped: two failures with a common text probably have one cause. */
function linksOf({ result, finding }: Failure): readonly string[] {
  if (finding === undefined) return [JSON.stringify(["error", ...errorCause(result)])];
  const { rules, step, expected, got, paths, incidental = false } = finding;
  const links: unknown[][] = [["exchange", result.id, step, finding.sent]];
  if (!incidental) links.push(...rules.map((rule) => ["rule", rule]));
  if (paths !== undefined) {
    const members = paths.map((path) => path.replace(/\d+/g, "N"));
    links.push(["value", rules[0], ...members, paths[0] === "status" ? got : ""]);
  } else links.push(...outcomeLinks(operationIn(finding), expected, got));
  return links.map((link) => JSON.stringify(link));
}

/** Names of errors by parsers, whose messages depend on the input. */
const PARSER_ERROR = /syntax|json|parse|decode/i;

/** Returns texts that are equal for errors with one cause: operation, kind, and place in the code. */
function errorCause(result: ResultData): readonly string[] {
  const { sent, frames = [] } = result.error ?? {};
  const operation = sent === undefined ? result.reason?.split(": ", 1)[0] : operationIn({ sent });
  const text = errorMessage(result);
  const name = /^[\w.$]*(?:Error|Exception)\b/.exec(text)?.[0];
  const frame = frames[ownFrameIndex(frames)];
  const isParser = name !== undefined && PARSER_ERROR.test(name);
  // Quoted parts and numbers of a message depend on the input.
  const message = text.replace(/"(?:[^"\\]|\\.)*"|'[^']*'|`[^`]*`|\d+/g, "");
  return [operation ?? "", name ?? "", frame ?? (isParser ? "" : message)];
}

/** Returns the text of an error, without the request that it is about. */
export function errorMessage({ reason = "", error: { thrown, sent = "" } = {} }: ResultData): string {
  const label = `${sent.split(" ", 2).join(" ")}: `;
  return thrown ?? (reason.startsWith(label) ? reason.slice(label.length) : reason);
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

function outcomeLinks(operation: string, expected: string, got: string): readonly unknown[][] {
  const [wanted, [came]] = got.includes(" × ")
    ? unequal(expected, got)
    : [outcomesIn(expected), outcomesIn(got)];
  if (came === undefined || wanted.length === 0) return [];
  // Each accepted invalid input has a separate cause: the service lacks a check for one rule.
  const isAccepted = came.startsWith("2");
  const pairs = wanted
    .filter((one) => !(isAccepted && one.startsWith("400")))
    .map((one) => ["outcome", operation, one, came]);
  return isAccepted ? pairs : [...pairs, ["refusal", ...wanted, came.slice(0, 3)]];
}

/** Compares counts such as `3 × 200`. Returns an outcome that is too rare, and one that is too frequent. */
function unequal(expected: string, got: string): readonly [readonly string[], readonly string[]] {
  const wanted = countsIn(expected.split("; or ")[0] ?? "");
  const came = countsIn(got);
  const [missing = ""] = [...wanted].find(([outcome, count]) => count > (came.get(outcome) ?? 0)) ?? [];
  const [surplus = ""] = [...came].find(([outcome, count]) => count > (wanted.get(outcome) ?? 0)) ?? [];
  return [outcomesIn(missing), outcomesIn(surplus)];
}

function countsIn(text: string): ReadonlyMap<string, number> {
  const counts = [...text.matchAll(/(\d+) × ([^,]+)/g)];
  return new Map(counts.map(([, count, outcome = ""]) => [outcome, Number(count)]));
}

function operationIn({ sent = "" }: Pick<FindingData, "sent">): string {
  const [method = "", path = ""] = sent.split(" ", 2);
  return operationOf({ method, path });
}

/** Returns the outcomes in a text such as `400 A | B, or 429 C`, each with one code. */
export function outcomesIn(text: string): readonly string[] {
  return text.split(", or ").flatMap((part) => {
    const [, status, codes] = /^(\d{3})(?: ([A-Z_ |]+))?$/.exec(part) ?? [];
    if (status === undefined) return [];
    return codes === undefined ? [status] : codes.split(" | ").map((code) => `${status} ${code}`);
  });
}
