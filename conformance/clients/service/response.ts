/** Applies the faults that change a response: its fields, transaction, headers, and JSON text. */
import { type Fields, isObject, type Json, type JsonObject } from "../../data/json.ts";
import { parseDuration } from "../../suite/compile.ts";
import type { Fault } from "../trial.ts";
import { changeTransaction, SPELLINGS } from "./forms.ts";

/** Response before faults change it. */
export interface Envelope {
  readonly status: number;
  readonly body: JsonObject;
}

/** Response that a client gets. */
export interface ClientResponse {
  readonly envelope: Envelope;
  readonly headers: Readonly<Record<string, string>>;
  /** Exact text of the body. */
  readonly text: string;
  /** Time until the response is sent, in ms. */
  readonly delayMs: number;
}

/** @param fillIn replaces the names of hosts and actors in a value of a suite */
export function applyFault(envelope: Envelope, fault: Fault, fillIn: (value: Json) => Json): ClientResponse {
  const { status, body } = envelope;
  const changed = structuredClone(body) as Record<string, unknown>;
  const { transaction } = fault;
  if (status === 200 && transaction !== undefined)
    changed["unsignedTransactionBase64"] = changeTransaction(body, transaction, String(fillIn("$mallory")));
  const { add = {}, set = {} } = fault;
  // In the body of a refusal, a fault only adds fields at the top level.
  for (const [path, value] of Object.entries(status === 200 ? { ...set, ...add } : add))
    if (status === 200 || !path.includes(".")) setAtPath(changed, path.split("."), fillIn(value as Json));
  const text = (SPELLINGS[fault.spelling ?? ""] ?? JSON.stringify)(changed as Fields);
  return {
    envelope: { status, body: JSON.parse(text) },
    headers: fillIn((fault.headers ?? {}) as Fields) as Record<string, string>,
    text,
    delayMs: parseDuration(fault.delay ?? "0ms") ?? 0,
  };
}

/** Sets a field. Its name can be `__proto__`. */
function setAtPath(target: JsonObject, path: readonly string[], value: unknown): void {
  let holder: unknown = target;
  for (const name of path.slice(0, -1)) {
    if (!isObject(holder) && !Array.isArray(holder)) return;
    holder = (holder as JsonObject)[name];
  }
  const descriptor = { value, configurable: true, enumerable: true, writable: true };
  Object.defineProperty(holder, path.at(-1) ?? "", descriptor);
}
