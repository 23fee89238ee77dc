import { auditFacts, auditResults, unreplayable } from "../contract/audit/audit-results.ts";
import type { AuditOutcome } from "../contract/audit/traffic-judge.ts";
import {
  type ClientTraffic,
  clientAuditFacts,
  clientTrafficResults,
} from "../contract/client/traffic/client-traffic-results.ts";
import { loadKitData } from "../contract/kit-data.ts";
import { auditId } from "../engine/audit/recorded.ts";
import type { Result } from "../engine/play/result.ts";
import type { AuditFacts, RunFacts, RunOutcome } from "../engine/run/report.ts";
import { kitVersion } from "../paths.ts";
import { type GatedReport, gatedReport } from "../policies/gated-report.ts";
import type { WorkDone } from "../proxy/beside.ts";
import type { LiveOutcome } from "../proxy/live-judge.ts";
import { UNWRITTEN } from "./exit-status.ts";
import { type GatesOptions, loadGates } from "./gates.ts";
import { clientData, type JudgedData, serviceData } from "./judged-data.ts";
import type { Output } from "./output.ts";
import { reportContext } from "./report-context.ts";
import type { Reporter } from "./reporters.ts";
import { saveFailures } from "./save-failures.ts";
import { updateGates } from "./update-gates.ts";
import { writeReports } from "./write-reports.ts";

/** What is held against traffic besides the contract, and how it is told. */
export interface TrafficReportOptions extends Omit<GatesOptions, "suite"> {
  /** A folder into which findings are written as vectors. */
  readonly saveFailures?: string;
  readonly verbose: boolean;
}

/** Traffic that was judged, and what is told of it. */
export interface JudgedTraffic {
  /** What the service's answers came to; absent where the judge came to no end. */
  readonly audited?: AuditOutcome;
  /** What its clients' requests came to. */
  readonly clients?: ClientTraffic;
  /** Whether nothing is missing of what the service was asked. */
  readonly complete: boolean;
  /** Exchanges that the judge never saw. */
  readonly missed: number;
  /** What went wrong with the judge itself. */
  readonly faults: readonly Result[];
  /** Where the service is, or the names of the recordings. */
  readonly name: string;
  /** How the service was met, in place of its version. */
  readonly service: string;
  readonly adapter: "recording" | "proxy";
  /** The recordings, if there are any. */
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
 * Makes ready, before anything is judged, the report of what a service answers.
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
  { audited }: JudgedTraffic,
  folder: string | undefined,
  output: Output,
): boolean {
  if (folder === undefined) return true;
  const saved = saveFailures(report, folder, output);
  for (const [rule, reason] of audited === undefined ? [] : unreplayable(audited))
    output.err(`${auditId(rule)}: not written as a vector: ${reason}\n`);
  return saved;
}

/** Makes ready the report of what the clients of a service send. */
export async function clientReporting(
  options: Pick<TrafficReportOptions, "verbose">,
  reporters: readonly Reporter[],
  output: Output,
): Promise<TrafficReporting> {
  const data = await clientData();
  return async (judged) => {
    const { name, adapter, shown, faults, clients = NOBODY } = judged;
    const version = adapter === "proxy" ? "as they asked" : judged.service;
    const outcome: RunOutcome = {
      results: [...shown(clientTrafficResults(clients)), ...faults],
      facts: {
        ...factsOf(judged, data.digest),
        info: { implementation: { name: `clients of ${name}`, version } },
        side: "client",
        audit: clientAuditFacts(clients),
      },
    };
    const report = gatedReport(data.contract, outcome, {});
    const again = { ...judged, words: [...judged.words, "--clients"] };
    return written(report, { judged: again, data, options, reporters, output });
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
    readonly judged: JudgedTraffic;
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

function outcomeOf(judged: JudgedTraffic, digest: string): RunOutcome {
  const { audited, complete, missed, faults, shown } = judged;
  const audit = audited === undefined ? NOTHING_JUDGED : auditFacts(audited, complete);
  const unseen = {
    what: "the judge never saw them: it was behind, or had broken",
    rules: [],
    exchanges: missed,
  };
  return {
    results: [...(audited === undefined ? [] : shown(auditResults(audited))), ...faults],
    facts: {
      ...factsOf(judged, digest),
      audit: {
        ...audit,
        exchanges: audit.exchanges + missed,
        unknown: missed === 0 ? audit.unknown : [...audit.unknown, unseen],
      },
    },
  };
}

const NOTHING_JUDGED: AuditFacts = {
  exchanges: 0,
  judged: 0,
  restarts: 0,
  findings: 0,
  complete: false,
  unknown: [],
  timelines: [],
};

/** What a report says of traffic that was judged. */
function factsOf({ name, service, adapter, durationMs }: JudgedTraffic, digest: string): RunFacts {
  return {
    kitVersion: kitVersion(),
    info: { implementation: { name, version: service } },
    adapter,
    seed: 0,
    runs: 0,
    durationMs,
    digest,
    accepted: new Set(),
  };
}

/** What came of traffic that was judged as it passed. */
export function judgedLive({
  end,
  missed,
  broke,
}: WorkDone<LiveOutcome>): Pick<JudgedTraffic, "audited" | "clients" | "complete" | "missed" | "faults"> {
  const { audited, clients } = end ?? {};
  return {
    ...(audited === undefined ? {} : { audited }),
    ...(clients === undefined ? {} : { clients }),
    complete: false,
    missed,
    faults: faultsOf(end, broke),
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
