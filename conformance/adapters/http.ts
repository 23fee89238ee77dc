import { Agent } from "undici";
import {
  type Adapter,
  AdapterFault,
  type Connection,
  type ImplementationInfo,
  MissingAnswer,
} from "./adapter.ts";
import { MAX_ANSWER_BYTES } from "./answer-limit.ts";
import { httpControl } from "./http-control.ts";
import { exchange, type HttpClient } from "./http-exchange.ts";
import { type HttpRequest, httpRequest } from "./http-request.ts";
import { httpTarget, type TlsOptions, tlsSettings } from "./http-target.ts";
import { implementationInfo } from "./implementation-info.ts";
import type { Call } from "./json-rpc-client.ts";
import { initialize, ProtocolConnection } from "./protocol-connection.ts";

export interface HttpOptions extends TlsOptions {
  /** Base URL of the service; its path comes before the contract's paths. */
  readonly url: string;
  /** Where the adapter protocol's other messages are posted; without it the clock is real and there is no restart. */
  readonly controlUrl?: string;
  /** The adapter protocol's facts; needed where there is no control URL to ask for them. */
  readonly facts?: unknown;
  /** How long one exchange may take, in milliseconds; 0 is for ever, 5 s by default. */
  readonly timeoutMs?: number;
}

/** Connections to one server at a time: enough for requests sent together, few enough for any limit on open files. */
const MAX_SOCKETS = 128;

/** How long `shutdown` may take before the kit leaves without an answer. */
const SHUTDOWN_MS = 2_000;

/**
 * Drives a running service by real HTTP requests (contract, "What the service does"; adapter protocol, "Over HTTP").
 * There is one service whoever connects, so connections share it; `shutdown` is posted when the adapter is closed.
 */
export function httpAdapter(options: HttpOptions): Adapter {
  const { timeoutMs = 5_000 } = options;
  let agent: Agent | undefined;
  let control: Call | undefined;
  return {
    transport: "http",
    jobs: 1,
    async connect({ id, identity }) {
      const target = httpTarget(options.url);
      const controlTarget = options.controlUrl === undefined ? undefined : httpTarget(options.controlUrl);
      const targets = controlTarget === undefined ? [target] : [target, controlTarget];
      agent ??= new Agent({
        connect: tlsSettings(options, targets),
        connections: MAX_SOCKETS,
        maxResponseSize: MAX_ANSWER_BYTES,
        // Each exchange has one limit over all its phases instead.
        headersTimeout: 0,
        bodyTimeout: 0,
      });
      const client: HttpClient = { dispatcher: agent, origin: target.origin, timeoutMs };
      await reach(client, httpRequest(identity.request, target.basePath));
      const handle: Connection["handle"] = async (request) =>
        exchange(client, httpRequest(request, target.basePath));
      if (controlTarget === undefined) return new UncontrolledConnection(statedInfo(options), handle);
      control = httpControl({ ...client, origin: controlTarget.origin }, controlTarget.basePath || "/");
      const controlled = new ProtocolConnection(await initialize(control, id), control, async () => {});
      return {
        info: { ...controlled.info, transport: "http" },
        start: (nowMs) => controlled.start(nowMs),
        advance: (ms) => controlled.advance(ms),
        bytesToSign: (message) => controlled.bytesToSign(message),
        close: () => controlled.close(),
        handle,
      };
    },
    async close() {
      await control?.("shutdown", {}, SHUTDOWN_MS).catch(() => undefined);
      await agent?.destroy();
      control = undefined;
      agent = undefined;
    },
  };
}

/** Makes sure that somebody answers HTTP there, whatever the answer is. */
async function reach(client: HttpClient, request: HttpRequest): Promise<void> {
  try {
    await exchange(client, request);
  } catch (thrown) {
    if (!(thrown instanceof AdapterFault)) throw thrown;
    throw new AdapterFault(`${client.origin} cannot be reached: ${thrown.message}`, { fatal: true });
  }
}

/** Who answers where nobody can be asked. */
function statedInfo({ url, facts }: HttpOptions): ImplementationInfo {
  if ((facts as { metadataHosts?: unknown } | undefined)?.metadataHosts === undefined) {
    const message =
      "the two metadata hosts of the service are not known; give --metadata-hosts or --facts FILE";
    throw new AdapterFault(message, { fatal: true });
  }
  if ((facts as { signedBytes?: unknown }).signedBytes === "adapter") {
    const message =
      "facts.signedBytes is adapter, but without a control URL nobody can be asked for the bytes";
    throw new AdapterFault(message, { fatal: true });
  }
  const stated = {
    implementation: { name: url, version: "unversioned" },
    capabilities: { clock: "real", restart: false, rawBody: true, concurrency: true },
    facts,
  };
  return { ...implementationInfo(stated, "facts", true), transport: "http" };
}

/** A connection to a service that nobody can restart, on a clock that nobody can move. */
class UncontrolledConnection implements Connection {
  readonly info: ImplementationInfo;
  readonly handle: Connection["handle"];

  constructor(info: ImplementationInfo, handle: Connection["handle"]) {
    this.info = info;
    this.handle = handle;
  }

  async start(): Promise<void> {}

  async advance(): Promise<number> {
    throw new AdapterFault("advance: without a control URL the service runs on a real clock", {
      fatal: false,
    });
  }

  async bytesToSign(): Promise<Uint8Array> {
    throw new MissingAnswer("bytesToSign: without a control URL nobody can be asked", { fatal: true });
  }

  async close(): Promise<void> {}
}
