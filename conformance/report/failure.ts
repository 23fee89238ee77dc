/** Failures as titles, labeled texts, and lines, which all printers show. */
import { cutText, plural, wrap } from "../data/text.ts";
import { HEADER_LINES, STEP_INDENT } from "../properties/counterexample.ts";
import type { FindingData, ResultData, RuleData } from "./data.ts";
import { errorMessage, type Failure, type FailureGroup, isAboutValues, ownFrameIndex } from "./groups.ts";
import type { OutcomeData } from "./wording.ts";

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
interface FailureContext {
  readonly rules: readonly Pick<RuleData, "id" | "statement" | "section">[];
  /** `command` tests the service again, without a selection. */
  readonly run: { readonly command?: string };
}

/** For a text that is never cut. Words that are longer than a line are split. */
const WHOLE = { maxLines: Number.POSITIVE_INFINITY };
/** Column at which the number of tests with the same error starts. */
const COUNT_COLUMN = 58;

/** Returns the first line of a failure. @param group the group that the failure represents, if any */
export function failureTitle({ result, finding }: Failure, group?: FailureGroup): string {
  const { id } = result;
  if (finding === undefined) {
    const title = `ERROR   ${errorTitle(result)}`;
    return group === undefined
      ? title
      : `${title.padEnd(COUNT_COLUMN)}  ${plural(group.tests.length, "test")}`;
  }
  return finding.incidental === true ? `FOUND   in ${id}, which tests other rules` : `FAILED  ${id}`;
}

/** Returns the request, or the test, that ended in an error. */
export function errorSubject({ id, error }: ResultData): string {
  return error?.request === undefined ? id : `${error.request.method} ${error.request.path}`;
}

export function errorTitle(result: ResultData): string {
  const thrown = result.error?.thrown;
  return `${errorSubject(result)} ${thrown === undefined ? "gets no response" : "throws"}`;
}

/** Returns one field for each text. Only the first has the label. */
function field(
  label: string,
  texts: string | readonly string[] | undefined,
  rest: Partial<Field> = {},
): readonly Field[] {
  return [texts ?? []].flat().map((text, index) => ({ label: index === 0 ? label : "", text, ...rest }));
}

/**
 * Returns the fields of a failure, in reading order.
 * @param group the group that the failure represents, if any
 */
export function failureFields(
  { result, finding }: Failure,
  { rules, run: { command } }: FailureContext,
  group?: FailureGroup,
): readonly Field[] {
  const { id, title, counterexample = [] } = result;
  const only = [id, ...(finding?.otherTests ?? [])].join(" ");
  const repeat = field("repeat", command && `${command} --only ${only}`, { form: "command" });
  if (finding === undefined)
    return [...errorFields(result, group?.members.map((member) => member.result) ?? [result]), ...repeat];
  const [rule = ""] = finding.rules;
  const { statement = "", section = "" } = rules.find(({ id: name }) => name === rule) ?? {};
  const { sent, hint, curl, place, step, before = [], because = [] } = finding;
  const same = sameResponse({ result, finding }, group);
  const isOne = same.length <= 1;
  const { expected, got } = isOne ? { expected: [finding.expected], got: [gotText(finding)] } : combine(same);
  const own = ownRules({ result, finding }, group);
  const clock = `${(finding.clockMs / 1000).toFixed(3)} s after the start`;
  const [label, where] = /^\d/.test(step) ? ["vector", `step ${step}`] : ["place", step];
  const steps = counterexample.slice(HEADER_LINES).map((line) => line.slice(STEP_INDENT));
  return [
    ...field(rule, statement, { maxLines: 3 }),
    ...field("contract", section, { maxLines: 2 }),
    ...field("test", title, { maxLines: 2 }),
    ...field("case", result.case, { maxLines: 2 }),
    ...field(label, `${place}, ${where}, ${clock}`),
    ...(counterexample.length === 0 ? beforeField(before) : []),
    ...field("sent", sent && shorten(sent), { maxLines: 3 }),
    ...field("expected", expected.map(shorten), WHOLE),
    ...field("got", got.map(shorten), WHOLE),
    ...because.flatMap((text) => field("because", text)),
    ...field("differs", isOne ? difference(finding) : undefined, { maxLines: 2 }),
    ...field("steps", steps, { form: "verbatim" }),
    ...field("hint", hint ?? same.find((one) => one.hint !== undefined)?.hint),
    ...field("curl", curl, { form: "command" }),
    ...repeat,
    ...relatedFields(group ?? { tests: [], passing: 0, causes: own, rules: own }, rules),
  ];
}

/** Returns the rules that the response of a failure violates, which the failure alone names. */
export function ownRules(
  { result, finding }: Failure & { readonly finding: FindingData },
  group?: FailureGroup,
): readonly string[] {
  const same = sameResponse({ result, finding }, group);
  return [...new Set([...finding.rules, ...same.flatMap((one) => one.rules)])];
}

/** Maximum number of codes that a difference names, and of stack frames and other requests that an error shows. */
const MAX_SHOWN = 3;
/** Maximum length of the bodies of the other requests. */
const MAX_SAMPLE = 16;

