import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { test } from "node:test";
import { Ajv2020 } from "ajv/dist/2020.js";
import { lexer, walkTokens } from "marked";
import { Parser } from "tap-parser";
import { validateXML } from "xmllint-wasm";
import * as reference from "../../reference/service.ts";
import { InProcessAdapter } from "../adapters/in-process.ts";
import { readServiceContract } from "../contract/contract.ts";
import { DATA_FOLDER } from "../data/kit-files.ts";
import { run } from "../run/run.ts";
import { loadKitVectors } from "../suite/load.ts";
import { formatJson, type ReportData, toData } from "./data.ts";
import { failureLines } from "./failure.ts";
import { printErrors } from "./github.ts";
import { groupFailures } from "./groups.ts";
import { withPolicy } from "./policies.ts";
import { PRINTERS } from "./printers.ts";
import type { PrinterName } from "./reporters.ts";

const contract = readServiceContract();
const suite = loadKitVectors(contract);

/** Texts that terminals, pages, and the logs of GitHub, GitLab, Azure, and TeamCity interpret. */
const HOSTILE = [
  "\u001b[2J\u009b31m\u202e\u2028\ufffe\uffff",
  "\n::error::own\n \u00a0::set-output name=x::y",
  "##[error]own ##vso[task.complete result=Succeeded] ##teamcity[testFinished name='x']",
  "section_start:1:own\r\u001b[0K",
  "]]><script>alert(1)</script><img src=x onerror=alert(1)> -->\n\n# heading `code` [x](javascript:x)",
].join(" ");

type Body = Readonly<Record<string, unknown>>;

/** A service with four faults, and hostile texts in three of them. */
async function faulty(only: readonly string[]): Promise<ReportData> {
  const createService = (options: reference.ServiceOptions) => {
    const service = reference.createService(options);
    return {
      handle(call: { readonly path: string; readonly body: string }) {
        if (call.path === "/v1/launch/build" && call.body.includes("DEMO ")) throw new Error(HOSTILE);
        const { status, body } = service.handle(call as never) as { status: number; body: Body };
        if ("scope" in body) return { status, body: { ...body, scope: HOSTILE } };
        if (body["code"] === "IDEMPOTENCY_CONFLICT") return { status: 422, body };
        return call.path === "/v1/sign" ? { status, body: HOSTILE } : { status, body };
      },
    };
  };
  const implementation = { name: `faulty ${HOSTILE}`, version: "1", language: "TypeScript" };
  const adapter = new InProcessAdapter({ ...reference, implementation, createService });
  let ms = 0;
  const options = { selection: { only }, now: () => ms++ };
  const context = {
    kit: "0.1.0",
    contract,
    command: "npx kit run --url http://[::1]:8080",
    url: "http://a.example/",
  };
  return toData(await run(contract, suite, adapter, options), context);
}

const data = await faulty([
  "session/issued/*",
  "build-texts/outer-*",
  "idempotency/changed-*/*",
  "no-execution/signs/*",
]);
const problems = [{ place: "known.yaml:3", message: `stale ${HOSTILE}` }];
const withProblem = {
  ...withPolicy(data, { policy: "baseline", summary: "baseline known.yaml", problems }),
  contract: `contract ${HOSTILE}`,
};
const print = (name: PrinterName, of = withProblem) =>
  PRINTERS[name](of, { width: 80, isVerbose: false, isColored: false });

test("the report of a service with four faults has four groups, and no failure is dropped", () => {
  const groups = groupFailures(data);
  assert.deepEqual(
    groups.map(({ first }) => first.finding?.rules[0] ?? "error"),
    ["SESSION-3", "error", "IDEMPOTENCY-9", "ENDPOINT-8"],
  );
  const members = groups.flatMap((group) => group.members);
  const findings = data.results.flatMap((result) => result.findings ?? []);
  assert.equal(members.filter(({ finding }) => finding !== undefined).length, findings.length);
  assert.ok(groups[2]?.rules.includes("IDEMPOTENCY-12"));
});

test("a failure fits one screen of 80 columns, and shows the difference and how to repeat the test", () => {
  for (const group of groupFailures(data)) {
    const lines = failureLines(group.first, data, 80, group);
    assert.ok(lines.length <= 30, lines.join("\n"));
    for (const line of lines) if (!/--data-raw|-H '|https?:/.test(line)) assert.ok(line.length <= 80, line);
  }
  const conflict = groupFailures(data)[2];
  assert.ok(conflict);
  const text = failureLines(conflict.first, data, 80, conflict).join("\n");
  assert.match(text, /^FAILED {2}idempotency\/changed-mint\/at-once\n {2}IDEMPOTENCY-9 {2}A changed/);
  assert.match(text, /\n {2}differs {4}status 422, not 409\n/);
  assert.match(text, /\n {2}curl {7}curl -i -X POST http:\/\/a\.example\/v1\/launch\/build \\\n/);
  assert.match(text, /\n {15}-H 'Idempotency-Key: [\w-]+' /);
  assert.match(text, /\n {15}--data-raw '\{"creator":"\w+",[^']*\}'\n/);
  assert.match(text, /--only idempotency\/changed-mint\/at-once\n {2}also violates {2}/);
  assert.match(text, /\n {2}also in {4}\d+ tests, such as /);
});

