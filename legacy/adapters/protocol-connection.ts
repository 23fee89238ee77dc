import { AdapterFault, type Connection, type ImplementationInfo, type ServiceRequest } from "./adapter.ts";
import { initializeResult, PROTOCOL } from "./implementation-info.ts";
import type { Call } from "./json-rpc-client.ts";
import { shown } from "./one-line.ts";
import { requireNoHanding, requireNoHttp } from "./plain-request.ts";
import { exactBody, parsedBody } from "./request-body.ts";
import { missingBytes, toldBytes } from "./told-bytes.ts";

/** Asks an implementation who it is (adapter protocol, `initialize`); rejects with a fatal fault where the answer will not do. */
export async function initialize(
  call: Call,
  contract: string,
  timeoutMs?: number,
): Promise<ImplementationInfo> {
  return initializeResult(await call("initialize", { protocol: PROTOCOL, contract }, timeoutMs));
}

/** Names a service among those of one adapter, as the answer to `start` does. */
export type ServiceId = string | number;

/** What the connections to several services of one adapter have in common (adapter protocol, `instances`). */
export interface SharedCarrier {
  /** Services whose connections are closed: the next is to be started in the place of one of them. */
  readonly free: ServiceId[];
}

/** A connection that sends the adapter protocol's messages through `call`, whatever carries them. */
export class ProtocolConnection implements Connection {
  readonly info: ImplementationInfo;
  readonly carrier?: SharedCarrier;
  readonly #call: Call;
  readonly #end: () => Promise<void>;
  #service: ServiceId | undefined;
  #nowMs = 0;

  /**
   * @param end shuts the implementation down and frees the carrier; never rejects, and may be called twice
   * @param carrier where the adapter holds several services, of which this connection has one
   */
  constructor(
    info: ImplementationInfo,
    call: Call,
    end: () => Promise<void>,
    carrier: SharedCarrier | undefined = undefined,
  ) {
    this.info = info;
    this.#call = call;
    this.#end = end;
    if (carrier !== undefined) this.carrier = carrier;
  }

  /** Names the service, where the adapter holds several. */
  protected get service(): ServiceId | undefined {
    return this.#service;
  }

  async start(nowMs: number): Promise<void> {
    await this.startService(nowMs);
  }

  /** Starts the service, and gives what the adapter says of it. */
  protected async startService(nowMs: number): Promise<unknown> {
    this.#service ??= this.carrier?.free.pop();
    const result = await this.#call("start", { nowMs, service: this.#service });
    if (this.carrier !== undefined) this.#service = startedService(result, this.#service);
    this.#nowMs = nowMs;
    return result;
  }

  async handle(request: ServiceRequest): Promise<unknown> {
    const params = handleParams(request, this.info.capabilities.rawBody, this.#service);
    if (this.info.transport === "in-process") params.handed = request.handed;
    else requireNoHanding(request);
    return this.#call("handle", params);
  }

  async advance(ms: number): Promise<number> {
    if (this.info.capabilities.clock === "real") {
      throw new AdapterFault("advance: this implementation runs on a real clock", { fatal: false });
    }
    const result = await this.#call("advance", { ms, service: this.#service });
    const nowMs = (result as { nowMs?: unknown } | null)?.nowMs;
    const least = this.#nowMs + ms;
    if (typeof nowMs !== "number" || nowMs < least) {
      throw new AdapterFault(`advance: expected {"nowMs": ${least}}, got ${shown(result)}`, { fatal: true });
    }
    this.#nowMs = nowMs;
    return nowMs;
  }

  async bytesToSign(message: string): Promise<Uint8Array> {
    const result = await this.#call("bytesToSign", { message }).catch((thrown: unknown) => {
      throw thrown instanceof AdapterFault ? missingBytes(thrown) : thrown;
    });
    return toldBytes(result);
  }

  async close(): Promise<void> {
    if (this.#service !== undefined) this.carrier?.free.push(this.#service);
    this.#service = undefined;
    await this.#end();
  }
}

/** The service that was started. @param before the one in whose place it was, if in any */
function startedService(result: unknown, before: ServiceId | undefined): ServiceId {
  const { service = before } = (result ?? {}) as { readonly service?: unknown };
  if (typeof service === "string" || typeof service === "number") return service;
  const message = `start: capabilities.instances asks for {"service": …}, got ${shown(result)}`;
  throw new AdapterFault(message, { fatal: true });
}

/** The parameters of `handle` (adapter protocol, "Messages"): text in `body`, other bytes in `bodyBase64`. */
interface HandleParams {
  readonly service: ServiceId | undefined;
  readonly method: string;
  readonly path: string;
  readonly body: string | undefined;
  readonly bodyBase64: string | undefined;
  readonly bearer: string | undefined;
  readonly idempotencyKey: string | undefined;
  handed?: ServiceRequest["handed"];
}

function handleParams(
  request: ServiceRequest,
  rawBody: boolean,
  service: ServiceId | undefined,
): HandleParams {
  requireNoHttp(request);
  const exact = exactBody(request.body);
  if (!rawBody) parsedBody(exact);
  const { method, path, bearer, idempotencyKey } = request;
  const [body, bodyBase64] =
    typeof exact === "object" ? [undefined, Buffer.from(exact).toString("base64")] : [exact, undefined];
  return { service, method, path, body, bodyBase64, bearer, idempotencyKey };
}
