/** Trials, as loaded from a suite. A trial is a test of a client. */

import type { Operation, Store } from "../contract/constants.ts";
import type { Json, JsonObject } from "../data/json.ts";
import type { SourcePlace, Test } from "../suite/vector.ts";

/**
 * How the simulated service treats one request differently from the reference. The members have the names of
 * client suites. Not every fault violates the contract. Another message layout, for example, is legal.
 */
export interface Fault {
  /** Refusal, such as `429 OFFLINE_CAPACITY`. The reference does not get the request. */
  readonly refuse?: string;
  /** Status of an error, or of a response of a gateway, that the client gets instead of the response. */
  readonly status?: number;
  /** Name of the body of a gateway's response (see `GATEWAY_BODIES`). */
  readonly gateway?: string;
  /** Where a redirect leads: the requested URL, or the same path on another port or host. */
  readonly redirect?: "same" | "port" | "host";
  /** Whether the reference processes the request if `status` replaces the response. */
  readonly effect?: boolean;
  /** Loses the request before the reference gets it, or all or half of the response. */
  readonly lose?: "request" | "answer" | "half";
  /** Sends nothing, half of the response, or half of it and then spaces for ever, and keeps the connection open. */
  readonly stall?: "answer" | "half" | "drip";
  /** Time until the response is sent, such as `2s`. */
  readonly delay?: string;
  /** Time that passes on the service's clock, but not on the client's. */
  readonly pass?: string;
  /** Whether the service restarts before it processes the request. */
  readonly restart?: boolean;
  /** Templates of a challenge message, of `expiresAt`, and of a bearer. */
  readonly message?: Json;
  readonly timestamps?: Json;
  readonly bearer?: Json;
  /** Name of a change to a draft's transaction. */
  readonly transaction?: string;
  /** Name of a JSON format in which to write the body (see `SPELLINGS`). */
  readonly spelling?: string;
  /** Fields to add to a response, by path. */
  readonly add?: JsonObject;
  /** Fields to replace in a response with status 200, by path. */
  readonly set?: JsonObject;
  /** Changes to fields of a response with status 200, by path (see `CHANGES`). */
  readonly change?: Readonly<Record<string, string>>;
  /** Response headers to add. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Fault in the script of a trial, and the requests that it applies to. */
export interface ScriptedFault {
  readonly operation: Operation | "every";
  /** Name of the actor whose requests count. By default, all requests count. */
  readonly actor?: string;
  /** Number of the step of the launch whose requests count. By default, the requests of all launches count. */
  readonly step?: string;
  /** Range of requests that get the fault. Requests of the operation and actor are numbered from 1. */
  readonly first: number;
  readonly last: number;
  /** Whether the trial tests its rules even if the fault is never applied. */
  readonly isOptional: boolean;
  readonly fault: Fault;
}

export const RESULT_KINDS = ["draft", "refused", "distrusted"] as const;
export type ResultKind = (typeof RESULT_KINDS)[number];

/** Launch that the trial gives to the client. */
export interface LaunchStep {
  /** Number of the step: `3`, or `3.2` for the second of several concurrent launches. */
  readonly step: string;
  readonly place: SourcePlace;
  /** Index of the launch in the trial. A repeat has the index of the launch that it repeats. */
  readonly index: number;
  /** Name of the actor that creates the token. */
  readonly actor: string;
  /** Fields of the token that differ from the usual ones, as templates. */
  readonly token: JsonObject;
  readonly isRepeat: boolean;
  /** ID of the task, as a template. By default, the ID is a digest. */
  readonly id?: Json;
  /** Allowed kinds of result. */
  readonly expected: readonly ResultKind[];
}

export type TrialStep =
  | { readonly kind: "launches"; readonly launches: readonly LaunchStep[] }
  | { readonly kind: "advance"; readonly ms: number }
  | { readonly kind: "restart" };

/** One vector of a client suite, or one of its cases. */
export interface Trial extends Test {
  readonly script: readonly TrialStep[];
  readonly faults: readonly ScriptedFault[];
  /** Maximum number of entries in each store of the service. */
  readonly capacity: Readonly<Partial<Record<Store, number>>>;
  /** Path of the base URL, without a slash at its end. */
  readonly basePath: string;
  /** Deadline of each launch, if it is earlier than usual, in ms. */
  readonly deadlineMs?: number;
}
