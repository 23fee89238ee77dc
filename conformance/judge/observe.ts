import type { Exchange } from "./exchange.ts";
import type { Advice, Observation } from "./judgement.ts";
import type { ResponseSchemas } from "./response-schemas.ts";
import { parseTimestamp } from "./timestamp.ts";

/** How a moment is written (open: "Challenge" and "Session"). */
export function observeTimestamp(value: unknown): readonly Observation[] {
  const form = parseTimestamp(value)?.form;
  return form === undefined ? [] : [{ point: "TIMESTAMP-FORMAT", reading: form }];
}

/** What a bearer looks like (open: "Session"), and whether anyone could guess it. */
export function observeBearer(bearer: unknown): {
  readonly observations: readonly Observation[];
  readonly advice: readonly Advice[];
} {
  if (typeof bearer !== "string") return { observations: [], advice: [] };
  const advice: Advice[] = [];
  if (bearer.length < 22) {
    advice.push({ rule: "SESSION-12", message: `a bearer of ${bearer.length} characters cannot hold 16 random bytes` });
  }
  if (!/^[A-Za-z0-9._~+/-]+=*$/.test(bearer)) {
    advice.push({ rule: "SESSION-14", message: "the bearer has characters that an Authorization header does not carry" });
  }
  return { observations: [{ point: "BEARER-FORMAT", reading: bearerFormat(bearer) }], advice };
}

function bearerFormat(bearer: string): string {
  if (/^[0-9a-f]+$/i.test(bearer)) return "hex";
  if (/^[\w-]+\.[\w-]+\.[\w-]*$/.test(bearer)) return "jwt";
  if (/^[A-Za-z0-9_-]+$/.test(bearer)) return "base64url";
  return /^[A-Za-z0-9+/]+=*$/.test(bearer) ? "base64" : "other";
}

/** Whether an answer has members that the contract does not name (open, for every response). */
export function observeExtraFields(exchange: Exchange, schemas: ResponseSchemas): readonly Observation[] {
  const point = { challenge: "EXTRA-FIELDS-CHALLENGE", verify: "EXTRA-FIELDS-SESSION", build: "EXTRA-FIELDS-DRAFT" }[
    exchange.operation as string
  ];
  const named = schemas.fields(exchange.operation);
  if (point === undefined) return [];
  const extra = Object.keys(exchange.body).some((field) => !named.has(field));
  return [{ point, reading: extra ? "extra" : "none" }];
}
