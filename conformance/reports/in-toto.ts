import type { Result } from "../engine/play/result.ts";
import { plainLine } from "../plain-text.ts";
import type { GatedReport } from "../policies/gated-report.ts";
import { escapedJson } from "./json.ts";

/** What was under test, by the digest that names it. */
export interface StatementSubject {
  readonly name: string;
  /** 64 lowercase hex characters. */
  readonly sha256: string;
}

/**
 * An in-toto Statement, version 1, with the predicate "test result" 0.1, for CI to sign. It says nothing of when or
 * where it was made: the signature does.
 *
 * `WARNED` is a run that passed with something to know: advice, a failure of a vector that came after the suite that
 * counts, or a required rule that was allowed not to be tried. Everything that is no pass is `FAILED`: an undecided run,
 * and one whose failures are known, too. A reader that sees `PASSED` may rely on it.
 */
export function inTotoStatement(report: GatedReport, subject: StatementSubject): string {
  const ids = (select: (result: Result) => boolean) => report.results.filter(select).map(({ id }) => id);
  const statement = {
    _type: "https://in-toto.io/Statement/v1",
    subject: [{ name: subject.name, digest: { sha256: subject.sha256 } }],
    predicateType: "https://in-toto.io/attestation/test-result/v0.1",
    predicate: {
      result: resultOf(report),
      configuration: [suiteOf(report), kitOf(report)],
      passedTests: ids((result) => result.outcome === "passed" && !warns(result)),
      warnedTests: ids(warns),
      failedTests: ids(({ outcome, later }) => outcome === "error" || (outcome === "failed" && !later)),
    },
  };
  return escapedJson(statement);
}

function resultOf({
  verdict,
  exitStatus,
  results,
  allowedUntried,
}: GatedReport): "PASSED" | "WARNED" | "FAILED" {
  if (verdict !== "conforms" || exitStatus !== 0) return "FAILED";
  return results.some(warns) || allowedUntried.length > 0 ? "WARNED" : "PASSED";
}

/** Passed with advice, or failed something that newer than the suite that counts. */
function warns({ outcome, advice, later }: Result): boolean {
  return outcome === "passed" ? advice.length > 0 : outcome === "failed" && later === true;
}

/** The suite that the verdict is about, by its digest, and how much there was to run and ran. */
function suiteOf({ suite, contract, frozen, allowedUntried }: GatedReport) {
  const { expected, executed } = suite;
  const annotations = { expected, executed, allowedUntried };
  return frozen === undefined
    ? { name: `${contract}@${suite.version}`, digest: { sha256: suite.digest }, annotations }
    : { name: frozen.suite, digest: { sha256: frozen.digest }, annotations };
}

/** The program that played them, and what makes it play them the same way again. */
function kitOf({ kit, seed, salt, runs, adapter, verdict, implementation }: GatedReport) {
  const { name, version } = implementation;
  return {
    name: kit.name,
    uri: `pkg:npm/${kit.name}@${kit.version}`,
    annotations: {
      seed,
      ...(salt === undefined ? {} : { salt }),
      runs,
      adapter,
      verdict,
      implementation: plainLine(`${name} ${version}`, 200),
    },
  };
}
