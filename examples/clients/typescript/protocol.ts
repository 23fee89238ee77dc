/** The types of this client: its task, its result, and its requests. */

/** A launch to get a draft for. */
export interface Launch {
  /** Repeated tasks for one launch have the same ID. */
  readonly id: string;
  /** URL without a slash at its end. */
  readonly baseUrl: string;
  /** The secret key is 64 bytes: the seed, and then the public key. */
  readonly creator: { readonly address: string; readonly secretKeyBase64: string };
  readonly token: {
    readonly mint: string;
    readonly name: string;
    readonly symbol: string;
    readonly uri: string;
  };
  readonly deadlineMs: number;
  /** Factor by which to multiply all waits. */
  readonly retryAfterScale?: number;
}

/** Why a launch ended without a draft, with the last response, if there was one. */
export interface Refusal {
  readonly status?: number;
  readonly code?: string;
  readonly reason: string;
}

/** How a launch ended. */
export type Result =
  | { readonly draft: unknown }
  | { readonly refused: Refusal }
  | { readonly distrusted: string };

/** A request (contract, "What the service does"). `body` is the exact text. */
export interface Call {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly body?: string;
  readonly bearer?: string;
  readonly idempotencyKey?: string;
}

export interface Answer {
  readonly status: number;
  /** JSON value, or undefined if the text is not JSON. */
  readonly body: unknown;
}

/** Sends a request. Rejects if the response is lost. */
export type Transport = (call: Call) => Promise<Answer>;

/** Transport and clock of a client. */
export interface Surroundings {
  readonly handle?: Transport;
  readonly sleep?: (ms: number) => Promise<void>;
  /** Returns the time in ms. */
  readonly now?: () => number;
}
