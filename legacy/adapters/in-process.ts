import {
  type Adapter,
  AdapterFault,
  type Connection,
  type ImplementationInfo,
  MissingAnswer,
  type ServiceRequest,
} from "./adapter.ts";
import { isTooLong, MAX_ANSWER_SHOWN } from "./answer-limit.ts";
import { Hand } from "./handing.ts";
import { implementationInfo } from "./implementation-info.ts";
import { shown, thrownLine } from "./one-line.ts";
import { requireNoHttp } from "./plain-request.ts";
import { exactBody, parsedBody } from "./request-body.ts";
import type { ServiceCall } from "./service-call.ts";

export type { ServiceCall };

/** A running service (adapter protocol, "In process"). */
export interface Service {
  /** Serves one call: gives the envelope, or a promise of it. */
  handle(call: ServiceCall): unknown;
}

/** What a JavaScript or TypeScript implementation exports (adapter protocol, "In process"). */
export interface ServiceModule {
  /** Makes a service with empty state. `now` gives milliseconds since the Unix epoch: the only clock that counts. */
  createService(options: { readonly now: () => number }): Service | Promise<Service>;
  readonly facts?: unknown;
  readonly capabilities?: unknown;
  /** What a client signs for a message: a Uint8Array or a promise of it. Asked where `facts.signedBytes` is `adapter`. */
  bytesToSign?(message: string): unknown;
  /** `{name, version, language?}` for the report. */
  readonly implementation?: unknown;
}

/** A connection that also gives an answer as the text that it is anyway made into. */
export interface InProcessConnection extends Connection {
  /** The answer as JSON text; undefined where there is none. Otherwise like `handle`. */
  handleText(request: ServiceRequest): Promise<string | undefined>;
}

/** An adapter that need not be told of any contract. */
export interface InProcessAdapter extends Adapter {
  connect(): Promise<InProcessConnection>;
}

/**
 * Drives a module that is already imported, by plain calls on a virtual clock. Nothing protects the kit here: a module
 * that loops, exits or fills the memory takes the process with it.
 *
 * @param options `name` is what the module is called in faults, and in the report where it exports no `implementation`
 */
export function inProcessAdapter(
  serviceModule: ServiceModule,
  options: { readonly name: string },
): InProcessAdapter {
  const { name } = options;
  return {
    transport: "in-process",
    jobs: 1,
    async connect() {
      const { implementation = { name, version: "unversioned" }, capabilities, facts = {} } = serviceModule;
      // Whatever else it exports is its own business, but for a name that can only be meant for one of these.
      const exported = Object.fromEntries(Object.keys(serviceModule).map((one) => [one, true]));
      const info = implementationInfo({ ...exported, implementation, capabilities, facts }, name, true);
      if (info.facts.signedBytes === "adapter" && typeof serviceModule.bytesToSign !== "function")
        throw new AdapterFault(
          `${name}: facts.signedBytes is adapter, but no function bytesToSign(message) is exported`,
          { fatal: true },
        );
      return new PlainConnection(serviceModule, { ...info, transport: "in-process" });
    },
    async close() {},
  };
}

class PlainConnection implements InProcessConnection {
  readonly info: ImplementationInfo;
  readonly #module: ServiceModule;
  #service: Service | undefined;
  #clock = { nowMs: 0 };
  #hand = new Hand();

  constructor(serviceModule: ServiceModule, info: ImplementationInfo) {
    this.#module = serviceModule;
    this.info = info;
  }

  async start(nowMs: number): Promise<void> {
    // A clock of its own for each service: one that is gone must not see the time of its successor.
    const clock = { nowMs };
    this.#clock = clock;
    this.#service = undefined;
    this.#hand = new Hand();
    try {
      const service = await this.#module.createService({ now: () => clock.nowMs });
      if (typeof service?.handle !== "function")
        throw new TypeError("it gave no object with a handle function");
      this.#service = service;
    } catch (thrown) {
      throw new AdapterFault(`createService threw: ${thrownLine(thrown)}`, { fatal: true });
    }
  }

  async handle(request: ServiceRequest): Promise<unknown> {
    const text = await this.handleText(request);
    return text === undefined ? undefined : JSON.parse(text);
  }

  async handleText(request: ServiceRequest): Promise<string | undefined> {
    const service = this.#service;
    if (service === undefined) throw new AdapterFault("handle was called before start", { fatal: false });
    requireNoHttp(request);
    const body = exactBody(request.body);
    const { handed } = request;
    const call: ServiceCall = {
      method: request.method,
      path: request.path,
      body: this.info.capabilities.rawBody ? body : parsedBody(body),
      bearer: request.bearer,
      idempotencyKey: request.idempotencyKey,
    };
    try {
      return this.#hand.back(await service.handle(this.#hand.over(call, handed)), handed, answerText);
    } catch (thrown) {
      if (thrown instanceof AdapterFault) throw thrown;
      throw new AdapterFault(`handle threw: ${thrownLine(thrown)}`, { fatal: false });
    }
  }

  async advance(ms: number): Promise<number> {
    this.#clock.nowMs += ms;
    return this.#clock.nowMs;
  }

  async bytesToSign(message: string): Promise<Uint8Array> {
    let bytes: unknown;
    try {
      bytes = await this.#module.bytesToSign?.(message);
    } catch (thrown) {
      throw new MissingAnswer(`bytesToSign threw: ${thrownLine(thrown)}`, { fatal: true });
    }
    if (bytes instanceof Uint8Array) return Uint8Array.from(bytes);
    throw new MissingAnswer(`bytesToSign gave ${shown(bytes)}, not a Uint8Array`, { fatal: true });
  }

  async close(): Promise<void> {
    this.#service = undefined;
  }
}

/**
 * The answer as it would arrive over any other transport. A copy, because a service may hand out an object that it
 * still changes, which would make every later comparison with it true.
 *
 * @throws {AdapterFault} where it is longer than anybody reads
 */
function answerText(answer: unknown): string | undefined {
  let text: string | undefined;
  try {
    text = JSON.stringify(answer);
  } catch (thrown) {
    // V8's word for a text of more than half a gigabyte.
    if (thrown instanceof RangeError && thrown.message === "Invalid string length") throw tooLong();
    throw thrown;
  }
  if (text !== undefined && isTooLong(text)) throw tooLong();
  return text;
}

function tooLong(): AdapterFault {
  return new AdapterFault(`the answer is larger than ${MAX_ANSWER_SHOWN}`, { fatal: true });
}
