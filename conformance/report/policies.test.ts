import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import * as reference from "../../reference/service.ts";
import { InProcessAdapter } from "../adapters/in-process.ts";
import { readServiceContract } from "../contract/contract.ts";
import { run } from "../run/run.ts";
import { loadKitVectors } from "../suite/load.ts";
import { applyBaseline, readBaseline, updatedBaseline } from "./baseline.ts";
import { formatVerdict } from "./console.ts";
import { type ReportData, type ResultData, toData } from "./data.ts";
import { allowNotTested, checkAllowedNames, holdToChoices } from "./policies.ts";

const contract = readServiceContract();
const suite = loadKitVectors(contract);
const ids = new Set(suite.map(({ id }) => id));
const folder = mkdtempSync(join(tmpdir(), "policies-test-"));
after(() => rmSync(folder, { recursive: true }));

const SESSION = "session/issued/between-seconds";
const PLATFORM = "platform/same-twice";

/** The report of a service whose sessions have a wrong scope. */
async function wrongScope(only: readonly string[] = [SESSION, PLATFORM]): Promise<ReportData> {
  const createService = (options: reference.ServiceOptions) => {
    const service = reference.createService(options);
    return {
      handle(call: never) {
        const { status, body } = service.handle(call);
        return { status, body: "scope" in body ? { ...body, scope: "all" } : body };
      },
    };
  };
  const adapter = new InProcessAdapter({ ...reference, createService });
  return toData(await run(contract, suite, adapter, { selection: { only } }), { kit: "0.1.0", contract });
}

const failing = await wrongScope();
const write = (text: string) => {
  const file = join(folder, "known.yaml");
  writeFileSync(file, text);
  return file;
};

/** Applies a baseline with one entry. Returns the exit status, problems, and IDs of known failures. */
function apply(entry: string, data = failing, today = "2026-11-21") {
  const baseline = readBaseline(write(`known:\n  - { ${entry} }\n`));
  const { verdict, policies, results } = applyBaseline(data, baseline, today, ids);
  return {
    status: verdict.exitStatus,
    problems: policies?.[0]?.problems.map(({ message }) => message),
    known: results.flatMap(({ id, known }) => (known === undefined ? [] : [id])),
  };
}

test("a known failure does not fail the run until the last day of its entry has passed", () => {
  const accepted = { status: 0, problems: [], known: [SESSION] };
  assert.equal(failing.verdict.exitStatus, 1);
  assert.deepEqual(apply(`id: ${SESSION}, reason: r`), accepted);
  assert.deepEqual(apply(`id: ${SESSION}, rules: [SESSION-3], reason: r, expires: 2026-11-21`), accepted);
  assert.deepEqual(apply(`id: ${SESSION}, reason: r, expires: 2026-11-20`), {
    status: 1,
    problems: [`${SESSION} still fails, but the entry expired on 2026-11-20; fix the failure`],
    known: [],
  });
});

test("a known failure does not replace the tests of a rule that an excuse leaves untested", () => {
  const rules = failing.rules.map((rule) =>
    rule.id === "SESSION-2" ? { ...rule, outcome: "not-tested" as const } : rule,
  );
  const [first, ...others] = failing.results.map((result) =>
    result.id === PLATFORM ? { ...result, rules: ["SESSION-2"] } : { ...result, rules: ["SESSION-2"] },
  );
  const data = { ...failing, rules, results: [first as ResultData, ...others] };
  assert.equal(apply(`id: ${SESSION}, reason: r`, data).status, 0);
  const doubted = data.results.map((result) => ({ ...result, doubt: "429 with fewer entries" }));
  assert.equal(apply(`id: ${SESSION}, reason: r`, { ...data, results: doubted }).status, 4);
});

test("if all failures are known, the verdict says so, and how many required rules were not tested", () => {
  const baseline = readBaseline(write(`known:\n  - { id: ${SESSION}, reason: r }\n`));
  const whole = { ...failing, verdict: { conclusion: "does-not-conform", exitStatus: 1 } } as const;
  const applied = applyBaseline(whole, baseline, "2026-11-21", ids);
  assert.equal(applied.verdict.exitStatus, 4);
  assert.match(
    formatVerdict(applied),
    /^Does not conform: 1 required rule violated, all of them known\. \d+ required rules not tested\.$/,
  );
});

test("a baseline of thousands of unknown tests is checked, with suggestions for the first ones", () => {
  const entries = Array.from(
    { length: 5_000 },
    (_, index) => `  - { id: session/issued/between-second-${index}, reason: r }\n`,
  );
  const baseline = readBaseline(write(`known:\n${entries.join("")}`));
  const { policies } = applyBaseline(failing, baseline, "2026-11-21", ids);
  const messages = policies?.[0]?.problems.map(({ message }) => message) ?? [];
  assert.equal(messages.length, 5_000);
  assert.equal(messages.filter((message) => message.includes("did you mean")).length, 20);
});

test("a violation of a rule that the entry does not name is a new failure", () => {
  const other = { status: 1, problems: [], known: [] };
  assert.deepEqual(apply(`id: ${SESSION}, rules: [SESSION-2], reason: r`), other);
});

