import type { Outcome } from "../../contract/outcome.ts";
import { operationOf } from "../../judge/exchange.ts";
import type { ResponseSchemas } from "../../judge/response-schemas.ts";
import { merge } from "./expected.ts";

/** Words of routes that the contract rules out, with the rule of each (contract, "Endpoints"). */
const EXECUTION: readonly (readonly [word: RegExp, rule: string])[] = [
  [/\/sign$/, "ENDPOINT-8"],
  [/\/send$/, "ENDPOINT-9"],
  [/\/buy$/, "ENDPOINT-10"],
  [/\/claim$/, "ENDPOINT-11"],
  [/\/payouts?$/, "ENDPOINT-12"],
];

const ERROR_STATUSES = [400, 401, 404, 409, 413, 429] as const;
const SERVED: Outcome = { status: 200, codes: [] };

/** What a request may get that is none of the four operations. */
export interface OtherPath {
  readonly outcomes: readonly Outcome[];
  readonly rules: readonly string[];
  readonly point: string;
}

/** What the contract says of a method and path that it does not name. */
export function otherPath(method: string, path: string, schemas: ResponseSchemas): OtherPath {
  const execution = /^\/v1(?:\/[a-z-]+){1,2}$/.test(path)
    ? EXECUTION.find(([word]) => word.test(path))
    : undefined;
  if (execution !== undefined && /^(?:GET|POST|PUT|PATCH|DELETE)$/.test(method)) {
    const outcomes = [{ status: 404, codes: ["NO_EXECUTION_ENDPOINT"] }];
    return { outcomes, rules: [execution[1]], point: "EXECUTION-PATH-SHAPE" };
  }
  const errors = ERROR_STATUSES.map((status) => ({ status, codes: [...(schemas.codes(status) ?? [])] }));
  const near = isNearOperation(method, path);
  return {
    outcomes: merge(near ? [SERVED, ...errors] : errors),
    rules: ["ERROR-2"],
    point: near ? "PATH-CASE" : "UNKNOWN-PATH",
  };
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
