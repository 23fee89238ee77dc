/** A header as it was sent, its name's letters included; one that is sent twice stands twice. */
export type Header = readonly [name: string, value: string];

/** The headers and the body of a request or an answer, as they passed. */
export interface PassedMessage {
  readonly headers: readonly Header[];
  /** The body as far as it is kept, in an array of its own. */
  readonly body: Uint8Array;
  /** Bytes of the body that passed: more than are kept where it was larger than what is kept of one. */
  readonly bytes: number;
}

/** Why a request has no whole answer. */
export type BrokenOff =
  /** The client went away before the answer was whole. */
  | "client"
  /** The service closed the connection, or answered what is no HTTP. */
  | "service";

/** A request that reached the service, and what came of it. */
export interface PassedExchange {
  /** 1 for the first request that the proxy was sent. */
  readonly number: number;
  /** In ms since the Unix epoch: the request was served at some moment from the one to the other. */
  readonly startedMs: number;
  readonly endedMs: number;
  /** How long the service took, in ms, to a fraction. */
  readonly tookMs: number;
  readonly request: PassedMessage & {
    readonly method: string;
    /** Path with the query, as it was sent. */
    readonly target: string;
  };
  /** Absent where no whole answer came. */
  readonly response?: PassedMessage & { readonly status: number; readonly reason: string };
  readonly brokenOff?: BrokenOff;
}
