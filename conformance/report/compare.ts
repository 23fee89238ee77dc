/** Compares two reports: what fails now, what was fixed, and which behavior changed. */
import { type ReportData, type ResultData, readingsOf, requiredRules, violatedRules } from "./data.ts";

interface ChangedTest {
  readonly id: string;
  /** Outcomes; `absent` if the report does not have the test. */
  readonly before: string;
  readonly after: string;
  /** Rules that the test shows to be violated, now or before. */
  readonly rules: readonly string[];
}

type Comparison = ReturnType<typeof compareReports>;

/** Returns the changes from one report to another, in the order of the later report. */
export function compareReports(before: ReportData, after: ReportData) {
  const [violatedBefore = [], violatedAfter = []] = [before, after].map((data) =>
    requiredRules(data, "violated").map(({ id }) => id),
  );
  const changes = changedTests(before, after);
  const failing = changes.filter((test) => isBad(test.after));
  const fixed = changes.filter((test) => isBad(test.before) && test.after === "passed");
  return {
    /** Required rules that are violated only in the later (`violated`) or the earlier report (`fixed`). */
    rules: {
      violated: violatedAfter.filter((id) => !violatedBefore.includes(id)),
      fixed: violatedBefore.filter((id) => !violatedAfter.includes(id)),
    },
    tests: {
      /** Tests that fail or end in an error now, but did not before. */
      failing: failing.filter((test) => !isBad(test.before)),
      fixed,
      /** All other tests whose outcome changed, such as tests that are now skipped. */
      other: changes.filter((test) => !failing.includes(test) && !fixed.includes(test)),
    },
    /** Open points for which the two reports show different readings. */
    behavior: Object.entries(after.behavior).flatMap(([point, readings]) => {
      const earlier = readingsOf(before, point);
      const isSame = earlier === undefined || earlier.join() === readings.join();
      return isSame ? [] : [{ point, before: earlier, after: readings }];
    }),
    /** Differences between the runs, such as the seed, that make the comparison less certain. */
    warnings: warningsOf(before, after),
  };
}

function changedTests(before: ReportData, after: ReportData): readonly ChangedTest[] {
  const earlier = new Map(before.results.map((result) => [result.id, result]));
  const later = new Map(after.results.map((result) => [result.id, result]));
  return [...new Set([...later.keys(), ...earlier.keys()])].flatMap((id) => {
    const [one, other] = [earlier.get(id), later.get(id)];
    if (one?.outcome === other?.outcome) return [];
    const rules = new Set([...rulesOf(other), ...rulesOf(one)]);
    return [{ id, before: one?.outcome ?? "absent", after: other?.outcome ?? "absent", rules: [...rules] }];
  });
}

function rulesOf(result: ResultData | undefined): readonly string[] {
  return result?.outcome === "failed" ? violatedRules(result) : [];
}

function isBad(outcome: string): boolean {
  return outcome === "failed" || outcome === "error";
}

function warningsOf(before: ReportData, after: ReportData): readonly string[] {
  const compared: readonly (readonly [string, string, string])[] = [
    ["kit", before.kit, after.kit],
    ["suite", before.run.suite.digest, after.run.suite.digest],
    ["seed", String(before.run.seed), String(after.run.seed)],
    ["transport", before.service.transport, after.service.transport],
  ];
  const different = compared.filter(([, one, other]) => one !== other);
  return different.map(([name, one, other]) => `the ${name} differs: ${one} before, ${other} after`);
}

/** Maximum number of lines to show under each heading. */
const MAX_SHOWN = 20;

/** Formats a comparison as lines for people. The lines are not yet safe to print. */
export function formatComparison(
  before: ReportData,
  after: ReportData,
  { rules, tests, behavior, warnings }: Comparison,
  isVerbose: boolean,
): readonly string[] {
  const max = isVerbose ? Number.POSITIVE_INFINITY : MAX_SHOWN;
  const section = (heading: string, lines: readonly string[]) => {
    if (lines.length === 0) return [];
    const more = lines.length > max ? [`and ${lines.length - max} more; --verbose lists them`] : [];
    const shown = [...lines.slice(0, max), ...more].map((line) => `  ${line}`);
    return [`${heading}: ${lines.length}`, ...shown, ""];
  };
  const describe = ({ id, before: was, after: is, rules: violated }: ChangedTest) =>
    `${id}: ${is}, was ${was}${violated.length === 0 ? "" : ` (${violated.join(", ")})`}`;
  const changed = behavior.map(
    (one) => `${one.point}: ${one.after.join(" | ")}, was ${one.before.join(" | ")}`,
  );
  const sections = [
    ...section("Rules violated now", rules.violated),
    ...section("Rules fixed", rules.fixed),
    ...section("Tests failing now", tests.failing.map(describe)),
    ...section("Tests fixed", tests.fixed.map(describe)),
    ...section("Other tests whose outcome changed", tests.other.map(describe)),
    ...section("Behavior that changed", changed),
  ];
  return [
    `Before: ${describeRun(before)}`,
    `After:  ${describeRun(after)}`,
    ...warnings.map((warning) => `Warning: ${warning}`),
    "",
    ...(sections.length === 0 ? ["Nothing changed."] : sections.slice(0, -1)),
  ];
}

function describeRun({ service, verdict, tests }: ReportData): string {
  const { name, version } = service;
  return `${name} ${version}, ${verdict.conclusion}, ${tests.passed} passed, ${tests.failed} failed`;
}
