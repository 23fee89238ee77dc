/** Failures as titles, labeled texts, and lines, which all printers show. */
import { plural, wrap } from "../adapters/text.ts";
import type { FindingData, RuleData } from "./data.ts";
import { type Failure, type FailureGroup, outcomesIn } from "./groups.ts";

export interface Field {
  readonly label: string;
  readonly text: string;
  /** Maximum number of lines (default: no limit). */
  readonly maxLines?: number;
  /** A command for the shell, or one line whose spaces matter (default: text that can be wrapped). */
  readonly form?: "command" | "verbatim";
}

/** The part of a report that the text of a failure needs. */
export interface FailureContext {
  readonly rules: readonly Pick<RuleData, "id" | "statement" | "section">[];
  /** `command` tests the service again, without a selection. */
  readonly run: { readonly command?: string };
}

/** Returns the first line of a failure. */
export function failureTitle({ result: { id }, finding }: Failure): string {
  if (finding === undefined) return `ERROR   ${id}`;
  return finding.incidental === true ? `FOUND   in ${id}, which tests other rules` : `FAILED  ${id}`;
}

/**
 * Returns the fields of a failure, in reading order.
 * @param group the group that the failure represents, if any
 */
export function failureFields(
  { result, finding }: Failure,
  { rules, run: { command } }: FailureContext,
  group?: FailureGroup,
): readonly [Field, ...Field[]] {
  const { id, place, reason = "", stack = [], counterexample = [] } = result;
  const repeat: readonly Field[] =
    command === undefined ? [] : [{ label: "repeat", text: `${command} --only ${id}`, form: "command" }];
  const related = relatedFields(group ?? { tests: [], rules: finding?.rules ?? [] });
  if (finding === undefined)
    return [
      { label: "vector", text: place },
      { label: "reason", text: reason, maxLines: 6 },
      ...stack.map((frame, index) => ({ label: index === 0 ? "thrown at" : "", text: frame, maxLines: 2 })),
      ...repeat,
      ...related,
    ];
  const [rule = ""] = finding.rules;
  const { statement = "", section = "" } = rules.find(({ id: name }) => name === rule) ?? {};
  const { sent, expected, hint, curl } = finding;
  const differs = difference(finding);
  const clock = `${(finding.clockMs / 1000).toFixed(3)} s after the start`;
  return [
    { label: rule, text: statement, maxLines: 3 },
    { label: "contract", text: section, maxLines: 2 },
    finding.because === undefined
      ? { label: "vector", text: `${finding.place}, step ${finding.step}, ${clock}` }
      : { label: "place", text: `${finding.place}, ${finding.step}, ${clock}` },
    ...(sent === undefined ? [] : [{ label: "sent", text: shorten(sent), maxLines: 3 }]),
    { label: "expected", text: shorten(expected), maxLines: 4 },
    { label: "got", text: shorten(gotText(finding)), maxLines: 4 },
    ...(finding.because ?? []).map((text) => ({ label: "because", text })),
    ...(differs === undefined ? [] : [{ label: "differs", text: differs, maxLines: 2 }]),
    ...stepsOf(counterexample),
    ...(hint === undefined ? [] : [{ label: "hint", text: hint }]),
    ...(curl === undefined ? [] : [{ label: "curl", text: curl, form: "command" } as const]),
    ...repeat,
    ...related,
  ];
}

function stepsOf(counterexample: readonly string[]): readonly Field[] {
  const steps = counterexample.slice(counterexample.indexOf("    steps:") + 1).map((line) => line.slice(6));
  return steps.map((text, index) => ({ label: index === 0 ? "steps" : "", text, form: "verbatim" }));
}

/** Returns fields that list the other rules and tests of a group. */
export function relatedFields({ tests, rules }: Pick<FailureGroup, "tests" | "rules">): readonly Field[] {
  const [otherRules, otherTests] = [rules.slice(1), tests.slice(1)];
  const [other = "", ...more] = otherTests;
  const also = more.length === 0 ? other : `${plural(otherTests.length, "test")}, such as ${other}`;
  return [
    ...(otherRules.length > 0 ? [{ label: "also violates", text: otherRules.join(", "), maxLines: 2 }] : []),
    ...(otherTests.length > 0 ? [{ label: "also in", text: also }] : []),
  ];
}

/** Returns the received outcome, the whole response if it has no code, or wrong values with the status. */
function gotText({ got, received, paths = [] }: FindingData): string {
  if (received === undefined || paths[0] === "status") return got;
  if (paths.length === 0) return /^\d+$/.test(got) ? received : got;
  return `${got} (status ${received.split(" ", 1)[0]})`;
}

/** Shortens the keys, hashes, and signatures in the JSON of a text. */
function shorten(text: string): string {
  return text.replace(/"([\w+/=-]{6})[\w+/=-]{26,}"/g, '"$1…"');
}

/** Names the wrong part of a response, if the expected and actual texts do not make it obvious. */
function difference({ expected, got, paths = [] }: FindingData): string | undefined {
  if (paths.length > 1) return paths.join(", ");
  const [gotOutcome] = outcomesIn(got);
  const accepted = outcomesIn(expected);
  if (paths.length > 0 || gotOutcome === undefined || accepted.length === 0) return undefined;
  const [gotStatus = "", gotCode = "absent"] = gotOutcome.split(" ");
  const statuses = [...new Set(accepted.map((outcome) => outcome.slice(0, 3)))];
  if (!statuses.includes(gotStatus)) return `status ${gotStatus}, not ${statuses.join(" or ")}`;
  const codes = accepted.flatMap((outcome) => outcome.split(" ").slice(1));
  return `code ${gotCode}, not ${codes.join(" or ")}`;
}

/** Column at which texts start. */
const INDENT = 13;

/** Returns the lines of a failure, which fit on one screen. */
export function failureLines(
  failure: Failure,
  context: FailureContext,
  width: number,
  group?: FailureGroup,
): readonly string[] {
  const fields = failureFields(failure, context, group);
  return [failureTitle(failure), ...fields.flatMap((field) => fieldLines(field, width))];
}

/** Formats a field as lines. All lines of its text start in the same column. */
export function fieldLines({ label, text, maxLines, form }: Field, width: number): readonly string[] {
  const start = label.length > INDENT - 3 ? `  ${label}  ` : `  ${label}`.padEnd(INDENT);
  const lines =
    form === "verbatim"
      ? [text]
      : form === "command"
        ? commandLines(text, width - INDENT)
        : wrap(text, width - INDENT, start.length - INDENT, maxLines);
  const [first = "", ...rest] = lines;
  return [start + first, ...rest.map((line) => " ".repeat(INDENT) + line)];
}

/** Splits a command before its options. Each line but the last ends with a backslash. */
function commandLines(command: string, width: number): readonly string[] {
  const word = "(?:'[^']*'|\\\\'|[^\\s'])+";
  const groups = command.match(new RegExp(`${word}(?: (?!-)${word})*`, "g")) ?? [command];
  const lines: string[] = [];
  for (const group of groups) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + group.length + 3 <= width) lines.push(`${lines.pop()} ${group}`);
    else lines.push(last === undefined ? group : `  ${group}`);
  }
  return lines.map((line, index) => (index < lines.length - 1 ? `${line} \\` : line));
}
