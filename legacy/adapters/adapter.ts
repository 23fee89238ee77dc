/**
 * The one interface through which the kit reaches an implementation, whatever its language and transport.
 * Transports only translate; nothing above this file knows which one is in use.
 */

/** One call of the service: the arguments of `handle` (contract, "What the service does"). */
export interface ServiceRequest {
  readonly method: string;
  readonly path: string;
  /** Exact text of the request body; bytes where it is not valid UTF-8; absent where there is no body. */
  readonly body?: string | Uint8Array;
  readonly bearer?: string;
  readonly idempotencyKey?: string;
  /** Over HTTP alone: the whole Authorization header, in place of the bearer's. */
  readonly authorization?: string;
  /** Over HTTP alone: the body is sent in chunks, without its length. */
  readonly chunked?: boolean;
  /** In process alone: how the module is handed the call, where that is not plainly. */
  readonly handed?: Handing;
}

/** Ways to hand a call to a module, or to take its answer, that only a caller in its process has (see `handing.ts`). */
export const HANDINGS = [
  "bare",
  "one-object",
  "kept",
  "as-kept",
  "key-in-list",
  "key-as-object",
  "key-as-number",
  "key-as-null",
  "bearer-in-list",
  "bearer-as-object",
  "bearer-as-number",
  "bearer-as-null",
] as const;
/** A way to hand a call to a module: see {@link ServiceRequest}. */
export type Handing = (typeof HANDINGS)[number];

/** What an implementation can be asked to do (adapter protocol, "capabilities"). */
export interface Capabilities {
  readonly clock: "virtual" | "real";
  readonly restart: boolean;
  readonly rawBody: boolean;
  readonly concurrency: boolean;
  /** How many services one adapter can hold at once; one unless stated. */
  readonly instances?: number;
}

/** How the message to sign becomes bytes (adapter protocol, "facts"). */
export type SignedBytes = "utf8" | "hex" | "base64" | "sha256" | "adapter";

/** What the contract leaves open and nobody can observe from outside (adapter protocol, "facts"). */
export interface Facts {
  readonly metadataHosts: readonly [string, string];
  readonly operatorKey?: string;
  readonly signedBytes: SignedBytes;
  readonly capacity: { readonly challenges?: number; readonly sessions?: number; readonly drafts?: number };
}

/** Who answers: the result of `initialize`, with defaults filled in. */
export interface ImplementationInfo {
  readonly implementation: { readonly name: string; readonly version: string; readonly language?: string };
  readonly capabilities: Capabilities;
  readonly facts: Facts;
  /** What carries requests, where that decides on what can be asked. */
  readonly transport?: "in-process" | "http";
}

/**
 * One line to one service. `start` throws away what was there before; a connection holds one service at a time.
 * Every method rejects with an {@link AdapterFault} when the implementation or the line to it breaks.
 */
export interface Connection {
  readonly info: ImplementationInfo;
  /**
   * Stands for what carries it, where that carries the services of other connections, too: they may all break, or be made
   * to wait, by what one of them is asked.
   */
  readonly carrier?: object;
  /** A new service with empty state whose clock reads `nowMs` (ms since the Unix epoch). */
  start(nowMs: number): Promise<void>;
  /** The raw answer, unjudged: whatever the implementation gave as its envelope. May be called again before it settles. */
  handle(request: ServiceRequest): Promise<unknown>;
  /** Moves the service's clock on by `ms`; gives the clock's new reading. Only with a virtual clock. */
  advance(ms: number): Promise<number>;
  /**
   * What a client signs for a message, as the adapter tells; asked only where `signedBytes` is `adapter`.
   * Rejects with a {@link MissingAnswer} where it is not told.
   */
  bytesToSign(message: string): Promise<Uint8Array>;
  /** Ends the service and frees what it holds. Never rejects; may be called twice. */
  close(): Promise<void>;
}

/** What an adapter has to know of the contract that it carries the requests of. */
export interface ServedContract {
  /** Its name, as `initialize` says it (adapter protocol, "Messages"). */
  readonly id: string;
  /** How to find out whether anybody answers. */
  readonly identity: {
    /** A request that changes nothing. */
    readonly request: ServiceRequest;
  };
}

/** A way to reach one implementation. */
export interface Adapter {
  /** For the report's header: `in-process`, `stdio` or `http`. */
  readonly transport: string;
  /**
   * How many connections may be open side by side, each with a service of its own (1 or more). How many services a process
   * can hold it says itself, so that there may be more once the first is open.
   */
  readonly jobs: number;
  /** Opens a connection to be asked by this contract. Rejects with an {@link AdapterFault} where the implementation cannot be reached. */
  connect(contract: ServedContract): Promise<Connection>;
  /** Ends what nobody is connected to and that waits for the next who connects, where there is such. Never rejects. */
  renew?(): Promise<void>;
  /** Ends everything that is still open. Never rejects. */
  close(): Promise<void>;
}

/**
 * The implementation could not be driven: it crashed, hung, or broke the adapter protocol. Apart from a failed rule,
 * and never a pass. `message` is one line; `log` is what the implementation wrote to its standard error, if anything.
 */
export class AdapterFault extends Error {
  override readonly name = "AdapterFault";
  readonly log: string | undefined;
  /** Whether the connection is of no more use: the caller opens a new one to go on. */
  readonly fatal: boolean;

  constructor(message: string, options: { readonly log?: string | undefined; readonly fatal: boolean }) {
    super(message);
    this.log = options.log;
    this.fatal = options.fatal;
  }
}

/** What became of a call that was overdue: how many ms after its sending it was answered, or how it ended. */
export type Late = number | "broken" | "given up";

/**
 * No answer came within the limit. The call is still awaited until `awaitedMs` have passed since it was sent, so that a
 * slow answer can be told from none.
 */
export class NoAnswer extends AdapterFault {
  readonly limitMs: number;
  readonly awaitedMs: number;
  /** What became of the call, once that is known. Never rejects. */
  readonly late: Promise<Late>;

  constructor(
    message: string,
    options: ConstructorParameters<typeof AdapterFault>[1] & Pick<NoAnswer, "limitMs" | "awaitedMs" | "late">,
  ) {
    super(message, options);
    this.limitMs = options.limitMs;
    this.awaitedMs = options.awaitedMs;
    this.late = options.late;
  }
}

/** The adapter does not give an answer that its facts promise: nothing at all can be judged without it. */
export class MissingAnswer extends AdapterFault {}

/**
 * This transport cannot carry the request as asked (a line end in a header, say). Says nothing about the
 * implementation, which never saw it: the runner skips with `message` as the reason.
 */
export class NotTransportable extends Error {
  override readonly name = "NotTransportable";
}
