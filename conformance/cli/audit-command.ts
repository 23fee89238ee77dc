import type { Facts } from "../adapters/adapter.ts";
import { openRecordings } from "../audit/recordings.ts";
import { TrafficJudge } from "../contract/audit/traffic-judge.ts";
import { RecordedClients } from "../contract/client/traffic/recorded-clients.ts";
import { shellQuote } from "../reports/reproduction-command.ts";
import { auditedFacts } from "./audited-facts.ts";
import type { Output } from "./output.ts";
import type { RunEdge } from "./run-command.ts";
import { serviceAddress } from "./service-address.ts";
import { type JudgedTraffic, type TrafficReportOptions, trafficReporting } from "./traffic-report.ts";

export interface AuditCommandOptions extends TrafficReportOptions {
  /** Recordings of one service. */
  readonly files: readonly string[];
  readonly facts?: string;
  readonly metadataHosts?: readonly string[];
  /** What stands before the path of each request in a HAR. */
  readonly baseUrl?: string;
  /** How far the clocks of those who recorded may be apart, in ms. */
  readonly clockDoubtMs: number;
}

/** `audit`: judges recordings of one service, and gives the exit status. */
export async function auditCommand(
  options: AuditCommandOptions,
  { output, time }: Pick<RunEdge, "output" | "time">,
): Promise<number> {
  const stated = auditedFacts(options);
  const startedMs = time.now();
  const report = await trafficReporting(options, output, startedMs);
  return report({
    ...judgedRecordings(options, stated, output),
    missed: 0,
    faults: [],
    name: options.files.join(", "),
    service: "recorded",
    adapter: "recording",
    recordings: options.files,
    words: optionWords(options),
    durationMs: Math.round(time.now() - startedMs),
    nowMs: startedMs,
    shown: (value) => value,
  });
}

/** Judges what recordings hold, in the order in which it began. */
function judgedRecordings(
  { files, baseUrl, clockDoubtMs, clients: clientsToo }: AuditCommandOptions,
  stated: Partial<Facts>,
  output: Output,
): Pick<JudgedTraffic, "audited" | "clients" | "complete"> {
  const opened = openRecordings([...new Set(files)], serviceAddress(baseUrl), clockDoubtMs);
  const { complete } = opened.header;
  const facts: Partial<Facts> = { ...opened.header.facts, ...stated };
  const judge = new TrafficJudge({ complete, facts, clockDoubtMs });
  const { signedBytes } = facts;
  const clients = clientsToo ? new RecordedClients({ signedBytes, clockDoubtMs, isWhole: false }) : undefined;
  for (const item of opened.items) {
    judge.take(item);
    clients?.take(item);
  }
  const leftOut = opened.leftOut();
  if (leftOut > 0) output.err(`${leftOut} exchanges are in two of the recordings, and count once\n`);
  return {
    audited: judge.end(),
    complete,
    ...(clients === undefined ? {} : { clients: clients.told() }),
  };
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
