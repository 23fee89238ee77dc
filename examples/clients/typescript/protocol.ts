/** The words of this client: what it is asked, what it gives, and how it reaches a service. */

/** A launch that a user wants a draft of. */
export interface Launch {
  /** The same for the same launch, however often it is tried. */
  readonly id: string;
  /** Without a slash at its end. */
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
  /** By what its waits are multiplied. */
  readonly retryAfterScale?: number;
}

/** Why a launch was given up: the answer at which it was, where there was one. */
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

/** A request, as the contract's in-process form has it; `body` is its exact text. */
export interface Call {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly body?: string;
  readonly bearer?: string;
  readonly idempotencyKey?: string;
}

export interface Answer {
  readonly status: number;
  /** As JSON; undefined where it is none. */
  readonly body: unknown;
}

/** Sends a request; rejects where the answer is lost. */
export type Transport = (call: Call) => Promise<Answer>;

/** What a client needs of the world around it. */
export interface Surroundings {
  readonly handle?: Transport;
  readonly sleep?: (ms: number) => Promise<void>;
  /** In ms. */
  readonly now?: () => number;
}
