import { auditFacts, auditResults } from "../contract/audit/audit-results.ts";
import { loadKitData } from "../contract/kit-data.ts";
import { auditId } from "../engine/audit/audit-id.ts";
import type { Result } from "../engine/play/result.ts";
import type { RunOutcome } from "../engine/run/report.ts";
import { kitVersion } from "../paths.ts";
import { gatedReport } from "../policies/gated-report.ts";
import type { WorkDone } from "../proxy/beside.ts";
import type { LiveOutcome } from "../proxy/live-judge.ts";
import { UNWRITTEN } from "./exit-status.ts";
import { type GatesOptions, loadGates } from "./gates.ts";
import { serviceData } from "./judged-data.ts";
import type { Output } from "./output.ts";
import { reportContext } from "./report-context.ts";
import type { Reporter } from "./reporters.ts";
import { updateGates } from "./update-gates.ts";
import { writeReports } from "./write-reports.ts";

/** What is held against traffic besides the contract, and how it is told. */
export interface TrafficReportOptions extends Omit<GatesOptions, "suite"> {
  readonly verbose: boolean;
}

/** Traffic that was judged as it passed. */
export interface JudgedTraffic {
  readonly done: WorkDone<LiveOutcome>;
  /** Where the service is. */
  readonly name: string;
  /** The recording of it, if one was kept. */
  readonly recordings: readonly string[];
  /** The options as they stand in a command that judges it again. */
  readonly words: readonly string[];
  readonly durationMs: number;
  readonly nowMs: number;
}

/** What is made ready before anything passes, so that nothing is wrong with it afterwards. */
export interface TrafficReporting {
  /** Reports what was found; gives the exit status. */
  report(judged: JudgedTraffic): Promise<number>;
}

/**
 * Makes ready the report of traffic that is to be judged.
 * @throws {UsageError | DataError} for a baseline or choices with a fault
 */
export async function trafficReporting(
  options: TrafficReportOptions,
  reporters: readonly Reporter[],
  output: Output,
  nowMs: number,
): Promise<TrafficReporting> {
  const data = serviceData(loadKitData());
  const gates = await loadGates(options, data, nowMs);
  return {
    async report(judged) {
      const outcome = outcomeOf(judged, data.digest);
      const isUpdate = options.updateBaseline || options.updateChoices;
      const updating = { data, gates, nowMs: judged.nowMs };
      const { report: held, complete } = isUpdate
        ? await updateGates(outcome, options, updating, output)
        : { report: gatedReport(data.contract, outcome, gates), complete: true };
      const report = { ...held, asked: { options: judged.words, recordings: judged.recordings } };
      const context = reportContext(report, data, options);
      const written = await writeReports(reporters, report, context, output);
      return (written && complete) || report.exitStatus !== 0 ? report.exitStatus : UNWRITTEN;
    },
  };
}

function outcomeOf({ done, name, durationMs }: JudgedTraffic, digest: string): RunOutcome {
  const { end, missed, broke } = done;
  const results = end === undefined ? [] : auditResults(end.audited);
  const none = { exchanges: 0, judged: 0, restarts: 0, findings: 0, complete: false, unknown: [] };
  const audit = end === undefined ? none : auditFacts(end.audited, false);
  const unseen = {
    what: "the judge never saw them: it was behind, or had broken",
    rules: [],
    exchanges: missed,
  };
  return {
    results: [...results, ...faultsOf(end, broke)],
    facts: {
      kitVersion: kitVersion(),
      info: { implementation: { name, version: "as it answered" } },
      adapter: "proxy",
      seed: 0,
      runs: 0,
      durationMs,
      digest,
      accepted: new Set(),
      audit: {
        ...audit,
        exchanges: audit.exchanges + missed,
        unknown: missed === 0 ? audit.unknown : [...audit.unknown, unseen],
      },
    },
  };
}

/** What went wrong with the judge itself. */
function faultsOf(end: LiveOutcome | undefined, broke: string | undefined): readonly Result[] {
  if (broke !== undefined) return [faultOf(`the judge broke: ${broke}`)];
  const { stumbled } = end ?? {};
  if (stumbled === undefined) return [];
  const { exchanges, over, reason } = stumbled;
  return [faultOf(`the judge failed at ${exchanges} exchanges, first at request ${over}: ${reason}`)];
}

function faultOf(reason: string): Result {
  return {
    id: auditId("judge"),
    kind: "recording",
    title: "judging what passed",
    rules: [],
    outcome: "error",
    reason,
    failures: [],
    incidental: [],
    observations: [],
    advice: [],
    trace: [],
  };
}
