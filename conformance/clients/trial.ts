/** Trials, as loaded from a suite. A trial is a test of a client. */

import type { Operation, Store } from "../contract/constants.ts";
import type { Json, JsonObject } from "../data/json.ts";
import type { SourcePlace, Test } from "../suite/vector.ts";

/**
 * How the simulated service treats one request differently from the reference. The members have the names of
 * client suites, and `client-suite.schema.json` describes them. Not every fault violates the contract: another
 * message layout, for example, conforms.
 */
export interface Fault {
  readonly refuse?: string;
  readonly status?: number;
  readonly gateway?: string;
  readonly redirect?: "same" | "port" | "host";
  readonly effect?: boolean;
  readonly lose?: "request" | "answer" | "half";
  readonly stall?: "answer" | "half" | "drip";
  readonly delay?: string;
  readonly pass?: string;
  readonly restart?: boolean;
  readonly message?: Json;
  readonly timestamps?: Json;
  readonly bearer?: Json;
  readonly transaction?: string;
  readonly spelling?: string;
  readonly add?: JsonObject;
  readonly set?: JsonObject;
  readonly change?: Readonly<Record<string, string>>;
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
