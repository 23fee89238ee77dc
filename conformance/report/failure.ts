/** Failures as titles, labeled texts, and lines, which all printers show. */
import { cutText, plural, wrap } from "../data/text.ts";
import type { FindingData, ResultData, RuleData } from "./data.ts";
import {
  errorMessage,
  type Failure,
  type FailureGroup,
  isAboutMissing,
  isAboutValues,
  outcomesIn,
  ownFrameIndex,
} from "./groups.ts";

export interface Field {
  readonly label: string;
  readonly text: string;
  /** Maximum number of lines (default: no limit). */
  readonly maxLines?: number;
  /**
   * A command for the shell, one line whose spaces matter, or text that starts in the column of the labels
   * (default: text that can be wrapped).
   */
  readonly form?: "command" | "verbatim" | "message";
}

/** The part of a report that the text of a failure needs. */
export interface FailureContext {
  readonly rules: readonly Pick<RuleData, "id" | "statement" | "section">[];
  /** `command` tests the service again, without a selection. */
  readonly run: { readonly command?: string };
}

/** Number of lines of a text that is never cut. Words that are longer than a line are split. */
const WHOLE = Number.POSITIVE_INFINITY;
/** Column at which the number of tests with the same error starts. */
const COUNT_COLUMN = 58;

/** Returns the first line of a failure. @param group the group that the failure represents, if any */
export function failureTitle({ result, finding }: Failure, group?: FailureGroup): string {
  const { id, error: { sent, thrown } = {} } = result;
  if (finding === undefined) {
    const subject = sent?.split(" ", 2).join(" ") ?? id;
    const title = `ERROR   ${subject} ${thrown === undefined ? "gets no response" : "throws"}`;
    return group === undefined
      ? title
      : `${title.padEnd(COUNT_COLUMN)}  ${plural(group.tests.length, "test")}`;
  }
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
  const { id, title, counterexample = [] } = result;
  const repeat: readonly Field[] =
    command === undefined ? [] : [{ label: "repeat", text: `${command} --only ${id}`, form: "command" }];
  if (finding === undefined)
    return [...errorFields(result, group?.members.map((member) => member.result) ?? [result]), ...repeat];
  const [rule = ""] = finding.rules;
  const { statement = "", section = "" } = rules.find(({ id: name }) => name === rule) ?? {};
  const { sent, hint, curl } = finding;
  const same = sameResponse({ result, finding }, group);
  const { expected, got } =
    same.length > 1 ? combine(same) : { expected: finding.expected, got: gotText(finding) };
  const differs = same.length > 1 ? undefined : difference(finding);
  const own = [...new Set([...finding.rules, ...same.flatMap((one) => one.rules)])];
  const related = relatedFields(group ?? { tests: [], passing: 0, causes: own, rules: own }, rules);
  const clock = `${(finding.clockMs / 1000).toFixed(3)} s after the start`;
  return [
    { label: rule, text: statement, maxLines: 3 },
    { label: "contract", text: section, maxLines: 2 },
    { label: "test", text: title, maxLines: 2 },
    finding.because === undefined
      ? { label: "vector", text: `${finding.place}, step ${finding.step}, ${clock}` }
      : { label: "place", text: `${finding.place}, ${finding.step}, ${clock}` },
    ...(sent === undefined ? [] : [{ label: "sent", text: shorten(sent), maxLines: 3 }]),
    { label: "expected", text: shorten(expected), maxLines: WHOLE },
    { label: "got", text: shorten(got), maxLines: WHOLE },
    ...(finding.because ?? []).map((text) => ({ label: "because", text })),
    ...(differs === undefined ? [] : [{ label: "differs", text: differs, maxLines: 2 }]),
    ...stepsOf(counterexample),
    ...(hint === undefined ? [] : [{ label: "hint", text: hint }]),
    ...(curl === undefined ? [] : [{ label: "curl", text: curl, form: "command" } as const]),
    ...repeat,
    ...related,
  ];
}

/** Maximum number of stack frames, and of other requests, that an error shows. */
const MAX_SHOWN = 3;

/** @param all results with the same error, the shown one included */
function errorFields(result: ResultData, all: readonly ResultData[]): readonly [Field, ...Field[]] {
  const { id, title, error: { thrown, frames = [], log = [], sent } = {} } = result;
  const start = ownFrameIndex(frames);
  const shown = frames.slice(start, start + MAX_SHOWN);
  const bodies = all.flatMap(({ error }) => error?.sent ?? []).map((text) => cutText(bodyIn(text), 16));
  const others = [...new Set(bodies)].filter(
    (body) => !bodyIn(sent ?? "").startsWith(body.replace(/…$/, "")),
  );
  const also = others.sort((one, other) => one.length - other.length).slice(0, MAX_SHOWN);
  const more = others.length > MAX_SHOWN ? " …" : "";
  const wanted =
    thrown === undefined ? undefined : mostFrequent(all.flatMap(({ error }) => error?.expected ?? []));
  return [
    { label: "", text: errorMessage(result), maxLines: 6, form: "message" },
    ...linesOf("thrown at", shown),
    ...(sent === undefined
      ? []
      : [
          others.length === 0
            ? { label: "sent", text: shorten(bodyIn(sent)), maxLines: 3 }
            : {
                label: "sent",
                text: `${cutText(bodyIn(sent), 40)}  (also ${also.join(", ")}${more})`,
                maxLines: 3,
              },
        ]),
    ...(wanted === undefined ? [] : [{ label: "hint", text: `catch it and respond with ${wanted}` }]),
    { label: "test", text: `${id}: ${title}`, maxLines: 2 },
    ...linesOf("log", log),
  ];
}

