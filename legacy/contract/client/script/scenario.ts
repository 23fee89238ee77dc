import type { Outcome } from "../../../engine/outcome.ts";
import type { OperationName, Store } from "../../operations.ts";
import type { BearerFormName } from "./bearer-forms.ts";
import type { MessageLayoutName } from "./message-layouts.ts";
import type { JsonSpellingName } from "./spellings.ts";
import type { TimestampFormName } from "./timestamp-forms.ts";
import type { TransactionFormName } from "./transaction-forms.ts";

/**
 * People of a vector: creators, and those who have nothing to do with a launch. All are of their vector alone but for
 * victor, who visits each service with the same key.
 */
export const CAST = ["alice", "bob", "carol", "mallory", "victor"] as const;
export type Person = (typeof CAST)[number];

/** How a launch may end where the service keeps the contract. */
export const ENDS = ["draft", "refused", "distrusted"] as const;
export type End = (typeof ENDS)[number];

/** The texts of a token that a launch is given. */
export const TOKEN_TEXTS = ["mint", "name", "symbol", "uri"] as const;
export type TokenText = (typeof TOKEN_TEXTS)[number];

/** What a scripted service does otherwise than the reference, and with which requests. */
export interface Disturbance {
  /** 1-based line of the vector's file. */
  readonly line: number;
  /** The operation that it is about; `every` is all of them. */
  readonly on: OperationName | "every";
  /** Of the requests that it is about, counted from 1, the first and the last; without a last all that follow. */
  readonly from: number;
  readonly to?: number;
  /** Only requests of this creator are counted. */
  readonly by?: Person;
  /** Whether a vector counts as played where it never came to pass. */
  readonly optional: boolean;
  /** What it does, in words. */
  readonly words: string;
  readonly does: Deeds;
}

/** What is done with a request and its answer. */
export interface Deeds {
  /** Refused with this status and code, and nothing comes of it. */
  readonly refuse?: Outcome;
  /** A status that the contract does not have; `effect` says whether something came of the request. */
  readonly status?: number;
  readonly effect?: boolean;
  /** The connection is closed: before the request took effect, or after it, in place of its answer. */
  readonly lose?: "request" | "answer";
  /** How long the answer is held back, in ms of real time. */
  readonly delayMs?: number;
  /** How far the service's clock moves on once it has acted, before the client hears of it. */
  readonly passMs?: number;
  /** The service is started anew before it sees the request. */
  readonly restart?: true;
  readonly message?: MessageLayoutName;
  readonly timestamps?: TimestampFormName;
  readonly bearer?: BearerFormName;
  readonly transaction?: TransactionFormName;
  readonly spelling?: JsonSpellingName;
  /** Members that the contract does not name, by their path. */
  readonly add?: Readonly<Record<string, unknown>>;
  /** Members that have another value, by their path. */
  readonly set?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A launch that the client is given. */
export interface Launch {
  readonly line: number;
  readonly by: Person;
  /** Texts that differ from the usual ones, as the vector writes them. */
  readonly token: Readonly<Partial<Record<TokenText, unknown>>>;
  /** Which launch it is, counted from 0; the same number again is the same launch once more. */
  readonly number: number;
  /** How often it was given before. */
  readonly again: number;
  readonly expect: readonly End[];
}

/** A step, as the vector says it. */
export type ScriptStep =
  | { readonly kind: "launches"; readonly launches: readonly Launch[] }
  | { readonly kind: "advance"; readonly ms: number }
  | { readonly kind: "restart" };

/** What a vector says of a service and of the launches that a client is given. */
export interface Scenario {
  /** The rule that a launch breaks which ends otherwise than it may. */
  readonly rule: string;
  /** The most that the service holds, where that is little. */
  readonly capacity: Readonly<Partial<Record<Store, number>>>;
  readonly disturbances: readonly Disturbance[];
  readonly steps: readonly ScriptStep[];
}
