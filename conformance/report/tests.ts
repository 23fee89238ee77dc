/** Prints a report in the formats of test runners: JUnit XML and TAP. */
import { groupBy } from "../data/json.ts";
import { formatVerdict } from "./console.ts";
import type { ReportData, ResultData } from "./data.ts";
import { failureLines } from "./failure.ts";
import { mainFailure } from "./groups.ts";
import { html, type Markup } from "./markup.ts";

interface RunnerTest {
  readonly name: string;
  readonly outcome: ResultData["outcome"] | "known";
  /** `file:line` of the vector. */
  readonly place?: string;
  readonly durationMs: number;
  /** Why the test was skipped, or the first line of its failure. */
  readonly reason: string;
  /** The part of a failure or an error to print. */
  readonly lines: readonly string[];
}

const WIDTH = 100;

/** Returns the tests by suite. If no test fails, but the run does, the last test is the verdict. */
function testsBySuite(data: ReportData): ReadonlyMap<string, readonly RunnerTest[]> {
  const tests = data.results.map((result): RunnerTest => {
    const { id: name, outcome, place, durationMs, known, reason = "" } = result;
    const failure = mainFailure(result);
    const lines = failure === undefined ? [] : failureLines(failure, data, WIDTH);
    const test = { name, place, durationMs, lines };
    if (known !== undefined) return { ...test, outcome: "known", reason: `known failure: ${known.reason}` };
    const rule = data.rules.find(({ id }) => id === failure?.finding?.rules[0]);
    return { ...test, outcome, reason: rule === undefined ? reason : `${rule.id}: ${rule.statement}` };
  });
  const reason = formatVerdict(data);
  const problems = (data.policies ?? []).flatMap((policy) => policy.problems.map(({ message }) => message));
  const verdict = { name: "run/verdict", durationMs: 0, reason };
  const isFailed = tests.some(({ outcome }) => outcome === "failed" || outcome === "error");
  if (data.verdict.exitStatus !== 0 && (!isFailed || problems.length > 0))
    tests.push({ ...verdict, outcome: "failed", lines: [reason, ...problems] });
  return groupBy(tests, ({ name }) => name.split("/", 1)[0] ?? "");
}

/** Prints a report as JUnit XML, which Jenkins and GitLab read. Known failures are skipped tests. */
export function printJunit(data: ReportData): string {
  const suites = testsBySuite(data);
  const totals = totalsOf([...suites.values()].flat(), data.run.durationMs, data);
  return html`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="${data.service.name}" ${totals}>
${[...suites].map(([name, tests]) => suiteElement(name, tests, data))}</testsuites>
`.text;
}

/** Returns the attributes of a suite, or of all suites. */
function totalsOf(tests: readonly RunnerTest[], durationMs: number, { run: { date } }: ReportData): Markup {
  const count = (...outcomes: readonly string[]) =>
    tests.filter(({ outcome }) => outcomes.includes(outcome)).length;
  const failures = html`failures="${count("failed")}" errors="${count("error")}"`;
  const skipped = html`skipped="${count("skipped", "known")}"`;
  const start = date === undefined ? html`` : html` timestamp="${date.replace(/\.\d+Z$/, "Z")}"`;
  return html`tests="${tests.length}" ${failures} ${skipped} time="${seconds(durationMs)}"${start}`;
}

function suiteElement(name: string, tests: readonly RunnerTest[], data: ReportData): Markup {
  const { run, kit, contract, service } = data;
  const version = service.version;
  const properties = Object.entries({ seed: run.seed, version, kit, contract }).map(
    ([key, value]) => html`<property name="${key}" value="${value}"/>\n`,
  );
  const ms = tests.reduce((sum, { durationMs }) => sum + durationMs, 0);
  return html`<testsuite name="${name}" ${totalsOf(tests, ms, data)}>
<properties>
${properties}</properties>
${tests.map((test) => testElement(name, test))}</testsuite>
`;
}

function testElement(suite: string, test: RunnerTest): Markup {
  const { name, outcome, place = "", durationMs, reason, lines } = test;
  const [, file, line] = /^(.*):(\d+)$/.exec(place) ?? [];
  const position = file === undefined ? html`` : html` file="${file}" line="${line ?? ""}"`;
  const start = html`<testcase name="${name}" classname="${suite}" time="${seconds(durationMs)}"${position}`;
  if (outcome === "passed") return html`${start}/>\n`;
  const element = { failed: "failure", error: "error", skipped: undefined, known: undefined }[outcome];
  const result =
    element === undefined
      ? html`<skipped message="${reason}"/>`
      : html`<${element} message="${reason}">${lines.join("\n")}</${element}>`;
  return html`${start}>\n${result}\n</testcase>\n`;
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(3);
}

/** Prints a report as TAP version 14. Known failures are `TODO` tests. */
export function printTap(data: ReportData): string {
  const tests = [...testsBySuite(data).values()].flat();
  const points = tests.flatMap((test, index) => testPoint(test, index + 1));
  return ["TAP version 14", `1..${tests.length}`, ...points, ""].join("\n");
}

function testPoint(
  { name, outcome, durationMs, reason, lines }: RunnerTest,
  number: number,
): readonly string[] {
  const isOk = outcome === "passed" || outcome === "skipped";
  const directive =
    outcome === "skipped" ? ` # SKIP ${reason}` : outcome === "known" ? ` # TODO ${reason}` : "";
  const message = isOk ? [] : ["  message: |", ...lines.map((line) => `    ${line}`)];
  return [
    // TAP 14 specification, section "Escaping".
    `${isOk ? "ok" : "not ok"} ${number} - ${name.replace(/[#\\]/g, "\\$&")}${directive}`,
    "  ---",
    `  duration_ms: ${durationMs}`,
    ...message,
    "  ...",
  ];
}