/** Returns fields of one line each. Only the first has the label. */
function linesOf(label: string, texts: readonly string[]): readonly Field[] {
  return texts.map((text, index) => ({ label: index === 0 ? label : "", text, form: "verbatim" }));
}

/** Returns the body in the text of a request. */
function bodyIn(sent: string): string {
  const [, body = ""] = /^\S+ \S+(?: \(bearer "[^"]*"\))?(?: \(key "[^"]*"\))? ?(.*)$/s.exec(sent) ?? [];
  return body === "" ? "(no body)" : body;
}

/** Returns the refusal that most of these texts accept, or undefined if most accept a success. */
function mostFrequent(expected: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  for (const outcome of expected.flatMap(outcomesIn)) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  const [[outcome = ""] = []] = [...counts].sort(([, one], [, other]) => other - one);
  return /^[45]/.test(outcome) ? outcome : undefined;
}

function stepsOf(counterexample: readonly string[]): readonly Field[] {
  const steps = counterexample.slice(counterexample.indexOf("    steps:") + 1).map((line) => line.slice(6));
  return linesOf("steps", steps);
}

/** Returns the findings of a group, or of a test, about values of the same response as a finding. */
function sameResponse(
  { result, finding }: Failure & { readonly finding: FindingData },
  group: FailureGroup | undefined,
): readonly FindingData[] {
  const all =
    group === undefined
      ? (result.findings ?? [])
      : group.members.flatMap((one) => (one.result === result ? (one.finding ?? []) : []));
  const isSame = (one: FindingData) => one.step === finding.step && one.sent === finding.sent;
  return isAboutValues(finding) ? all.filter((one) => isAboutValues(one) && isSame(one)) : [];
}

/** Returns the expected and the received values of a response as one text each. */
function combine(findings: readonly FindingData[]): Pick<FindingData, "expected" | "got"> {
  const paths = [...new Set(findings.flatMap((finding) => finding.paths ?? []))].join(", ");
  if (findings.every(isAboutMissing)) return { expected: `the members ${paths}`, got: `missing ${paths}` };
  const join = (texts: readonly string[]) => [...new Set(texts)].join("; ");
  return {
    expected: join(findings.map(({ expected }) => expected)),
    got: join(findings.map(({ got }) => got)),
  };
}

/** Maximum number of other rules whose statements a failure shows. */
const MAX_CAUSES = 8;

/** Returns the rules of a group whose statements a failure shows. */
export function shownRules({ causes }: FailureGroup): readonly string[] {
  return causes.slice(0, MAX_CAUSES);
}

/** Returns fields that list the other rules and tests of a group. */
export function relatedFields(
  { tests, passing, causes, rules }: Pick<FailureGroup, "tests" | "passing" | "causes" | "rules">,
  known: FailureContext["rules"],
): readonly Field[] {
  const shown = causes.slice(1, MAX_CAUSES);
  const statements = shown.map((id) => `${id}: ${known.find((rule) => rule.id === id)?.statement ?? ""}`);
  const others = rules.slice(1).filter((id) => !shown.includes(id));
  const more = others.length === 0 ? [] : [`${shown.length > 0 ? "and " : ""}${others.join(", ")}`];
  const [, other = "", ...rest] = tests;
  const count = tests.length - passing;
  const verbs = { fail: count === 1 ? "fails" : "fail", pass: passing === 1 ? "passes" : "pass" };
  const counts = `${plural(count, "test")} ${verbs.fail}; ${passing} more ${verbs.pass} but ${passing === 1 ? "shows" : "show"} this violation`;
  const also =
    passing > 0 && count > 0
      ? `${other} (${counts})`
      : rest.length === 0
        ? other
        : `${plural(tests.length - 1, "test")}, such as ${other}`;
  return [
    ...[...statements, ...more].map((text, index) => {
      return { label: index === 0 ? "also violates" : "", text, maxLines: 1 };
    }),
    ...(tests.length > 1 ? [{ label: "also in", text: also }] : []),
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
  return [failureTitle(failure, group), ...fields.flatMap((field) => fieldLines(field, width))];
}

/** Width of a line for which {@link Field.maxLines} is meant. In narrow terminals, a text has more lines. */
const USUAL_WIDTH = 80;

/** Formats a field as lines. All lines of its text start in the same column. */
export function fieldLines({ label, text, maxLines: max, form }: Field, width: number): readonly string[] {
  const share = Math.max(1, (USUAL_WIDTH - INDENT) / (width - INDENT));
  const maxLines = max === undefined ? undefined : Math.ceil(max * share) + (share > 1 ? 1 : 0);
  if (form === "message") return wrap(text, width - 2, 0, maxLines).map((line) => `  ${line}`);
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
