import type { ServiceRequest } from "../../adapters/adapter.ts";
import type { Outcome } from "../../engine/outcome.ts";
import { merge } from "../../engine/search/model.ts";
import { executionRule, isExecution } from "../execution-path.ts";
import { responseSchemas } from "../judge/response-schemas.ts";
import { OUTCOMES, operationOf, VERSION_PREFIX } from "../operations.ts";
import { requestFields } from "../request-fields.ts";
import { readBody } from "./body-reading.ts";

const ERROR_STATUSES = [400, 401, 404, 409, 413, 429] as const;

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
export function otherPath({ method, path, body }: ServiceRequest, bearerAtFault: boolean): OtherPath {
  const execution = isExecution({ method, path }) ? executionRule(path) : undefined;
  if (execution !== undefined) {
    const missing = OUTCOMES.noExecution;
    // A request may have other faults too, which a service may look for before it looks for the route.
    const outcomes = [
      missing,
      ...bodyFaults(method, body),
      ...(bearerAtFault ? [OUTCOMES.unauthorized] : []),
    ];
    return { outcomes, rules: [execution], point: "EXECUTION-PATH-SHAPE" };
  }
  const schemas = responseSchemas();
  const errors = ERROR_STATUSES.map((status) => ({ status, codes: [...(schemas.codes(status) ?? [])] }));
  const near = isNearOperation(method, path);
  return {
    outcomes: merge(near ? [OUTCOMES.served, ...errors] : errors),
    rules: ["ERROR-2"],
    point: near ? "PATH-CASE" : "UNKNOWN-PATH",
  };
}

function bodyFaults(method: string, body: ServiceRequest["body"]): readonly Outcome[] {
  // Whoever reads the body before the path misses it first, where the method asks for one (RFC 9110, section 9.3).
  if (body === undefined) return /^(?:POST|PUT|PATCH)$/.test(method) ? [OUTCOMES.noJson] : [];
  const { kind } = readBody(body);
  return [
    ...(Buffer.byteLength(body) > requestFields("build").mostBytes ? [OUTCOMES.tooLarge] : []),
    ...(kind === "object" ? [] : [OUTCOMES.noJson]),
  ];
}

/** Whether a lenient router would take the request for one of the four operations. */
function isNearOperation(method: string, path: string): boolean {
  const [bare = ""] = path.split(/[?#;]/, 1);
  const tidy = decoded(bare).toLowerCase().replace(/\/+/g, "/").replace(/\/$/, "").trim();
  const rooted = tidy.startsWith("/") ? tidy : `/${tidy}`;
  const versioned = rooted.startsWith(VERSION_PREFIX) ? rooted : `${VERSION_PREFIX}${rooted}`;
  return operationOf(method.trim().toUpperCase(), versioned) !== "other" || method.toUpperCase() === "HEAD";
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
