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

/** A connection that sends the adapter protocol's messages through `call`, whatever carries them. */
export class ProtocolConnection implements Connection {
  readonly info: ImplementationInfo;
  readonly #call: Call;
  readonly #end: () => Promise<void>;
  #nowMs = 0;

  /** @param end shuts the implementation down and frees the carrier; never rejects, and may be called twice */
  constructor(info: ImplementationInfo, call: Call, end: () => Promise<void>) {
    this.info = info;
    this.#call = call;
    this.#end = end;
  }

  async start(nowMs: number): Promise<void> {
    await this.#call("start", { nowMs });
    this.#nowMs = nowMs;
  }

  async handle(request: ServiceRequest): Promise<unknown> {
    const params = handleParams(request, this.info.capabilities.rawBody);
    if (this.info.transport === "in-process")
      return this.#call("handle", { ...params, handed: request.handed });
    requireNoHanding(request);
    return this.#call("handle", params);
  }

  async advance(ms: number): Promise<number> {
    if (this.info.capabilities.clock === "real") {
      throw new AdapterFault("advance: this implementation runs on a real clock", { fatal: false });
    }
    const result = await this.#call("advance", { ms });
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

  close(): Promise<void> {
    return this.#end();
  }
}

/** The parameters of `handle` (adapter protocol, "Messages"): text in `body`, other bytes in `bodyBase64`. */
function handleParams(request: ServiceRequest, rawBody: boolean): object {
  requireNoHttp(request);
  const body = exactBody(request.body);
  if (!rawBody) parsedBody(body);
  const { method, path, bearer, idempotencyKey } = request;
  if (body === undefined) return { method, path, bearer, idempotencyKey };
  if (typeof body === "string") return { method, path, body, bearer, idempotencyKey };
  return { method, path, bodyBase64: Buffer.from(body).toString("base64"), bearer, idempotencyKey };
}
