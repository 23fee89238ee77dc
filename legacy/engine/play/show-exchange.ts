import type { ServiceRequest } from "../../adapters/adapter.ts";
import { startOf } from "../data/start-of.ts";
import type { Shown } from "./result.ts";

/** Longest text of a request or answer that a report keeps: enough to see, not enough to drown in. */
const MOST = 2000;

/** A request as a report shows it: long bodies cut, bytes as base64. */
export function showRequest(request: ServiceRequest): Shown {
  const { method, path, body, bearer, idempotencyKey, authorization, chunked, handed } = request;
  return {
    method,
    path,
    ...(body === undefined
      ? {}
      : typeof body === "string"
        ? { body: cut(body) }
        : { bodyBase64: cut(base64(body)) }),
    ...(bearer === undefined ? {} : { bearer: cut(bearer) }),
    ...(idempotencyKey === undefined ? {} : { idempotencyKey: cut(idempotencyKey) }),
    ...(authorization === undefined ? {} : { authorization: cut(authorization) }),
    ...(chunked === true ? { chunked } : {}),
    ...(handed === undefined ? {} : { handed }),
  };
}

/** An envelope as a report shows it: as it is, or cut text where it is large. */
export function showResponse(envelope: unknown): Shown {
  const text = JSON.stringify(envelope) ?? String(envelope);
  if (text.length <= MOST) return JSON.parse(JSON.stringify(envelope ?? null));
  const { status } = (typeof envelope === "object" && envelope !== null ? envelope : {}) as {
    status?: unknown;
  };
  return { status: typeof status === "number" ? status : null, cut: cut(text) };
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64");
}

function cut(text: string): string {
  return text.length <= MOST ? text : `${startOf(text, MOST)}… (${text.length} characters)`;
}
