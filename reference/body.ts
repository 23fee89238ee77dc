import { isUint8Array } from "node:util/types";
import { Refusal } from "./errors.ts";

/** Largest request body in bytes (contract, "Limits"). */
export const BODY_LIMIT = 16 * 1024;

// `ignoreBOM` keeps a byte order mark in the text, where JSON.parse refuses it as RFC 8259, section 8.1 allows.
const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Refuses a body of more than 16 KiB of UTF-8. @throws {Refusal} BODY_TOO_LARGE */
export function checkSize(body: unknown): void {
  if (byteLength(body) > BODY_LIMIT) throw new Refusal("BODY_TOO_LARGE");
}

/** Parses the exact text (or bytes) of a body. @throws {Refusal} INVALID_JSON_BODY where it is no JSON, or no UTF-8 */
export function parseJson(body: unknown): unknown {
  try {
    if (typeof body === "string") return JSON.parse(body);
    if (isUint8Array(body)) return JSON.parse(UTF8.decode(body));
  } catch {
    // Not UTF-8 or not JSON: one answer for both.
  }
  throw new Refusal("INVALID_JSON_BODY");
}

/**
 * The members of a JSON object that has exactly the named ones, each a string (every field of this contract is one).
 * Gives undefined for anything else. Of a name given twice the last value counts, as JSON.parse has it: our choice.
 */
export function exactFields<Name extends string>(
  json: unknown,
  names: readonly Name[],
): Readonly<Record<Name, string>> | undefined {
  if (typeof json !== "object" || json === null || Object.keys(json).length !== names.length)
    return undefined;
  const fields = json as Readonly<Record<Name, unknown>>;
  return names.every((name) => typeof fields[name] === "string")
    ? (fields as Record<Name, string>)
    : undefined;
}

function byteLength(body: unknown): number {
  if (typeof body === "string") return Buffer.byteLength(body);
  // Read past the object: a subclass may have laid a throwing getter over its own length.
  return isUint8Array(body) ? Reflect.get(Uint8Array.prototype, "byteLength", body) : 0;
}
