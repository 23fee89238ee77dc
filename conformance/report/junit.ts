import type { ReportData } from "./data.ts";
import { escapeMarkup } from "./markup.ts";
import { type RunnerTest, testsBySuite } from "./tests.ts";

/** Prints a report as JUnit XML, as Jenkins and GitLab read it. Known failures are skipped tests. */
export function printJunit(data: ReportData): string {
  const suites = [...testsBySuite(data)].map(([name, tests]) =>
    element(
      "testsuite",
      { name, ...countsOf(tests) },
      tests.map((test) => testElement(name, test)),
    ),
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element("testsuites", {}, suites)}\n`;
}

function testElement(suite: string, { name, outcome, durationMs, reason, lines }: RunnerTest): string {
  const text = escapeMarkup(lines.join("\n"));
  const result =
    outcome === "failed" || outcome === "error"
      ? [`<${ELEMENTS[outcome]}${attributes({ message: reason })}>${text}</${ELEMENTS[outcome]}>`]
      : outcome === "passed"
        ? []
        : [element("skipped", { message: reason }, [])];
  return element("testcase", { name, classname: suite, time: seconds(durationMs) }, result);
}

const ELEMENTS = { failed: "failure", error: "error" } as const;

function countsOf(tests: readonly RunnerTest[]): Readonly<Record<string, string>> {
  const count = (...outcomes: readonly string[]) =>
    String(tests.filter(({ outcome }) => outcomes.includes(outcome)).length);
  return {
    tests: String(tests.length),
    failures: count("failed"),
    errors: count("error"),
    skipped: count("skipped", "known"),
    time: seconds(tests.reduce((sum, { durationMs }) => sum + durationMs, 0)),
  };
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(3);
}

function element(
  name: string,
  values: Readonly<Record<string, string>>,
  children: readonly string[],
): string {
  const start = `<${name}${attributes(values)}`;
  return children.length === 0 ? `${start}/>` : `${start}>\n${children.join("\n")}\n</${name}>`;
}

function attributes(values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${escapeMarkup(value)}"`)
    .join("");
}
