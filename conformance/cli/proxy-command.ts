import { closeSync, openSync } from "node:fs";
import type { Facts } from "../adapters/adapter.ts";
import { type HttpTarget, httpTarget, tlsSettings } from "../adapters/http-target.ts";
import { isLoopback } from "../adapters/is-loopback.ts";
import { oneLine, thrownLine } from "../adapters/one-line.ts";
import { CONTRACT_ID } from "../contract/operations.ts";
import { displayPath } from "../engine/data/yaml-source.ts";
import type { RealTime } from "../engine/play/real-time.ts";
import { kitVersion } from "../paths.ts";
import { Beside, type WorkThread } from "../proxy/beside.ts";
import type { TrustedCertificates } from "../proxy/connection-pair.ts";
import { LatencyCounts } from "../proxy/latency-counts.ts";
import type { Recorded } from "../proxy/recorder.ts";
import { startReverseProxy } from "../proxy/reverse-proxy.ts";
import type { Chance } from "./chance.ts";
import { UNWRITTEN } from "./exit-status.ts";
import type { Output } from "./output.ts";
import { isWhole, LinesOfAKind, passedText, recordedText } from "./proxy-text.ts";
import { type ProxyThreadData, proxyThread } from "./proxy-threads.ts";
import { factsOf } from "./select-adapter.ts";
import { UsageError } from "./usage-error.ts";

export interface ProxyCommandOptions {
  /** The service. */
  readonly url: string;
  /** Where the proxy listens; 0 for any free port. */
  readonly port: number;
  readonly host: string;
  /** Whether the service is told the `Host` that the client asked for. */
  readonly keepHost: boolean;
  /** File of the recording, if one is kept. */
  readonly record?: string;
  /** Whether bearers and signatures are recorded as they are. */
  readonly recordSecrets: boolean;
  readonly facts?: string;
  readonly metadataHosts?: readonly string[];
  readonly caFile?: string;
  readonly allowSelfSigned?: boolean;
  readonly reporter: readonly string[];
  readonly verbose: boolean;
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
 * `proxy`: passes requests on to a service until it is told to stop.
 *
 * @returns 0; 2 where a recording was lost
 * @throws {UsageError} for an address that cannot be had, and for a file that cannot be written
 * @throws {DataError} for a file of facts with a fault
 */
export async function proxyCommand(options: ProxyCommandOptions, edge: ProxyEdge): Promise<number> {
  const { output, time, stop, every } = edge;
  const facts: Partial<Facts> = (await factsOf(options)) ?? {};
  const { target, trusted } = addressed(options);
  const lines = new LinesOfAKind(output.err);
  const recorder = options.record === undefined ? undefined : recording(options, target, facts, edge, lines);
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
      recorder?.offer(exchange, openSinceMs);
    },
  }).catch((thrown: unknown) => {
    throw new UsageError(thrownLine(thrown));
  });
  output.err(readyText(proxy.url, target, options));
  const endTicks = every(TICK_MS, () => recorder?.tick(time.now(), proxy.openSinceMs()));
  await stop;
  endTicks();
  await proxy.close(CLOSE_MS);
  const recorded = await recorder?.end((wait) => time.sleep(END_MS, wait));
  output.err(passedText(proxy.passed(), latencies));
  if (recorded === undefined) return 0;
  output.err(recordedText(recorded));
  return isWhole(recorded) ? 0 : UNWRITTEN;
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

/** Begins a recording. @throws {UsageError} where nothing can be written there */
function recording(
  { record = "", recordSecrets }: ProxyCommandOptions,
  target: HttpTarget,
  facts: Partial<Facts>,
  { chance, startThread = proxyThread }: ProxyEdge,
  lines: LinesOfAKind,
): Beside<never, Recorded> {
  try {
    closeSync(openSync(record, "w", OWN_FILE));
  } catch (thrown) {
    const why = (thrown as NodeJS.ErrnoException).code ?? thrownLine(thrown);
    throw new UsageError(`--record ${oneLine(record)}: cannot be written (${why})`);
  }
  const { signedBytes = "utf8" } = facts;
  const recorder = {
    file: record,
    contract: CONTRACT_ID,
    baseUrl: target.origin + target.basePath,
    creator: { name: "launch-draft-conformance", version: kitVersion() },
    facts,
    signedBytes,
    ...(recordSecrets ? {} : { maskKey: chance.key() }),
  };
  return new Beside<never, Recorded>(startThread({ task: "record", recorder }), {
    told: () => {},
    behind: () =>
      lines.tell("recorder", "the recording is behind: what passes meanwhile will be missing in it"),
    broke: (reason) =>
      lines.tell("recorder", `the recording broke (${reason}): what follows will be missing in it`),
  });
}

function readyText(url: string, { origin, basePath }: HttpTarget, options: ProxyCommandOptions): string {
  const { record, recordSecrets, host } = options;
  const secrets = recordSecrets ? "with all secrets" : "secrets masked";
  const lines = [
    `${url} passes on to ${origin}${basePath}`,
    ...(record === undefined ? [] : [`  recorded into ${displayPath(record)}, ${secrets}`]),
    ...(isLoopback(host) ? [] : [`  whoever can reach this machine can reach the service through it`]),
    "  Ctrl-C ends it",
  ];
  return `${lines.join("\n")}\n`;
}
