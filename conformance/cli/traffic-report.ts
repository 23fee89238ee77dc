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
import { type GatedReport, type Gates, gatedReport } from "../policies/gated-report.ts";
import type { WorkDone } from "../proxy/beside.ts";
import type { LiveOutcome } from "../proxy/live-judge.ts";
import { UNWRITTEN, worstOf } from "./exit-status.ts";
import { type GatesOptions, loadGates, updateGates } from "./gates.ts";
import { clientData, type JudgedData, serviceData } from "./judged-data.ts";
import type { Output } from "./output.ts";
import { reportContext } from "./report-context.ts";
import { loadReporters, type Reporter } from "./reporters.ts";
import { saveFailures } from "./save-failures.ts";
import { UsageError } from "./usage-error.ts";
import { writeReports } from "./write-reports.ts";

/** Options of a command that judges traffic: policies, and how results are reported. */
export interface TrafficReportOptions extends GatesOptions {
  /** A folder into which findings are written as vectors. */
  readonly saveFailures?: string;
  readonly reporter: readonly string[];
  /** Whether clients are judged, too, and their reporters. */
  readonly clients: boolean;
  readonly clientReporter: readonly string[];
  readonly verbose: boolean;
}

/** Traffic that was judged, and what its reports say about it. */
export interface JudgedTraffic {
  /** Result about the service; absent where the judge did not finish. */
  readonly audited?: AuditOutcome;
  /** Result about its clients. */
  readonly clients?: ClientTraffic;
  /** Whether no request to the service is missing. */
  readonly complete: boolean;
  /** Number of exchanges that the judge did not see. */
  readonly missed: number;
  /** Errors of the judge itself. */
  readonly faults: readonly Result[];
  /** Where the service is, or the names of the recordings. */
  readonly name: string;
  /** Text in place of the version of the service. */
  readonly service: string;
  readonly adapter: "recording" | "proxy";
  /** The recordings, if there are any. */
  readonly recordings: readonly string[];
  /** The options as they stand in a command that judges it again. */
  readonly words: readonly string[];
  readonly durationMs: number;
  readonly nowMs: number;
  /** Masks the secrets of a part of the report, unless the user wants them. */
  readonly shown: <Value>(value: Value) => Value;
}

/** What reports of one side of the traffic are made with. */
interface Side {
  readonly data: JudgedData;
  readonly reporters: readonly Reporter[];
  readonly options: TrafficReportOptions;
  readonly output: Output;
}

/**
 * Prepares, before any traffic is judged, the reports about the service and, where asked for, its clients.
 * @returns a function that writes them and returns the exit status
 * @throws {UsageError | DataError} for options that do not go together, and for an invalid baseline or choices
 */
export async function trafficReporting(
  options: TrafficReportOptions,
  output: Output,
  nowMs: number,
): Promise<(judged: JudgedTraffic) => Promise<number>> {
  if (options.clientReporter.length > 0 && !options.clients)
    throw new UsageError("--client-reporter goes with --clients");
  const common = { options, output };
  const reporters = await loadReporters(options.reporter);
  const service: Side = { ...common, reporters, data: serviceData(loadKitData()) };
  const clientReporters = await loadReporters(options.clientReporter);
  const clients: Side | undefined = options.clients
    ? { ...common, reporters: clientReporters, data: await clientData() }
    : undefined;
  const gates = await loadGates(options, service.data, nowMs);
  return async (judged) => {
    const statuses = [await reportService(judged, gates, service)];
    if (clients !== undefined) statuses.push(await reportClients(judged, clients));
    return worstOf(statuses);
  };
}

async function reportService(judged: JudgedTraffic, gates: Gates, side: Side): Promise<number> {
  const { data, options, output } = side;
  const outcome = outcomeOf(judged, data.digest);
  const isUpdate = options.updateBaseline || options.updateChoices;
  const { report, complete } = isUpdate
    ? await updateGates(outcome, options, { data, gates, nowMs: judged.nowMs }, output)
    : { report: gatedReport(data.contract, outcome, gates), complete: true };
  const saved = vectorsSaved(report, judged, options.saveFailures, output);
  const status = await written(report, judged, side);
  return (complete && saved) || status !== 0 ? status : UNWRITTEN;
}

/** Writes findings as vectors, and reports those that cannot be. @returns whether all were written */
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

async function reportClients(judged: JudgedTraffic, side: Side): Promise<number> {
  const { name, adapter, shown, faults, clients = NOBODY } = judged;
  const { contract, digest } = side.data;
  const version = adapter === "proxy" ? "as they asked" : judged.service;
  const outcome: RunOutcome = {
    results: [...shown(clientTrafficResults(clients)), ...faults],
    facts: {
      ...factsOf(judged, digest),
      info: { implementation: { name: `clients of ${name}`, version } },
      side: "client",
      audit: clientAuditFacts(clients),
    },
  };
  const again = { ...judged, words: [...judged.words, "--clients"] };
  return written(gatedReport(contract, outcome, {}), again, side);
}

/** Result where no client sent anything. */
const NOBODY: ClientTraffic = {
  exchanges: 0,
  unread: 0,
  byOperation: {},
  neglected: [],
  found: 0,
  advice: [],
};

/** Name of live traffic in places of findings; the number of the request follows. */
export const TRAFFIC = "traffic";

/** Writes a report to all its reporters. @returns its exit status, or that a part of it was lost */
async function written(
  held: GatedReport,
  { words, recordings }: JudgedTraffic,
  { data, options, reporters, output }: Side,
): Promise<number> {
  const report = { ...held, asked: { options: words, recordings } };
  const complete = await writeReports(reporters, report, reportContext(report, data, options), output);
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

/** Facts of a report about traffic. */
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

/** Result of traffic that was judged as it passed. */
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

/** Errors of the judge itself. */
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
