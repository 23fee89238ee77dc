import { closeSync, openSync, renameSync } from "node:fs";
import type { Facts } from "../adapters/adapter.ts";
import { type HttpTarget, httpTarget, tlsSettings } from "../adapters/http-target.ts";
import { isLoopback } from "../adapters/is-loopback.ts";
import { oneLine, thrownLine } from "../adapters/one-line.ts";
import type { WrittenRecording } from "../audit/recording-file.ts";
import { CONTRACT_ID } from "../contract/operations.ts";
import { SecretMasks } from "../contract/traffic/secret-masks.ts";
import { displayPath } from "../engine/data/yaml-source.ts";
import type { RealTime } from "../engine/play/real-time.ts";
import { kitVersion } from "../paths.ts";
import { Beside, type WorkThread } from "../proxy/beside.ts";
import type { TrustedCertificates } from "../proxy/connection-pair.ts";
import { LatencyCounts } from "../proxy/latency-counts.ts";
import type { FindingLine, LiveJudgeData, LiveOutcome } from "../proxy/live-judge.ts";
import { startReverseProxy } from "../proxy/reverse-proxy.ts";
import { shellQuote } from "../reports/reproduction-command.ts";
import { auditedFacts } from "./audited-facts.ts";
import type { Chance } from "./chance.ts";
import { UNWRITTEN } from "./exit-status.ts";
import type { Output } from "./output.ts";
import { isWhole, LinesOfAKind, passedText, recordedText } from "./proxy-text.ts";
import { type ProxyThreadData, proxyThread } from "./proxy-threads.ts";
import { judgedLive, TRAFFIC, type TrafficReportOptions, trafficReporting } from "./traffic-report.ts";
import { UsageError } from "./usage-error.ts";
import { setAside } from "./write-file.ts";

export interface ProxyCommandOptions extends TrafficReportOptions {
  /** The service. */
  readonly url: string;
  /** Where the proxy listens; 0 for any free port. */
  readonly port: number;
  readonly host: string;
  /** Whether the service is told the `Host` that the client asked for. */
  readonly keepHost: boolean;
  /** File of the recording, if one is kept. */
  readonly record?: string;
  /** Whether bearers and signatures are recorded and reported as they are. */
  readonly showSecrets: boolean;
  readonly facts?: string;
  readonly metadataHosts?: readonly string[];
  readonly caFile?: string;
  readonly allowSelfSigned?: boolean;
}

/** What the edge of the program gives to a proxy. */
export interface ProxyEdge {
  readonly output: Output;
  readonly time: RealTime;
  readonly chance: Chance;
  /** Settles when it is to end. */
  readonly stop: Promise<void>;
  /** Calls back every so many ms, and gives how to end that. */
  readonly every: (ms: number, tick: () => void) => () => void;
  /** Starts what is done beside the traffic; threads of their own unless told. */
  readonly startThread?: <Told, End>(data: ProxyThreadData) => WorkThread<Told, End>;
}

/** How often what waits beside the traffic is told that time passes, in ms. */
const TICK_MS = 200;
/** How long requests that are under way may take when the proxy ends, and what is done beside them; in ms. */
const CLOSE_MS = 3_000;
const END_MS = 20_000;
/** Nobody else reads what clients sent. */
const OWN_FILE = 0o600;

/**
 * `proxy`: passes requests on to a service until it is told to stop, judges them beside that, and reports.
 *
 * @returns the report's exit status; 2 where nothing was found, and a report or some of a recording was lost
 * @throws {UsageError} for an address that cannot be had, and for a file that cannot be written
 * @throws {DataError} for a file of facts, a baseline or choices with a fault
 */
export async function proxyCommand(options: ProxyCommandOptions, edge: ProxyEdge): Promise<number> {
  const { output, time, stop, every } = edge;
  const facts = auditedFacts(options);
  const { target, trusted } = addressed(options);
  const startedMs = time.now();
  const report = await trafficReporting(options, output, startedMs);
  const lines = new LinesOfAKind(output.err);
  const maskKey = options.showSecrets ? undefined : edge.chance.key();
  const aside = options.record === undefined ? undefined : earlierRecording(options.record);
  const work = {
    recorder:
      options.record === undefined ? undefined : recording(options, target, { facts, maskKey, edge, lines }),
    judge: judging({ facts, name: TRAFFIC, clients: options.clients }, edge, lines),
  };
  const masks = maskKey === undefined ? undefined : new SecretMasks(maskKey);
  const latencies = new LatencyCounts();
  const proxy = await startReverseProxy({
    target,
    trusted,
    host: options.host.replace(/^\[(.*)\]$/, "$1"),
    port: options.port,
    keepHost: options.keepHost,
    clock: { ...time, precise: time.precise ?? time.now },
    onTrouble: (kind, line) => lines.tell(kind, line),
    onExchange: (exchange, openSinceMs) => {
      if (exchange.response !== undefined) latencies.add(exchange.tookMs);
      work.recorder?.offer(exchange, openSinceMs);
      work.judge.offer(exchange, openSinceMs);
    },
  }).catch(async (thrown: unknown) => {
    await Promise.all([work.recorder?.end(async () => {}), work.judge.end(async () => {})]);
    if (aside !== undefined && options.record !== undefined) renameSync(aside, options.record);
    throw new UsageError(thrownLine(thrown));
  });
  output.err(readyText(proxy.url, target, { ...options, aside }));
  const endTicks = every(TICK_MS, () => work.judge.tick(time.now(), proxy.openSinceMs()));
  await stop;
  endTicks();
  await proxy.close(CLOSE_MS);
  const patience = (wait: { readonly signal: AbortSignal }) => time.sleep(END_MS, wait);
  const [recorded, done] = await Promise.all([work.recorder?.end(patience), work.judge.end(patience)]);
  output.err(passedText(proxy.passed(), latencies));
  if (recorded !== undefined) output.err(recordedText(recorded));
  const status = await report({
    ...judgedLive(done),
    service: "as it answered",
    adapter: "proxy",
    name: target.origin + target.basePath,
    recordings: options.record === undefined ? [] : [options.record],
    words: optionWords(options),
    durationMs: Math.round(time.now() - startedMs),
    nowMs: time.now(),
    shown: <Value>(value: Value) => masks?.inValue(value) ?? value,
  });
  return status === 0 && recorded !== undefined && !isWhole(recorded) ? UNWRITTEN : status;
}

