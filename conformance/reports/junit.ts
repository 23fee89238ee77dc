import { junit } from "node:test/reporters";
import type { TestEvent } from "./events/test-event.ts";
import { ADAPTER_FAULT } from "./events/test-failure.ts";

/** What the schema of Jenkins and its kin knows of each element, less what tells of a machine or a time of day. */
const KNOWN: Readonly<Record<string, readonly string[]>> = {
  testsuite: ["name", "time", "tests"],
  testcase: ["name", "time", "classname"],
  failure: ["type", "message"],
};

const SUITE = /<testsuite [\s\S]*?<\/testsuite>/g;
const START_TAG = /<(\w+)((?: \w+="[^"]*")*)(\/?)>/g;
/** A character reference, but that of a line break, which the writer itself makes. */
const REFERENCE = /&#(?!10;)(?=\d+;)/g;
const ATTRIBUTE = / (\w+)="([^"]*)"/g;

/**
 * The reporter `junit`: what node:test's own writes, made to keep the common schema, which that does not (it gives a
 * test case its failure as an attribute, too). A known failure is no failure here, since readers of this format would
 * count it as one; an adapter's fault is an `error`.
 */
export async function* junitReporter(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  let xml = "";
  for await (const chunk of junit(events as never)) xml += chunk;
  yield safe(xml).replace(SUITE, (suite) => counted(errorsApart(suite.replace(START_TAG, tidied))));
}

/** Without what XML forbids in text and node:test's writer lets through: the end of a CDATA section, and references. */
function safe(xml: string): string {
  return xml.replaceAll("]]>", "]]&gt;").replaceAll(REFERENCE, "&amp;#");
}

/** A start tag with the attributes that are known; the reason of a skip as text, where every reader finds it. */
function tidied(_: string, element: string, attributes: string, slash: string): string {
  const given = [...attributes.matchAll(ATTRIBUTE)];
  if (element === "skipped") {
    const reason = given.find(([, name]) => name === "message")?.[2] ?? "";
    return `<skipped>${reason}</skipped>`;
  }
  const kept = given.filter(([, name]) => KNOWN[element]?.includes(name ?? ""));
  return `<${element}${kept.map(([text]) => text).join("")}${slash}>`;
}

const FAULT = new RegExp(`<failure( type="${ADAPTER_FAULT}"[^>]*)>([^<]*)</failure>`, "g");
const KNOWN_FAILURE = /(<skipped>[^<]*<\/skipped>)\s*<failure[^>]*>[^<]*<\/failure>/g;

function errorsApart(suite: string): string {
  return suite.replace(KNOWN_FAILURE, "$1").replace(FAULT, "<error$1>$2</error>");
}

function counted(suite: string): string {
  const count = (element: string) => suite.split(`<${element}`).length - 1;
  const totals = ` failures="${count("failure ")}" errors="${count("error ")}" skipped="${count("skipped>")}"`;
  return suite.replace(/^<testsuite[^>]*/, (tag) => `${tag}${totals}`);
}
