import { isUint8Array } from "node:util/types";
import { Refusal } from "./errors.ts";

/** Largest request body in bytes (contract, "Limits"). */
export const BODY_LIMIT = 16 * 1024;

// Keeps a byte order mark in the text, which JSON.parse then refuses (RFC 8259, section 8.1).
const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Checks that a body has at most 16 KiB of UTF-8. @throws {Refusal} BODY_TOO_LARGE */
export function checkSize(body: unknown): void {
  if (byteLength(body) > BODY_LIMIT) throw new Refusal("BODY_TOO_LARGE");
}

/** Parses the text or bytes of a body. @throws {Refusal} INVALID_JSON_BODY if it is not JSON or not UTF-8 */
export function parseJson(body: unknown): unknown {
  try {
    if (typeof body === "string") return JSON.parse(body);
    if (isUint8Array(body)) return JSON.parse(UTF8.decode(body));
  } catch {
    // Invalid UTF-8 and invalid JSON have the same code.
  }
  throw new Refusal("INVALID_JSON_BODY");
}

/**
 * Returns the members of a JSON object if it has exactly the given names and only string values, otherwise
 * undefined. If a name occurs twice, the last value counts (implementation-defined).
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
  // A subclass of Uint8Array can override the getter of `byteLength` with a getter that throws.
  return isUint8Array(body) ? Reflect.get(Uint8Array.prototype, "byteLength", body) : 0;
}
