import { type Exchange, isObject } from "../../engine/play/exchange.ts";
import type { Advice, Observation } from "../../engine/play/judgement.ts";
import type { Operation } from "../operations.ts";
import type { ResponseSchemas } from "./response-schemas.ts";

/** What a bearer looks like (open: "Session"), and whether anyone could guess it. */
export function observeBearer(bearer: unknown): {
  readonly observations: readonly Observation[];
  readonly advice: readonly Advice[];
} {
  if (typeof bearer !== "string") return { observations: [], advice: [] };
  const advice: Advice[] = [];
  if (bearer.length < 22) {
    advice.push({
      rule: "SESSION-12",
      message: `a bearer of ${bearer.length} characters cannot hold 16 random bytes`,
    });
  }
  if (!/^[A-Za-z0-9._~+/-]+=*$/.test(bearer)) {
    advice.push({
      rule: "SESSION-14",
      message: "the bearer has characters that an Authorization header does not carry",
    });
  }
  return { observations: [{ point: "BEARER-FORMAT", reading: bearerFormat(bearer) }], advice };
}

function bearerFormat(bearer: string): string {
  if (/^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(bearer)) return "uuid";
  if (/^[0-9a-f]+$/i.test(bearer)) return "hex";
  if (/^[\w-]+\.[\w-]+\.[\w-]*$/.test(bearer)) return "jwt";
  if (/^[A-Za-z0-9_-]+$/.test(bearer)) return "base64url";
  return /^[A-Za-z0-9+/]+=*$/.test(bearer) ? "base64" : "other";
}

/** Open points about members that the contract does not name, by operation. */
const EXTRA_FIELDS: Readonly<Partial<Record<Operation, string>>> = {
  platform: "EXTRA-FIELDS-PROFILE",
  challenge: "EXTRA-FIELDS-CHALLENGE",
  verify: "EXTRA-FIELDS-SESSION",
  build: "EXTRA-FIELDS-DRAFT",
};
const ENVELOPE_FIELDS = new Set(["status", "body"]);
/** Whether an answer has members that the contract does not name (open, for every response). */
export function observeExtraFields(exchange: Exchange, schemas: ResponseSchemas): readonly Observation[] {
  const { envelope, operation, body, status } = exchange;
  const found: Observation[] = [];
  const see = (point: string, value: unknown, named: ReadonlySet<string>, allowed = 0) => {
    if (isObject(value)) found.push({ point, reading: hasExtra(value, named, allowed) ? "other" : "none" });
  };
  see("ENVELOPE-EXTRA-FIELDS", envelope, ENVELOPE_FIELDS);
  if (status !== 200) {
    see("EXTRA-FIELDS-ERROR", body, schemas.errorFields);
    return found;
  }
  const point = (EXTRA_FIELDS as Readonly<Record<string, string>>)[operation];
  // The profile describes signing under a name that is not shown: one field more is no surplus.
  if (point !== undefined) see(point, body, schemas.fields(operation), operation === "platform" ? 1 : 0);
  if (operation === "platform")
    found.push({ point: "SIGNING-DESCRIPTION", reading: "signing" in body ? "signing" : "other" });
  const { cost } = body;
  if (operation !== "build" || !isObject(cost)) return found;
  see("EXTRA-FIELDS-COST", cost, schemas.fields(operation, ["cost"]));
  const accounts = cost["accounts"];
  if (Array.isArray(accounts))
    see("EXTRA-FIELDS-COST-ACCOUNT", accounts[0], schemas.fields(operation, ["cost", "accounts", "*"]));
  return found;
}

function hasExtra(
  value: Readonly<Record<string, unknown>>,
  named: ReadonlySet<string>,
  allowed: number,
): boolean {
  return Object.keys(value).filter((name) => !named.has(name)).length > allowed;
}
