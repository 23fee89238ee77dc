import { isUtf8 } from "node:buffer";
import { isDeepStrictEqual } from "node:util";
import { requestFields } from "../../contract/request-fields.ts";
import type { GoldenRequest } from "../fixture.ts";

/** More bytes than this are refused by their number, whatever they say (contract, "Limits"). */
export function mostBodyBytes(): number {
  return requestFields("build").mostBytes;
}

/** A body without what spelling adds: its JSON value, or what it is where it is no JSON; and whether it is too large. */
export interface CanonicalBody {
  readonly kind: "none" | "json" | "text" | "bytes";
  readonly value: unknown;
  readonly tooLarge: boolean;
}

/** A request as far as fixtures are chosen by it. */
export interface Received {
  readonly method: string;
  readonly path: string;
  readonly bearer: string | undefined;
  readonly idempotencyKey: string | undefined;
  readonly body: CanonicalBody;
}

/** The canonical form of a recorded request. */
export function canonicalRequest({
  method,
  path,
  bearer,
  idempotencyKey,
  body,
  bodyBase64,
}: GoldenRequest): Received {
  const bytes = bodyBase64 === undefined ? Buffer.from(body ?? "") : Buffer.from(bodyBase64, "base64");
  return { method, path, bearer, idempotencyKey, body: canonicalBody(bytes) };
}

/** The canonical form of a body's bytes; none where there are none. */
export function canonicalBody(bytes: Buffer): CanonicalBody {
  const tooLarge = bytes.length > mostBodyBytes();
  if (bytes.length === 0) return { kind: "none", value: undefined, tooLarge };
  if (!isUtf8(bytes)) return { kind: "bytes", value: bytes.toString("base64"), tooLarge };
  const text = bytes.toString();
  try {
    return { kind: "json", value: JSON.parse(text), tooLarge };
  } catch {
    return { kind: "text", value: text, tooLarge };
  }
}

/** Whether two requests are the same to the last header and value. */
export function sameRequest(a: Received, b: Received): boolean {
  return isDeepStrictEqual(a, b);
}
