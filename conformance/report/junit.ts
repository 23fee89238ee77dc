import type { ReportData } from "./data.ts";
import { html, type Markup } from "./markup.ts";
import { type RunnerTest, testsBySuite } from "./tests.ts";

/** Prints a report as JUnit XML, as Jenkins and GitLab read it. Known failures are skipped tests. */
export function printJunit(data: ReportData): string {
  const suites = [...testsBySuite(data)].map(([name, tests]) => suiteElement(name, tests));
  return html`<?xml version="1.0" encoding="UTF-8"?>
<testsuites>
${suites}</testsuites>
`.text;
}

function suiteElement(name: string, tests: readonly RunnerTest[]): Markup {
  const count = (...outcomes: readonly string[]) =>
    tests.filter(({ outcome }) => outcomes.includes(outcome)).length;
  const failures = html`failures="${count("failed")}" errors="${count("error")}"`;
  const skipped = html`skipped="${count("skipped", "known")}"`;
  const time = seconds(tests.reduce((sum, { durationMs }) => sum + durationMs, 0));
  return html`<testsuite name="${name}" tests="${tests.length}" ${failures} ${skipped} time="${time}">
${tests.map((test) => testElement(name, test))}</testsuite>
`;
}

function testElement(suite: string, { name, outcome, durationMs, reason, lines }: RunnerTest): Markup {
  const start = html`<testcase name="${name}" classname="${suite}" time="${seconds(durationMs)}"`;
  if (outcome === "passed") return html`${start}/>\n`;
  const text = lines.join("\n");
  const result =
    outcome === "failed"
      ? html`<failure message="${reason}">${text}</failure>`
      : outcome === "error"
        ? html`<error message="${reason}">${text}</error>`
        : html`<skipped message="${reason}"/>`;
  return html`${start}>\n${result}\n</testcase>\n`;
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(3);
}
