import { Agent } from "node:http";
import { Agent as SecureAgent } from "node:https";
import { urlToHttpOptions } from "node:url";
import {
  type Adapter,
  AdapterFault,
  type Connection,
  type ImplementationInfo,
  MissingAnswer,
  type ServiceRequest,
} from "./adapter.ts";
import { httpControl } from "./http-control.ts";
import { exchange, type HttpClient } from "./http-exchange.ts";
import { type HttpRequest, httpRequest } from "./http-request.ts";
import { type HttpTarget, httpTarget, type TlsOptions, tlsSettings } from "./http-target.ts";
import { closeIdleConnections } from "./idle-connections.ts";
import { implementationInfo } from "./implementation-info.ts";
import type { Call } from "./json-rpc-client.ts";
import { shown } from "./one-line.ts";
import { initialize, ProtocolConnection, type SharedCarrier } from "./protocol-connection.ts";

/** How a server is reached. */
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
  const agents = new Map<string, Agent>();
  const endings: (() => void)[] = [];
  /** The client of a server, whose connections are kept for all that is asked of it. */
  const clientOf = (target: HttpTarget): HttpClient => {
    const { origin } = target;
    let agent = agents.get(origin);
    if (agent === undefined) {
      agent = agentFor(origin, tlsSettings(options, [target]));
      agents.set(origin, agent);
      endings.push(closeIdleConnections(agent));
    }
    return { agent, origin, host: new URL(origin).host, address: addressOf(origin), timeoutMs };
  };
  let control: Call | undefined;
  /** Where the server holds several services: what all connections to them have in common. */
  let several: ControlledServer | undefined;
  return {
    transport: "http",
    get jobs() {
      return several?.info.capabilities.instances ?? 1;
    },
    async connect({ id, identity }) {
      if (several !== undefined) return new ControlledConnection(several);
      const target = httpTarget(options.url);
      const { controlUrl } = options;
      const controlTarget = controlUrl === undefined ? undefined : httpTarget(controlUrl);
      const client = clientOf(target);
      const controlClient = controlTarget === undefined ? undefined : clientOf(controlTarget);
      if (controlUrl === undefined || controlTarget === undefined || controlClient === undefined) {
        const info = statedInfo(options);
        let greeting: unknown = await reach(client, httpRequest(identity.request, target.basePath));
        return new UncontrolledConnection(info, async (request) => {
          if (greeting === undefined || request !== identity.request)
            return exchange(client, httpRequest(request, target.basePath));
          // Whoever asks for it first is given what was answered already: no answer stays unjudged.
          const answer = greeting;
          greeting = undefined;
          return answer;
        });
      }
      control = httpControl(controlClient, controlTarget.basePath || "/");
      const info: ImplementationInfo = { ...(await initialize(control, id)), transport: "http" };
      const server: ControlledServer = { info, control, controlUrl, target, clientOf };
      const { instances = 1 } = info.capabilities;
      if (instances === 1) return new ControlledConnection(server);
      several ??= { ...server, carrier: { free: [] } };
      return new ControlledConnection(several);
    },
    async close() {
      await control?.("shutdown", {}, SHUTDOWN_MS).catch(() => undefined);
      for (const end of endings.splice(0)) end();
      for (const agent of agents.values()) agent.destroy();
      agents.clear();
      control = undefined;
      several = undefined;
    },
  };
}

function addressOf(origin: string): HttpClient["address"] {
  const { protocol, hostname, port } = urlToHttpOptions(new URL(origin));
  return { protocol: String(protocol), hostname: String(hostname), port: String(port ?? "") };
}

/** Keeps the connections to one origin. */
function agentFor(origin: string, tls: ReturnType<typeof tlsSettings>): Agent {
  const kept = { keepAlive: true, maxSockets: MAX_SOCKETS };
  return origin.startsWith("https:") ? new SecureAgent({ ...kept, ...tls }) : new Agent(kept);
}

/** Makes sure that somebody answers HTTP there, whatever the answer is. */
async function reach(client: HttpClient, request: HttpRequest): Promise<unknown> {
  try {
    return await exchange(client, request);
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

/** A server with a control URL, perhaps with several services. */
interface ControlledServer {
  readonly info: ImplementationInfo;
  readonly control: Call;
  /** Where messages are posted. */
  readonly controlUrl: string;
  /** Where a service is that has no address of its own. */
  readonly target: HttpTarget;
  readonly clientOf: (target: HttpTarget) => HttpClient;
  /** See {@link ProtocolConnection}. */
  readonly carrier?: SharedCarrier;
}

/** A connection to a service that is started over a control URL, and asked where that says that it is. */
class ControlledConnection extends ProtocolConnection {
  readonly #clientOf: ControlledServer["clientOf"];
  readonly #controlUrl: string;
  #client: HttpClient;
  #target: HttpTarget;

  constructor({ info, control, controlUrl, target, clientOf, carrier }: ControlledServer) {
    super(info, control, async () => {}, carrier);
    this.#clientOf = clientOf;
    this.#controlUrl = controlUrl;
    this.#client = clientOf(target);
    this.#target = target;
  }

  override async handle(request: ServiceRequest): Promise<unknown> {
    return exchange(this.#client, httpRequest(request, this.#target.basePath));
  }

  protected override async startService(nowMs: number): Promise<unknown> {
    const started = await super.startService(nowMs);
    if (this.carrier === undefined) return started;
    const { baseUrl } = (started ?? {}) as { readonly baseUrl?: unknown };
    if (baseUrl === undefined) return started;
    if (typeof baseUrl !== "string")
      throw new AdapterFault(`start: baseUrl must be a URL, not ${shown(baseUrl)}`, { fatal: true });
    // RFC 3986, section 5: what is relative is so to where the message was posted, which may be behind a proxy.
    const url = URL.canParse(baseUrl, this.#controlUrl) ? new URL(baseUrl, this.#controlUrl).href : baseUrl;
    this.#target = httpTarget(url);
    this.#client = this.#clientOf(this.#target);
    return started;
  }
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