/** Begins to judge. */
function judging(
  judge: LiveJudgeData,
  { startThread = proxyThread }: ProxyEdge,
  lines: LinesOfAKind,
): Beside<FindingLine, LiveOutcome> {
  return new Beside<FindingLine, LiveOutcome>(startThread({ task: "judge", judge }), {
    told: (found) => {
      for (const { rule, line } of found) lines.tell(rule, line);
    },
    behind: () => lines.tell("judge", "the judge is behind: what passes meanwhile is not judged"),
    broke: (reason) => lines.tell("judge", `the judge broke, and what follows is not judged: ${reason}`),
  });
}

/** The options as they stand in a command that judges the recording again, or else starts the proxy again. */
function optionWords({ record, url, facts, metadataHosts }: ProxyCommandOptions): readonly string[] {
  return [
    ...(record === undefined ? ["--url", shellQuote(url)] : []),
    ...(facts === undefined ? [] : ["--facts", shellQuote(facts)]),
    ...(metadataHosts === undefined ? [] : ["--metadata-hosts", ...metadataHosts.map(shellQuote)]),
  ];
}

/** The service, and how it is reached. @throws {UsageError} where none can be reached so */
function addressed(options: ProxyCommandOptions): {
  readonly target: HttpTarget;
  readonly trusted: TrustedCertificates;
} {
  try {
    const target = httpTarget(options.url);
    return { target, trusted: tlsSettings(options, [target]) };
  } catch (thrown) {
    throw new UsageError(thrownLine(thrown));
  }
}

/** Keeps what was recorded before under the same name. @throws {UsageError} where that cannot be */
function earlierRecording(record: string): string | undefined {
  try {
    return setAside(record);
  } catch (thrown) {
    throw unwritable(record, thrown);
  }
}

function unwritable(record: string, thrown: unknown): UsageError {
  const why = (thrown as NodeJS.ErrnoException).code ?? thrownLine(thrown);
  return new UsageError(`--record ${oneLine(record)}: cannot be written (${why})`);
}

/** Begins a recording. @throws {UsageError} where nothing can be written there */
function recording(
  { record = "" }: ProxyCommandOptions,
  target: HttpTarget,
  {
    facts,
    maskKey,
    edge: { startThread = proxyThread },
    lines,
  }: {
    readonly facts: Partial<Facts>;
    readonly maskKey: Uint8Array | undefined;
    readonly edge: ProxyEdge;
    readonly lines: LinesOfAKind;
  },
): Beside<string, WrittenRecording> {
  try {
    closeSync(openSync(record, "w", OWN_FILE));
  } catch (thrown) {
    throw unwritable(record, thrown);
  }
  const { signedBytes } = facts;
  const recorder = {
    file: record,
    contract: CONTRACT_ID,
    baseUrl: target.origin + target.basePath,
    creator: { name: "launch-draft-conformance", version: kitVersion() },
    facts,
    ...(signedBytes === undefined ? {} : { signedBytes }),
    ...(maskKey === undefined ? {} : { maskKey }),
  };
  return new Beside<string, WrittenRecording>(startThread({ task: "record", recorder }), {
    told: (told) => {
      for (const line of told) lines.tell("recorder", line);
    },
    behind: () =>
      lines.tell("recorder", "the recording is behind: what passes meanwhile will be missing in it"),
    broke: (reason) =>
      lines.tell("recorder", `the recording broke (${reason}): what follows will be missing in it`),
  });
}

function readyText(
  url: string,
  { origin, basePath }: HttpTarget,
  options: ProxyCommandOptions & { readonly aside: string | undefined },
): string {
  const { record, showSecrets, host, aside } = options;
  const secrets = showSecrets ? "with all secrets" : "secrets masked";
  const lines = [
    `${url} passes on to ${origin}${basePath}`,
    ...(record === undefined ? [] : [`  recorded into ${displayPath(record)}, ${secrets}`]),
    ...(aside === undefined ? [] : [`  the recording that was there is ${displayPath(aside)} now`]),
    ...(isLoopback(host) ? [] : [`  whoever can reach this machine can reach the service through it`]),
    "  judged as it passes; Ctrl-C ends it with a report",
  ];
  return `${lines.join("\n")}\n`;
}