test("no text of a service acts as a command or markup in a terminal, a log, or a page", () => {
  for (const name of Object.keys(PRINTERS) as PrinterName[]) {
    const lines = print(name).split("\n");
    for (const line of lines) {
      assert.doesNotMatch(line, /[\p{Cc}\p{Cf}\p{Zl}\ufffe\uffff]/u, `${name}: ${line}`);
      assert.doesNotMatch(line, /##\w*\[/, `${name}: ${line}`);
      const command = /^\s*::(\w+) /.exec(line)?.[1];
      if (name !== "github") assert.doesNotMatch(line, /^\s*::/, `${name}: ${line}`);
      else assert.ok(line === "" || ["error", "warning", "notice"].includes(command ?? ""), line);
    }
    const text = print(name).replace(/<script>\nconst all = .*?<\/script>\n<\/body>/s, "");
    if (["html", "junit"].includes(name)) assert.doesNotMatch(text, /<script|<img|-->/);
  }
});

test("a report of others with a name longer than a line is printed", () => {
  const longer = JSON.parse(JSON.stringify(data).replaceAll('"SESSION-3"', `"${"X".repeat(2_000)}"`));
  for (const name of Object.keys(PRINTERS) as PrinterName[]) assert.notEqual(print(name, longer), "");
});

test("the JSON report matches its schema, is reproducible, and is shortened to its size limit", async () => {
  const schema = JSON.parse(readFileSync(join(DATA_FOLDER, "contract", "run-report.schema.json"), "utf8"));
  const isValid = new Ajv2020({ strict: true, strictRequired: false }).compile(schema);
  const known = withProblem.results.map((result) => ({
    ...result,
    known: { reason: "r" },
    lacks: ["fact:x"],
  }));
  const rules = withProblem.rules.map((rule) => ({ ...rule, isAllowed: true }));
  for (const one of [withProblem, { ...withProblem, results: known, rules }])
    assert.ok(isValid(JSON.parse(formatJson(one))), JSON.stringify(isValid.errors));
  const withoutTimes = (text: string) => text.replaceAll(/"durationMs": \d+/g, "");
  assert.equal(
    withoutTimes(formatJson(await faulty(["platform/constants/*"]))),
    withoutTimes(formatJson(await faulty(["platform/constants/*"]))),
  );
  const whole = formatJson(data);
  const small = formatJson(data, whole.length * 0.8);
  assert.ok(Buffer.byteLength(small) <= whole.length * 0.8);
  assert.ok(isValid(JSON.parse(small)));
  const emoji = { ...data, results: data.results.map((result) => ({ ...result, findings: [EMOJI] })) };
  for (const limit of [Number.POSITIVE_INFINITY, 1])
    assert.doesNotMatch(JSON.parse(formatJson(emoji, limit)).results[0].findings[0].got, /\p{Cs}/u);
});
const EMOJI = {
  rules: ["A-1"],
  place: "a:1",
  step: "1",
  clockMs: 0,
  expected: "",
  got: `x${"😀".repeat(3_000)}`,
};

test("the JUnit report is valid XML, with a duration for each test, and a test for a verdict that no test shows", async () => {
  const xml = print("junit", { ...withProblem, run: { ...data.run, date: "2026-11-28T12:00:00.000Z" } });
  const { valid } = await validateXML({ xml: [{ fileName: "a.xml", contents: xml }], schema: [JUNIT] });
  assert.ok(valid);
  assert.match(
    xml,
    /<testcase name="session\/issued\/between-seconds" classname="session" time="0\.001" file="vectors\/suites\/session\.yaml" line="\d+">\n<failure message="SESSION-3: /,
  );
  assert.match(xml, /<error message="handle failed: /);
  for (const count of ["tests", "failures", "errors", "skipped"]) {
    const [all = 0, ...parts] = [...xml.matchAll(new RegExp(` ${count}="(\\d+)"`, "g"))].map(([, one]) =>
      Number(one),
    );
    assert.equal(
      all,
      parts.reduce((sum, one) => sum + one),
      count,
    );
  }
  assert.match(xml, /<property name="seed" value="1"\/>\n<property name="version" value="1"\/>/);
  assert.match(
    xml,
    /<testcase name="run\/verdict" classname="run" time="0\.000">\n<failure message="No verdict, /,
  );
});
/** The part of the JUnit format that all readers accept. */
const JUNIT = `<?xml version="1.0"?><xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">
<xs:element name="testsuites"><xs:complexType><xs:sequence><xs:element name="testsuite" maxOccurs="unbounded">
<xs:complexType><xs:sequence><xs:element name="properties"/><xs:element name="testcase" maxOccurs="unbounded">
<xs:complexType>
<xs:choice minOccurs="0"><xs:element name="failure" type="result"/><xs:element name="error" type="result"/>
<xs:element name="skipped" type="result"/></xs:choice><xs:attribute name="name" use="required"/>
<xs:attribute name="classname" use="required"/><xs:attribute name="time" type="xs:decimal" use="required"/>
<xs:attribute name="file"/><xs:attribute name="line" type="xs:integer"/>
</xs:complexType></xs:element></xs:sequence><xs:attribute name="name" use="required"/>
<xs:attribute name="tests" type="xs:integer"/><xs:attribute name="failures" type="xs:integer"/>
<xs:attribute name="errors" type="xs:integer"/><xs:attribute name="skipped" type="xs:integer"/>
<xs:attribute name="time" type="xs:decimal"/><xs:attribute name="timestamp" type="xs:dateTime" use="required"/>
</xs:complexType></xs:element></xs:sequence>
<xs:attribute name="name"/><xs:attribute name="tests" type="xs:integer"/><xs:attribute name="failures" type="xs:integer"/>
<xs:attribute name="errors" type="xs:integer"/><xs:attribute name="skipped" type="xs:integer"/>
<xs:attribute name="time" type="xs:decimal"/><xs:attribute name="timestamp" type="xs:dateTime" use="required"/>
</xs:complexType></xs:element>
<xs:complexType name="result"><xs:simpleContent><xs:extension base="xs:string"><xs:attribute name="message"/>
</xs:extension></xs:simpleContent></xs:complexType></xs:schema>`;

test("the TAP report has a duration for each test, and marks known failures as TODO", () => {
  const known = data.results.map((result) =>
    result.id === "session/issued/whole-second" ? { ...result, known: { reason: "issue 7" } } : result,
  );
  const points: { name: string; ok: boolean; todo: unknown; time: unknown }[] = [];
  const parser = new Parser((results) => assert.equal(results.failures.length > 0, true));
  parser.on("assert", ({ name, ok, todo, time }) => points.push({ name, ok, todo, time }));
  parser.on("extra", (line) => assert.fail(`not TAP: ${line}`));
  parser.end(print("tap", { ...data, results: known }));
  assert.equal(points.length, data.results.length);
  assert.deepEqual(
    points.find(({ name }) => name === "session/issued/whole-second"),
    { name: "session/issued/whole-second", ok: false, todo: "known failure: issue 7", time: 1 },
  );
});

test("annotations are at lines of the user's own files, and at most ten of a kind are printed", () => {
  const lines = print("github").split("\n");
  assert.match(lines[0] ?? "", /^::error file=known\.yaml,line=3,title=baseline::stale /);
  assert.match(lines[1] ?? "", /^::error title=SESSION-3 in /);
  assert.match(lines[1] ?? "", /%0Aexpected: scope: "offline:launch-draft"%0Agot: /);
  const style = { width: 80, isVerbose: false, isColored: false, repository: resolve("..") };
  const [below = ""] = PRINTERS.github(withProblem, style).split("\n");
  assert.ok(
    below.startsWith(`::error file=${basename(resolve())}/known.yaml,line=3,title=baseline::`),
    below,
  );
  const outside = ["../a.ts", "node_modules/a/b.js", "/a.ts"].map((path) => `${path}:1:2: wrong\n`).join("");
  assert.doesNotMatch(printErrors(outside.trim(), {}), /file=/);
  const many = {
    ...withProblem,
    policies: withProblem.policies?.flatMap((one) => Array(12).fill(one)) ?? [],
  };
  const errors = print("github", many)
    .split("\n")
    .filter((line) => line.startsWith("::error"));
  assert.equal(errors.length, 10);
  assert.match(errors[9] ?? "", /^::error title=and 7 more::/);
});

test("only the verdict looks like a verdict on the console", () => {
  const verdict = "Conforms: every required rule is satisfied.";
  const service = { ...data.service, name: `${"long ".repeat(13)} ${verdict}`, version: verdict };
  const style = { width: 80, isVerbose: true, isColored: true };
  const text = PRINTERS.console({ ...data, service }, style).replaceAll("\u001b", "ESC");
  const lines = text.split("\n");
  assert.ok(lines.some((line) => line.includes(verdict)));
  for (const line of lines.slice(0, -2)) assert.doesNotMatch(line, /^(?:ESC\S*)?(?:Conforms|long)/);
  assert.match(lines.at(-2) ?? "", /^ESC\[1;33mNo verdictESC\[0m, because/);
});

test("a narrow terminal shows the whole expected and received values", () => {
  const [result] = data.results.filter(({ outcome }) => outcome === "failed");
  const [expected, got] = ["word ".repeat(120).trim(), "x".repeat(600)];
  const finding = { ...result?.findings?.[0], expected, got };
  const lines = failureLines({ result, finding } as never, data, 40);
  assert.equal(lines.join("\n").match(/word/g)?.length, 120);
  const [, shown = ""] = /^ {2}got([^:]*)^ {2}\w/ms.exec(lines.join("\n")) ?? [];
  assert.equal(shown.match(/x/g)?.length, 600);
  assert.ok(shown.split("\n").every((line) => line.length <= 40));
});

test("the summary says in one line that rules were not reached, or how to accept a missing capability", () => {
  const passed = data.results.map(({ findings: _, ...result }) => ({
    ...result,
    outcome: "passed" as const,
  }));
  const ended = { by: "signal", reason: "SIGINT" } as const;
  const rules = data.rules.map((rule) => ({ ...rule, outcome: "not-tested" as const, reason: "r" }));
  const stopped = print("console", {
    ...data,
    rules,
    results: passed,
    run: { ...data.run, ended },
    verdict: { conclusion: "undecided", exitStatus: 130 },
  });
  assert.equal(stopped.match(/^Not tested \d+ rules not reached$/gm)?.length, 1);
  const lacking = passed.map((result) => ({
    ...result,
    outcome: "skipped" as const,
    lacks: ["capability:concurrency"],
  }));
  const undecided = print("console", {
    ...data,
    rules,
    results: lacking,
    verdict: { conclusion: "undecided", exitStatus: 4 },
  });
  assert.match(
    undecided,
    /does not state the capability concurrency\.\nNext: .* --allow-not-tested capability:concurrency\n/,
  );
});

test("the Markdown summary has no HTML, link, or image from texts of the service", () => {
  const text = print("markdown");
  assert.match(text, /^## ☑️ faulty [\s\S]*\n\n### SESSION-3 in \d+ tests\n\n```text\nFAILED {2}session\//);
  const types = new Set<string>();
  walkTokens(lexer(text), ({ type }) => void types.add(type));
  assert.deepEqual([...types].sort(), ["code", "escape", "heading", "paragraph", "space", "strong", "text"]);
});

test("the badge states the verdict and the required rules", () => {
  const badge = JSON.parse(
    print("badge", { ...data, verdict: { conclusion: "does-not-conform", exitStatus: 1 } }),
  );
  assert.match(badge.message, /^does not conform, \d+\/\d+ rules$/);
  assert.deepEqual([badge.schemaVersion, badge.label, badge.isError], [1, "conformance", true]);
});

test("each rule of the page links to its failing tests, and each link leads to an element", () => {
  const page = print("html");
  const ids = new Set([...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
  const targets = [...page.matchAll(/ href="#([^"]+)"/g)].map(([, target]) => target);
  assert.ok(targets.includes("test-session/issued/between-seconds") && targets.includes("rule-SESSION-3"));
  for (const target of targets) assert.ok(ids.has(target), target);
});

test("the page allows only its own style and script, and stays below 1 MB with 50 failures", () => {
  const page = print("html");
  for (const name of ["style", "script"]) {
    const [, text = ""] = new RegExp(`<${name}>(.*?)</${name}>`, "s").exec(page) ?? [];
    const hash = createHash("sha256").update(text).digest("base64");
    assert.ok(page.includes(`; ${name}-src &#39;sha256-${hash}&#39;;`), name);
  }
  assert.doesNotMatch(page, /<(?:link|iframe|object)|\son\w+="/);
  assert.equal(page.match(/<script/g)?.length, 1);
  const [finding] = data.results.find(({ outcome }) => outcome === "failed")?.findings ?? [];
  const texts = { sent: "a", expected: "a", got: "a", received: "a", hint: "a", curl: "a" };
  const long = Object.fromEntries(Object.keys(texts).map((name) => [name, '"&'.repeat(1_000)]));
  const results = suite.map(({ id, title, rules }, index) => ({
    ...{ id, title, rules, place: "a.yaml:1", durationMs: 1 },
    ...(index >= 50
      ? { outcome: "passed" as const }
      : { outcome: "failed" as const, findings: [{ ...finding, ...long, rules: [`A-${index}`] } as never] }),
  }));
  const many = print("html", { ...data, results });
  assert.ok(Buffer.byteLength(many) < 1_000_000, String(Buffer.byteLength(many)));
});