/** @param all results with the same error, the shown one included */
function errorFields(result: ResultData, all: readonly ResultData[]): readonly Field[] {
  const {
    id,
    title,
    error: { thrown, frames = [], log = [], request, before = [], sent: whole = "" } = {},
  } = result;
  const start = ownFrameIndex(frames);
  const bodyOf = ({ error }: ResultData) => error?.request?.body ?? "(no body)";
  const body = bodyOf(result);
  const bodies = new Set(all.map((one) => cutText(bodyOf(one), MAX_SAMPLE)));
  bodies.delete(cutText(body, MAX_SAMPLE));
  const also = [...bodies].sort((one, other) => one.length - other.length).slice(0, MAX_SHOWN);
  const more = bodies.size > MAX_SHOWN ? " …" : "";
  const end = request?.body === undefined ? undefined : -request.body.length;
  const credentials = whole.slice(errorSubject(result).length + 1, end);
  const shown = also.length === 0 ? body : `${cutText(body, 40)}  (also ${also.join(", ")}${more})`;
  const sent = shorten(request?.body === undefined ? `${credentials} ${shown}`.trim() : credentials + shown);
  const accepted = all.flatMap(({ error }) => error?.accepted ?? []);
  const wanted = thrown === undefined ? undefined : mostFrequent(accepted);
  return [
    ...field("", errorMessage(result), { maxLines: 6, form: "message" }),
    ...field("thrown at", frames.slice(start, start + MAX_SHOWN), { form: "verbatim" }),
    ...beforeField(before),
    ...field("sent", request && sent, { maxLines: 3 }),
    ...field("hint", wanted && `check the request first, or catch this; respond with ${wanted}`),
    ...field("test", `${id}: ${title}`, { maxLines: 2 }),
    ...field("log", log, { form: "verbatim" }),
  ];
}

function beforeField(before: readonly string[]): readonly Field[] {
  return field("before", shorten(before.join(", ")) || undefined, WHOLE);
}

/** Returns the most frequent outcome, or undefined if it is a success. */
function mostFrequent(accepted: readonly OutcomeData[]): string | undefined {
  const counts = new Map<string, { readonly status: number; count: number }>();
  for (const { status = 0, code = "" } of accepted) {
    const text = `${status} ${code}`.trim();
    counts.set(text, { status, count: (counts.get(text)?.count ?? 0) + 1 });
  }
  const [first] = [...counts].sort(([, one], [, other]) => other.count - one.count);
  return first !== undefined && first[1].status >= 400 ? first[0] : undefined;
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

/** Returns the expected and the received values of a response, one text for each value that is wrong. */
function combine(findings: readonly FindingData[]): Readonly<Record<"expected" | "got", readonly string[]>> {
  const paths = new Set(findings.flatMap((finding) => finding.paths ?? []));
  const got = findings.every(({ isMissing }) => isMissing)
    ? [`missing ${[...paths].join(", ")}${otherMembers(findings)}`]
    : findings.map((one) => one.got + otherMembers([one]));
  return { expected: [...new Set(findings.map(({ expected }) => expected))], got: [...new Set(got)] };
}

/** Names the members that came with a body that lacks some, or returns an empty text. */
function otherMembers(findings: readonly FindingData[]): string {
  const names = new Set(findings.flatMap(({ others = [] }) => others));
  return names.size === 0 ? "" : `; ${[...names].join(", ")} came instead`;
}

/** Maximum number of other rules whose statements a failure shows. */
const MAX_CAUSES = 8;

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
    ...field("also violates", [...statements, ...more], { maxLines: 1 }),
    ...field("also in", tests.length > 1 ? also : undefined),
  ];
}

/** Maximum length of a response with a wrong outcome. */
const MAX_RECEIVED = 300;

/** Returns the received outcome, the whole response if it has no code, or wrong values with the status. */
function gotText(finding: FindingData): string {
  const { kind, got, received = got, response, paths = [] } = finding;
  if (kind === "outcome") return response?.code === undefined ? cutText(received, MAX_RECEIVED) : got;
  const isAlone = kind !== "values" || paths[0] === "status" || response?.status === undefined;
  const others = otherMembers([finding]);
  return isAlone ? got : `${got}${others} (status ${response.status})`;
}

/** Shortens the public keys, hashes, signatures, and bearers in a text, but not the idempotency key and words. */
function shorten(text: string): string {
  return text.replace(/(?<!\(key )"(?![A-Z_]+")([\w+/=-]{6})[\w+/=-]{26,}"/g, '"$1…"');
}

/** Names the wrong part of a response, if the expected and actual texts do not make it obvious. */
function difference({ kind, response, accepted, paths = [] }: FindingData): string | undefined {
  if (paths.length > 1) return paths.join(", ");
  if (kind !== "outcome" || response === undefined || accepted === undefined) return undefined;
  const { status = "without an integer", code = "absent" } = response;
  const statuses = new Set(accepted.map((one) => one.status));
  if (!statuses.has(response.status)) return `status ${status}, not ${[...statuses].join(" or ")}`;
  const codes = accepted.flatMap((one) => one.code ?? []);
  if (codes.length === 0) return undefined;
  return codes.length > MAX_SHOWN ? `code ${code}` : `code ${code}, not ${codes.join(" or ")}`;
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
