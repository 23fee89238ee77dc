/** Applies the faults that change a response: its fields, transaction, headers, and JSON text. */
import { type Fields, isObject, type Json, type JsonObject, parseJson, valueAt } from "../../data/json.ts";
import { parseDuration } from "../../suite/compile.ts";
import type { Fault } from "../trial.ts";
import { CHANGES, changeTransaction, GATEWAY_BODIES, SPELLINGS } from "./forms.ts";

/** Response before faults change it. */
export interface Envelope {
  readonly status: number;
  /** JSON value, or the text of a body that is not JSON. */
  readonly body: unknown;
}

/** Response that a client gets. */
export interface ClientResponse {
  readonly envelope: Envelope;
  readonly headers: Readonly<Record<string, string>>;
  /** Exact text of the body. */
  readonly text: string;
  /** Time until the response is sent, in ms. */
  readonly delayMs: number;
  /** Set if only a part of the response is sent: how it stalls, or `closed` if its second half is lost. */
  readonly breaks?: Fault["stall"] | "closed";
}

/** @param fillIn replaces the names of hosts and actors in a value of a suite */
export function applyFault(envelope: Envelope, fault: Fault, fillIn: (value: Json) => Json): ClientResponse {
  const { status, body } = envelope;
  const { transaction, redirect, lose, stall, add = {}, set = {} } = fault;
  const gateway = redirect === undefined ? fault.gateway : "html";
  const headers = fillIn((fault.headers ?? {}) as Fields) as Record<string, string>;
  const delayMs = parseDuration(fault.delay ?? "0ms") ?? 0;
  const breaks = stall ?? (lose === "half" ? "closed" : undefined);
  if (gateway !== undefined) {
    const [type = "", text = ""] = GATEWAY_BODIES[gateway] ?? [];
    const body = parseJson(text);
    return {
      ...{ envelope: { status, body: body === undefined ? text : body }, text, delayMs },
      headers: { "content-type": type, ...headers },
    };
  }
  const changed = structuredClone(body) as Record<string, unknown>;
  if (status === 200 && transaction !== undefined)
    changed["unsignedTransactionBase64"] = changeTransaction(
      changed,
      transaction,
      String(fillIn("$mallory")),
    );
  // In the body of a refusal, a fault only adds fields at the top level.
  for (const [path, value] of Object.entries(status === 200 ? { ...set, ...add } : add))
    if (status === 200 || !path.includes(".")) setAtPath(changed, path.split("."), fillIn(value as Json));
  for (const [path, name] of status === 200 ? Object.entries(fault.change ?? {}) : [])
    setAtPath(changed, path.split("."), CHANGES[name]?.(valueAt(changed, path.split("."))));
  const text = (SPELLINGS[fault.spelling ?? ""] ?? JSON.stringify)(changed as Fields);
  return {
    ...{ envelope: { status, body: JSON.parse(text) }, headers, text, delayMs },
    ...(breaks !== undefined && { breaks }),
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