test("an entry is stale if its test passes or does not exist, but not if its test was not played", () => {
  assert.deepEqual(apply(`id: ${PLATFORM}, reason: r`).problems, [
    `${PLATFORM} passes now; remove the entry`,
  ]);
  assert.deepEqual(apply("id: platform/same-twcie, reason: r").problems, [
    `remove the entry, or correct its ID: unknown test "platform/same-twcie"; did you mean "${PLATFORM}"?`,
  ]);
  assert.deepEqual(apply("id: capacity/drafts, reason: r").problems, []);
});

test("an error is never accepted", () => {
  const results = failing.results.map((result) => ({ ...result, outcome: "error" as const }));
  const rules = failing.rules.map((rule) => ({ ...rule, outcome: "not-tested" as const }));
  assert.deepEqual(apply(`id: ${SESSION}, reason: r`, { ...failing, results, rules }), {
    status: 3,
    problems: [],
    known: [],
  });
});

test("faults of a baseline are reported with their places", () => {
  const read = (text: string) => () => readBaseline(write(text));
  assert.throws(read("known:\n  - id: a/b\n"), /known\.yaml:2:5: .*has no "reason"; add it$/);
  assert.throws(
    read("known:\n  - { id: a, reason: x }\n  - { id: a, reason: x, expires: 2027-02-29 }\n"),
    /:3:7: duplicate id "a"; remove one\n.*:3:24?\d*: 2027-02-29 is not a valid date$/,
  );
});

test("an update keeps text that people wrote, adds new failures, and removes the entries of passing tests", () => {
  const file = write(`# our failures
known:
  # soon
  - id: ${PLATFORM}
    reason: gone
  - id: capacity/drafts
    reason: slow # on purpose
`);
  const text = updatedBaseline(file, failing, ids);
  assert.equal(
    text,
    `# our failures
known:
  - id: capacity/drafts
    reason: slow # on purpose
  - id: ${SESSION}
    rules: [SESSION-3]
    reason: not yet explained
`,
  );
  assert.equal(updatedBaseline(write(text), failing, ids), text);
  const changed = text.replace("[SESSION-3]", "[SESSION-2]").replace("not yet explained", "two clocks");
  assert.match(
    updatedBaseline(write(changed), failing, ids),
    /rules: \[SESSION-3\]\n {4}reason: "?not yet explained; reason for SESSION-2: two clocks/,
  );
  assert.match(
    updatedBaseline(join(folder, "new.yaml"), failing, ids),
    /^# yaml-language-server: \$schema=\S+baseline\.schema\.json\n\nknown:\n {2}- id: session/,
  );
});

test("a violation that only tests of other rules show can be a known failure", async () => {
  const incidental = await wrongScope(["build-texts/name-within-bounds/*"]);
  assert.equal(incidental.verdict.exitStatus, 1);
  const file = join(folder, "incidental.yaml");
  writeFileSync(file, updatedBaseline(file, incidental, ids));
  assert.equal(readFileSync(file, "utf8").match(/- id/g)?.length, 1);
  assert.equal(applyBaseline(incidental, readBaseline(file), "2026-11-21", ids).verdict.exitStatus, 0);
});

test("behavior is compared with the behavior in a saved report", () => {
  const [point = ""] = Object.keys(failing.behavior);
  const saved = (readings: readonly string[], seed = 1): ReportData => ({
    ...failing,
    run: { ...failing.run, seed },
    behavior: { ...failing.behavior, [point]: readings },
  });
  const problems = (one: ReportData) => holdToChoices(failing, one, "a.json").policies?.[0]?.problems ?? [];
  const now = failing.behavior[point] ?? [];
  assert.deepEqual(problems(failing), []);
  assert.deepEqual(problems(saved(["other"])), [
    { message: `${point}: expected other, observed ${now.join(" | ")}` },
  ]);
  assert.equal(problems(saved([...now, "other"])).length, 1);
  assert.equal(problems(saved([...now, "other"], 2)).length, 0);
});

test("rules that need a missing capability can be accepted as not tested", () => {
  const lacks = (names: readonly string[]) =>
    failing.results.map((result) => ({ ...result, outcome: "skipped" as const, findings: [], lacks: names }));
  const rules = failing.rules.map((rule) =>
    rule.id === "SESSION-3" || rule.id === "SESSION-2"
      ? { ...rule, outcome: "not-tested" as const }
      : { ...rule, outcome: "satisfied" as const },
  );
  const verdict = { conclusion: "undecided", exitStatus: 4 } as const;
  const allow = (names: readonly string[], lacking: readonly string[]) =>
    allowNotTested({ ...failing, verdict, rules, results: lacks(lacking) }, names).verdict;
  const conforms = { conclusion: "conforms", exitStatus: 0 };
  assert.deepEqual(allow(["SESSION-[23]"], []), conforms);
  assert.deepEqual(allow(["capability:restart"], ["capability:restart"]), conforms);
  assert.deepEqual(allow(["capability:restart"], ["capability:clock"]), verdict);
  assert.deepEqual(allow(["SESSION-3"], []), verdict);
  assert.throws(
    () => checkAllowedNames(["capability:restrat"], ["SESSION-3"]),
    /^DataError: --allow-not-tested: unknown name "capability:restrat"; did you mean "capability:restart"\?$/,
  );
});
