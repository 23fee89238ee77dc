import type { Result } from "../engine/play/result.ts";
import { plainLine } from "../plain-text.ts";
import { aboutTheRun, bySuite, toldFailure } from "./test-events.ts";
import { counts, type ReportView, waiver } from "./view.ts";

/** Characters of a reason or a name; what is longer is cut. */
const LINE = 300;

/** What came of a test, where it is not simply passed. */
interface Told {
  readonly element: "failure" | "error" | "skipped";
  readonly attributes: Attributes;
  readonly text: string;
}

type Attributes = Readonly<Record<string, string | number>>;

/**
 * The reporter `junit`, in the schema that Jenkins and its kin read: a suite for each file of vectors and for the
 * properties, in it a test case for each result. A known failure is no failure here, since readers of this format would
 * count it as one; an adapter's fault is an `error`. Nothing tells of a machine or of a time of day.
 */
export function junitReport(view: ReportView): string {
  const { results } = view.report;
  const suites = [...bySuite(results)].map(([name, members]) => suiteElement(name, members, view));
  const lines = [...aboutTheRun(view), ...view.policies.map(({ text }) => text)];
  const notes = lines.map((line) => `<!-- ${line.replaceAll(/-(?=-|$)/g, "- ")} -->`);
  return `<?xml version="1.0" encoding="utf-8"?>\n${element("testsuites", {}, [...suites, ...notes])}\n`;
}

function suiteElement(name: string, results: readonly Result[], view: ReportView): string {
  const told = results.map((result) => outcomeOf(result, view));
  const count = (kind: Told["element"]) => told.filter((one) => one?.element === kind).length;
  const totals = {
    tests: results.length,
    failures: count("failure"),
    errors: count("error"),
    skipped: count("skipped"),
  };
  const cases = results.map((result, index) => {
    const attributes = { name: plainLine(result.id, LINE), time: "0.000000", classname: name };
    const one = told[index];
    if (one === undefined) return element("testcase", attributes, []);
    // White space at either end would be part of the text.
    const outcome = `<${one.element}${written(one.attributes)}>${escaped(one.text)}</${one.element}>`;
    return element("testcase", attributes, [outcome]);
  });
  return element("testsuite", { name, time: "0.000000", ...totals }, cases);
}

function outcomeOf(result: Result, { contract, invocation }: ReportView): Told | undefined {
  const { outcome, reason } = result;
  const skipped = (text: string): Told => ({ element: "skipped", attributes: {}, text });
  if (outcome === "skipped") return skipped(plainLine(reason ?? "no reason given", LINE));
  if (outcome === "passed") return undefined;
  const known = waiver(result);
  if (known !== undefined && !counts(result)) return skipped(known);
  const { type, line, text } = toldFailure(result, contract, invocation);
  return { element: outcome === "error" ? "error" : "failure", attributes: { type, message: line }, text };
}

/** An element, each of what is in it on lines of its own. */
function element(name: string, attributes: Attributes, children: readonly string[]): string {
  const start = `<${name}${written(attributes)}`;
  return children.length === 0 ? `${start}/>` : `${start}>\n${children.join("\n")}\n</${name}>`;
}

function written(attributes: Attributes): string {
  return Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${escaped(String(value))}"`)
    .join("");
}

const REFERENCES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
};

/** Text that is harmless in a terminal, as XML has it in an element or an attribute. */
function escaped(text: string): string {
  return text.replaceAll(/[&<>"]/g, (found) => REFERENCES[found] ?? found);
}
