import type { Facts } from "../adapters/adapter.ts";
import { Doubles } from "../audit/doubles.ts";
import { inOrder } from "../audit/in-order.ts";
import { openRecording } from "../audit/open-recording.ts";
import { auditFacts, auditResults, unreplayable } from "../contract/audit/audit-results.ts";
import { TrafficJudge } from "../contract/audit/traffic-judge.ts";
import { RecordedClients } from "../contract/client/traffic/recorded-clients.ts";
import { loadKitData } from "../contract/kit-data.ts";
import { auditId } from "../engine/audit/audit-id.ts";
import type { RunOutcome } from "../engine/run/report.ts";
import { kitVersion } from "../paths.ts";
import { gatedReport } from "../policies/gated-report.ts";
import { shellQuote } from "../reports/reproduction-command.ts";
import { auditedFacts } from "./audited-facts.ts";
import { UNWRITTEN, worstOf } from "./exit-status.ts";
import { type GatesOptions, loadGates, updateGates } from "./gates.ts";
import { serviceData } from "./judged-data.ts";
import { reportContext } from "./report-context.ts";
import { loadReporters } from "./reporters.ts";
import type { RunEdge } from "./run-command.ts";
import { saveFailures } from "./save-failures.ts";
import { serviceAddress } from "./service-address.ts";
import { clientTrafficReporting } from "./traffic-report.ts";
import { UsageError } from "./usage-error.ts";
import { writeReports } from "./write-reports.ts";

export interface AuditCommandOptions extends Omit<GatesOptions, "suite"> {
  /** Recordings of one service. */
  readonly files: readonly string[];
  readonly facts?: string;
  readonly metadataHosts?: readonly string[];
  /** What stands before the path of each request in a HAR. */
  readonly baseUrl?: string;
  /** How far the clocks of those who recorded may be apart, in ms. */
  readonly clockDoubtMs: number;
  /** A folder into which findings are written as vectors. */
  readonly saveFailures?: string;
  readonly reporter: readonly string[];
  /** Whether clients are judged, too, and by which reporters that is told. */
  readonly clients: boolean;
  readonly clientReporter: readonly string[];
  readonly verbose: boolean;
}

/** `audit`: judges recordings of one service, and gives the exit status. */
export async function auditCommand(
  options: AuditCommandOptions,
  { output, time }: Pick<RunEdge, "output" | "time">,
): Promise<number> {
  if (options.clientReporter.length > 0 && !options.clients)
    throw new UsageError("--client-reporter goes with --clients");
  const reporters = await loadReporters(options.reporter, {});
  const clientReporters = await loadReporters(options.clientReporter, {});
  const stated = auditedFacts(options);
  const data = serviceData(loadKitData());
  const nowMs = time.now();
  const gates = await loadGates(options, data, nowMs);
  const recordings = [...new Set(options.files)].map((file) =>
    openRecording(file, serviceAddress(options.baseUrl)),
  );
  const headers = recordings.map(({ header }) => header);
  const complete = headers.every((header) => header.complete);
  const facts: Partial<Facts> = Object.assign({}, ...headers.map((header) => header.facts), stated);
  const judge = new TrafficJudge({ complete, facts, clockDoubtMs: options.clockDoubtMs });
  const clients = options.clients ? new RecordedClients(facts.signedBytes, options.clockDoubtMs) : undefined;
  const doubles = new Doubles(options.clockDoubtMs);
  const inTime = inOrder(recordings);
  for (const item of recordings.length > 1 ? doubles.without(inTime) : inTime) {
    judge.take(item);
    clients?.take(item);
  }
  if (doubles.leftOut > 0)
    output.err(`${doubles.leftOut} exchanges are in two of the recordings, and count once\n`);
  const audited = judge.end();
  const outcome: RunOutcome = {
    results: auditResults(audited),
    facts: {
      kitVersion: kitVersion(),
      info: { implementation: { name: options.files.join(", "), version: "recorded" } },
      adapter: "recording",
      seed: 0,
      runs: 0,
      durationMs: Math.round(time.now() - nowMs),
      digest: data.digest,
      accepted: new Set(),
      audit: auditFacts(audited, complete),
    },
  };
  const isUpdate = options.updateBaseline || options.updateChoices;
  const { report: judged, complete: kept } = isUpdate
    ? await updateGates(outcome, options, { data, gates, nowMs }, output)
    : { report: gatedReport(data.contract, outcome, gates), complete: true };
  const report = { ...judged, asked: { options: optionWords(options), recordings: options.files } };
  const context = reportContext(report, data, options);
  const saved = options.saveFailures === undefined || saveFailures(report, options.saveFailures, output);
  if (options.saveFailures !== undefined)
    for (const [rule, reason] of unreplayable(audited))
      output.err(`${auditId(rule)}: not written as a vector: ${reason}\n`);
  const written = (await writeReports(reporters, report, context, output)) && saved;
  const status = (written && kept) || report.exitStatus !== 0 ? report.exitStatus : UNWRITTEN;
  if (clients === undefined) return status;
  const reportClients = await clientTrafficReporting(options, clientReporters, output);
  const told = {
    name: options.files.join(", "),
    version: "recorded",
    adapter: "recording",
    recordings: options.files,
    words: optionWords(options),
    durationMs: Math.round(time.now() - nowMs),
    shown: <Value>(value: Value) => value,
  };
  return worstOf([status, await reportClients(clients.told(), told)]);
}

/** The options as they stand in a command that judges the same again. */
function optionWords({
  facts,
  metadataHosts,
  baseUrl,
  clockDoubtMs,
}: AuditCommandOptions): readonly string[] {
  return [
    ...(facts === undefined ? [] : ["--facts", shellQuote(facts)]),
    ...(metadataHosts === undefined ? [] : ["--metadata-hosts", ...metadataHosts.map(shellQuote)]),
    ...(baseUrl === undefined ? [] : ["--base-url", shellQuote(baseUrl)]),
    ...(clockDoubtMs === 0 ? [] : ["--clock-doubt", `${clockDoubtMs}ms`]),
  ];
}
