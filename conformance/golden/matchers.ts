/** The differences that are allowed between two responses to the same request. */
import { isObject, type JsonObject, show } from "../adapters/json.ts";
import type { Operation } from "../contract/constants.ts";
import type { Schema } from "../contract/openapi.ts";
import { memberNamesOf, schemaAt } from "../contract/response-schemas.ts";

type JsonType = "string" | "integer" | "number" | "boolean" | "object" | "array" | "null";

/** The required form of a member whose value may differ. */
type Match =
  | { readonly match: "regex"; readonly regex: string }
  | { readonly match: "type"; readonly type: JsonType }
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

/** The members of a success whose values the contract does not fix ("Resources and their fields"). */
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

/** Members that are random, or contain something random. */
const RANDOM: ReadonlySet<string> = new Set(["/id", "/message", "/bearer"]);

const BASE64 = "^[A-Za-z0-9+/]+={0,2}$";
const NOT_EMPTY = "^[\\s\\S]+$";

/**
 * Returns the matchers of a response: one for each member that the contract does not fix, and one for each
 * that it does not name.
 * @param isDeterministic whether only random members differ from run to run
 */
export function matchersFor(
  operation: Operation,
  { status, body }: { readonly status: number; readonly body: JsonObject },
  isDeterministic: boolean,
): readonly Matcher[] {
  const isSuccess = status === 200;
  const variesIn = (pointer: string) =>
    !isDeterministic || RANDOM.has(pointer) ? ("run" as const) : ("implementation" as const);
  const named = memberNamesOf(isSuccess ? operation : "other");
  const extra = Object.keys(body).filter((name) => !named.has(name));
  return [
    ...(isSuccess ? MAY_DIFFER[operation] : []).map((pointer) => ({
      pointer,
      ...matchOf(operation, pointer),
      varies: variesIn(pointer),
    })),
    ...extra.map((name): Matcher => {
      const pointer = `/${escapeSegment(name)}`;
      const varies = variesIn(pointer);
      const match: Match = varies === "run" ? { match: "type", type: typeOf(body[name]) } : { match: "any" };
      return { pointer, ...match, varies, optional: true };
    }),
  ];
}

type ValueSchema = Schema & {
  readonly type?: string;
  readonly pattern?: string;
  readonly format?: string;
};

/** Returns the form that the schema of a member requires. */
function matchOf(operation: Operation, pointer: string): Match {
  const { pattern, format, type } = schemaAt(operation, segmentsOf(pointer)) as ValueSchema;
  if (pattern !== undefined) return { match: "regex", regex: pattern };
  if (format === "timestamp") return { match: "timestamp" };
  if (format === "base64-standard") return { match: "regex", regex: BASE64 };
  if (type === "string") return { match: "regex", regex: NOT_EMPTY };
  return { match: "type", type: type as JsonType };
}

/** A place where two JSON values differ. An absent member is undefined. */
export interface Difference {
  readonly pointer: string;
  readonly was: unknown;
  readonly is: unknown;
}

/**
 * Returns the differences between a recorded response and a new one that the matchers do not allow. The form
 * of the new values is not compared, because every response is judged when it is recorded.
 * @param isSame whether the same implementation responded. If so, only values that differ from run to run may
 *   differ. Otherwise, additional members are allowed as well.
 */
export function compareResponses(
  was: JsonObject,
  is: JsonObject,
  matchers: readonly Matcher[],
  isSame: boolean,
): readonly Difference[] {
  const active = matchers.filter(({ varies }) => varies === "run" || !isSame);
  const differences = findDifferences(was, is, new Set(active.map(({ pointer }) => pointer)));
  return differences.filter((one) => isSame || one.was !== undefined);
}

/** Returns each place where two JSON values differ, except at the given pointers. */
export function findDifferences(
  was: unknown,
  is: unknown,
  except: ReadonlySet<string> = new Set(),
  pointer = "",
): readonly Difference[] {
  if (except.has(pointer) || Object.is(was, is)) return [];
  const areComparable = Array.isArray(was) ? Array.isArray(is) : isObject(was) && isObject(is);
  if (!areComparable) return [{ pointer, was, is }];
  const [before, after] = [was, is] as [JsonObject, JsonObject];
  return Object.keys({ ...before, ...after }).flatMap((name) =>
    findDifferences(before[name], after[name], except, `${pointer}/${escapeSegment(name)}`),
  );
}

/** Formats the first of several differences as one line. */
export function formatDifferences(differences: readonly Difference[]): string {
  const [first] = differences;
  if (first === undefined) return "the same values in another form";
  const more = differences.length === 1 ? "" : ` (and ${differences.length - 1} more)`;
  const place = segmentsOf(first.pointer).join(".") || "the whole value";
  return `${place}: was ${show(first.was, 100)}, is ${show(first.is, 100)}${more}`;
}

function typeOf(value: unknown): JsonType {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return Number.isInteger(value) ? "integer" : (typeof value as JsonType);
}

/** Returns the member names in a JSON Pointer (RFC 6901, section 4). */
export function segmentsOf(pointer: string): readonly string[] {
  const segments = pointer.split("/").slice(1);
  return segments.map((segment) => segment.replaceAll("~1", "/").replaceAll("~0", "~"));
}

function escapeSegment(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}
