/** The differences that are allowed between two responses to the same request. */

import type { Operation } from "../contract/constants.ts";
import type { Schema } from "../contract/openapi.ts";
import { memberNamesOf, schemaAt } from "../contract/response-schemas.ts";
import type { JsonObject } from "../data/json.ts";

/** The required form of a member whose value may differ. */
type Match =
  | { readonly match: "regex"; readonly regex: string }
  /** A type of JSON Schema. */
  | { readonly match: "type"; readonly type: string }
  | { readonly match: "timestamp" }
  | { readonly match: "any" };

/** A member whose value may differ: from run to run, or from implementation to implementation. */
export type Matcher = Match & {
  /** JSON Pointer (RFC 6901) into the body of the response. */
  readonly pointer: string;
  readonly varies: "run" | "implementation";
  /** Whether another implementation may omit the member. */
  readonly optional?: true;
};

const FIXED_KEYS = ["/platform", "/feeWallet", "/withdrawAuthority"];

/** Members of successful responses whose values the contract does not fix ("Resources and their fields"). */
const MAY_DIFFER: Readonly<Record<Operation, readonly string[]>> = {
  platform: [...FIXED_KEYS, "/termsHash"],
  challenge: ["/id", "/message", "/expiresAt"],
  verify: ["/bearer", "/expiresAt"],
  build: [
    ...FIXED_KEYS,
    "/expiresAt",
    "/messageHash",
    "/unsignedTransactionBase64",
    "/cost/accounts",
    "/cost/networkFeeLamports",
    "/cost/minimumLamports",
    "/cost/recommendedLamports",
    "/nextGate",
  ],
  other: [],
};

/** Members whose values are random, or have a random part. */
const RANDOM: ReadonlySet<string> = new Set(["/id", "/message", "/bearer"]);

/**
 * Returns the matchers of a response: one for each member whose value the contract does not fix, and one for
 * each member that the contract does not name.
 * @param isDeterministic whether only random members differ from run to run
 */
export function matchersFor(
  operation: Operation,
  { status, body }: { readonly status: number; readonly body: JsonObject },
  isDeterministic: boolean,
): readonly Matcher[] {
  const kind = status === 200 ? operation : "other";
  const variesIn = (pointer: string) =>
    !isDeterministic || RANDOM.has(pointer) ? ("run" as const) : ("implementation" as const);
  const named = memberNamesOf(kind);
  const extra = Object.keys(body).filter((name) => !named.has(name));
  return [
    ...MAY_DIFFER[kind].map((pointer) => {
      return { pointer, ...matchOf(operation, pointer), varies: variesIn(pointer) };
    }),
    ...extra.map((name): Matcher => {
      const pointer = `/${escapeSegment(name)}`;
      const varies = variesIn(pointer);
      const match: Match = varies === "run" ? { match: "type", type: typeOf(body[name]) } : { match: "any" };
      return { pointer, ...match, varies, optional: true };
    }),
  ];
}

/** Returns the form that the schema of a member requires. */
function matchOf(operation: Operation, pointer: string): Match {
  const { pattern, format, type } = schemaAt(operation, segmentsOf(pointer)) as Schema &
    Partial<Record<"pattern" | "format" | "type", string>>;
  if (pattern !== undefined) return { match: "regex", regex: pattern };
  if (format === "timestamp") return { match: "timestamp" };
  if (format === "base64-standard") return { match: "regex", regex: "^[A-Za-z0-9+/]+={0,2}$" };
  if (type === "string") return { match: "regex", regex: "^[\\s\\S]+$" };
  return { match: "type", type: String(type) };
}

function typeOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return Number.isInteger(value) ? "integer" : typeof value;
}

/** Returns the member names in a JSON Pointer (RFC 6901, section 4). */
export function segmentsOf(pointer: string): readonly string[] {
  const segments = pointer.split("/").slice(1);
  return segments.map((segment) => segment.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** Returns a member name as a segment of a JSON Pointer. */
export function escapeSegment(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}
