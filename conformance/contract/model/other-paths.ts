import type { ServiceRequest } from "../../adapters/adapter.ts";
import type { Outcome } from "../../engine/outcome.ts";
import { operationOf } from "../../engine/play/exchange.ts";
import type { ResponseSchemas } from "../judge/response-schemas.ts";
import { readBody } from "./body-reading.ts";
import { merge } from "./expected.ts";
import { badRequest } from "./fault.ts";

/** Words of routes that the contract rules out, with the rule of each (contract, "Endpoints"). */
const EXECUTION: Readonly<Record<string, string>> = {
  sign: "ENDPOINT-8",
  send: "ENDPOINT-9",
  buy: "ENDPOINT-10",
  claim: "ENDPOINT-11",
  payout: "ENDPOINT-12",
  payouts: "ENDPOINT-12",
};

const ERROR_STATUSES = [400, 401, 404, 409, 413, 429] as const;
const UNAUTHORIZED: Outcome = { status: 401, codes: ["UNAUTHORIZED"] };
const BODY_LIMIT = 16 * 1024;
const SERVED: Outcome = { status: 200, codes: [] };

/** What a request may get that is none of the four operations. */
export interface OtherPath {
  readonly outcomes: readonly Outcome[];
  readonly rules: readonly string[];
  readonly point: string;
}

/**
 * What the contract says of a method and path that it does not name.
 * @param bearerAtFault whether there is a bearer, and it stands for no live session
 */
export function otherPath(
  { method, path, body }: ServiceRequest,
  schemas: ResponseSchemas,
  bearerAtFault: boolean,
): OtherPath {
  const execution = /^(?:GET|POST|PUT|PATCH|DELETE)$/.test(method) ? executionRule(path) : undefined;
  if (execution !== undefined) {
    const missing = { status: 404, codes: ["NO_EXECUTION_ENDPOINT"] };
    // A request may have other faults too, which a service may look for before it looks for the route.
    const outcomes = [missing, ...bodyFaults(body), ...(bearerAtFault ? [UNAUTHORIZED] : [])];
    return { outcomes, rules: [execution], point: "EXECUTION-PATH-SHAPE" };
  }
  const errors = ERROR_STATUSES.map((status) => ({ status, codes: [...(schemas.codes(status) ?? [])] }));
  const near = isNearOperation(method, path);
  return {
    outcomes: merge(near ? [SERVED, ...errors] : errors),
    rules: ["ERROR-2"],
    point: near ? "PATH-CASE" : "UNKNOWN-PATH",
  };
}

function bodyFaults(body: ServiceRequest["body"]): readonly Outcome[] {
  if (body === undefined) return [];
  const { kind } = readBody(body);
  return [
    ...(Buffer.byteLength(body) > BODY_LIMIT ? [{ status: 413, codes: ["BODY_TOO_LARGE"] }] : []),
    ...(kind === "object" ? [] : [badRequest("INVALID_JSON_BODY")]),
  ];
}

/** The rule against a plainly written path that would execute something: `/v1/launch/sign`, `/v1/sendTransaction`. */
function executionRule(path: string): string | undefined {
  if (!/^\/v1(?:\/[a-z][A-Za-z]*(?:-[a-z]+)*){1,3}$/.test(path)) return undefined;
  const words = path
    .replace("pay-out", "payout")
    .split(/[/-]|(?=[A-Z])/)
    .map((word) => word.toLowerCase());
  return words.map((word) => EXECUTION[word]).find((rule) => rule !== undefined);
}

/** Whether a lenient router would take the request for one of the four operations. */
function isNearOperation(method: string, path: string): boolean {
  const [bare = ""] = path.split(/[?#;]/, 1);
  const tidy = decoded(bare).toLowerCase().replace(/\/+/g, "/").replace(/\/$/, "").trim();
  const rooted = tidy.startsWith("/") ? tidy : `/${tidy}`;
  const versioned = rooted.startsWith("/v1") ? rooted : `/v1${rooted}`;
  return operationOf(method.trim().toUpperCase(), versioned) !== "other" || method.toUpperCase() === "HEAD";
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
