import { auditFacts, auditResults, unreplayable } from "../contract/audit/audit-results.ts";
import {
  type ClientTraffic,
  clientAuditFacts,
  clientTrafficResults,
} from "../contract/client/traffic/client-traffic-results.ts";
import { loadKitData } from "../contract/kit-data.ts";
import { auditId } from "../engine/audit/audit-id.ts";
import type { Result } from "../engine/play/result.ts";
import type { RunFacts, RunOutcome } from "../engine/run/report.ts";
import { kitVersion } from "../paths.ts";
import { type GatedReport, gatedReport } from "../policies/gated-report.ts";
import type { WorkDone } from "../proxy/beside.ts";
import type { LiveOutcome } from "../proxy/live-judge.ts";
import { UNWRITTEN } from "./exit-status.ts";
import { type GatesOptions, loadGates, updateGates } from "./gates.ts";
import { clientData, type JudgedData, serviceData } from "./judged-data.ts";
import type { Output } from "./output.ts";
import { reportContext } from "./report-context.ts";
import type { Reporter } from "./reporters.ts";
import { saveFailures } from "./save-failures.ts";
import { writeReports } from "./write-reports.ts";

/** What is held against traffic besides the contract, and how it is told. */
export interface TrafficReportOptions extends Omit<GatesOptions, "suite"> {
  /** A folder into which findings are written as vectors. */
  readonly saveFailures?: string;
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
  /** What may be shown of a part of the report: secrets masked, unless the user wants them. */
  readonly shown: <Value>(value: Value) => Value;
}

/** Reports what was found; gives the exit status. */
export type TrafficReporting = (judged: JudgedTraffic) => Promise<number>;

/**
 * Makes ready, before anything passes, the report of what a service answers.
 * @throws {UsageError | DataError} for a baseline or choices with a fault
 */
export async function serviceReporting(
  options: TrafficReportOptions,
  reporters: readonly Reporter[],
  output: Output,
  nowMs: number,
): Promise<TrafficReporting> {
  const data = serviceData(loadKitData());
  const gates = await loadGates(options, data, nowMs);
  return async (judged) => {
    const outcome = outcomeOf(judged, data.digest);
    const isUpdate = options.updateBaseline || options.updateChoices;
    const { report, complete } = isUpdate
      ? await updateGates(outcome, options, { data, gates, nowMs: judged.nowMs }, output)
      : { report: gatedReport(data.contract, outcome, gates), complete: true };
    const saved = vectorsSaved(report, judged, options.saveFailures, output);
    const status = await written(report, { judged, data, options, reporters, output });
    return (complete && saved) || status !== 0 ? status : UNWRITTEN;
  };
}

/** Writes findings as vectors where that is asked for, and says why one could not be; gives whether all were written. */
function vectorsSaved(
  report: GatedReport,
  { done: { end } }: JudgedTraffic,
  folder: string | undefined,
  output: Output,
): boolean {
  if (folder === undefined) return true;
  const saved = saveFailures(report, folder, output);
  for (const [rule, reason] of end === undefined ? [] : unreplayable(end.audited))
    output.err(`${auditId(rule)}: not written as a vector: ${reason}\n`);
  return saved;
}

/** Makes ready the report of what its clients send. */
export async function clientReporting(
  options: Pick<TrafficReportOptions, "verbose">,
  reporters: readonly Reporter[],
  output: Output,
): Promise<TrafficReporting> {
  const report = await clientTrafficReporting(options, reporters, output);
  return async (judged) => {
    const { end, broke } = judged.done;
    const told = { ...judged, version: "as they asked", adapter: "proxy" };
    return report(end?.clients ?? NOBODY, told, faultsOf(end, broke));
  };
}

/** Where nobody asked anything. */
const NOBODY: ClientTraffic = {
  exchanges: 0,
  unread: 0,
  byOperation: {},
  neglected: [],
  found: 0,
  advice: [],
};

/** What is told of clients besides what they did. */
export interface ClientTrafficTold
  extends Pick<JudgedTraffic, "name" | "recordings" | "words" | "durationMs" | "shown"> {
  readonly version: string;
  readonly adapter: string;
}

/** Makes ready a report of clients by their traffic, however that was seen; it gives the exit status. */
export async function clientTrafficReporting(
  options: Pick<TrafficReportOptions, "verbose">,
  reporters: readonly Reporter[],
  output: Output,
): Promise<(traffic: ClientTraffic, told: ClientTrafficTold, faults?: readonly Result[]) => Promise<number>> {
  const data = await clientData();
  return async (traffic, judged, faults = []) => {
    const { name, version, adapter, shown } = judged;
    const outcome: RunOutcome = {
      results: [...shown(clientTrafficResults(traffic)), ...faults],
      facts: {
        ...factsOf(judged, data.digest),
        info: { implementation: { name: `clients of ${name}`, version } },
        adapter,
        side: "client",
        audit: clientAuditFacts(traffic),
      },
    };
    const report = gatedReport(data.contract, outcome, {});
    const again = { ...judged, words: [...judged.words, "--clients"] };
    return written(report, { judged: again, data, options, reporters, output });
  };
}

/** Stands for the traffic where a finding tells its place: the number of the request follows. */
export const TRAFFIC = "traffic";

/** Writes a report everywhere it is asked for; gives its exit status, or that some of it was lost. */
async function written(
  held: GatedReport,
  {
    judged: { words, recordings },
    data,
    options,
    reporters,
    output,
  }: {
    readonly judged: Pick<JudgedTraffic, "words" | "recordings">;
    readonly data: JudgedData;
    readonly options: Pick<TrafficReportOptions, "verbose">;
    readonly reporters: readonly Reporter[];
    readonly output: Output;
  },
): Promise<number> {
  const report = { ...held, asked: { options: words, recordings } };
  const context = reportContext(report, data, options);
  const complete = await writeReports(reporters, report, context, output);
  return complete || report.exitStatus !== 0 ? report.exitStatus : UNWRITTEN;
}

function outcomeOf({ done, name, durationMs, shown }: JudgedTraffic, digest: string): RunOutcome {
  const { end, missed, broke } = done;
  const results = end === undefined ? [] : shown(auditResults(end.audited));
  const none = {
    exchanges: 0,
    judged: 0,
    restarts: 0,
    findings: 0,
    complete: false,
    unknown: [],
    timelines: [],
  };
  const audit = end === undefined ? none : auditFacts(end.audited, false);
  const unseen = {
    what: "the judge never saw them: it was behind, or had broken",
    rules: [],
    exchanges: missed,
  };
  return {
    results: [...results, ...faultsOf(end, broke)],
    facts: {
      ...factsOf({ name, durationMs }, digest),
      audit: {
        ...audit,
        exchanges: audit.exchanges + missed,
        unknown: missed === 0 ? audit.unknown : [...audit.unknown, unseen],
      },
    },
  };
}

/** What a report says of traffic that was judged as it passed. */
function factsOf({ name, durationMs }: Pick<JudgedTraffic, "name" | "durationMs">, digest: string): RunFacts {
  return {
    kitVersion: kitVersion(),
    info: { implementation: { name, version: "as it answered" } },
    adapter: "proxy",
    seed: 0,
    runs: 0,
    durationMs,
    digest,
    accepted: new Set(),
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
