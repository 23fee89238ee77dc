import { parseTimestamp } from "../contract/judge/timestamp.ts";
import type { Operation } from "../contract/operations.ts";
import { isObject } from "../engine/play/exchange.ts";

type JsonType = "string" | "integer" | "number" | "boolean" | "object" | "array" | "null";

/** What a member must be where its value is set aside, after the matchers that consumer-driven contract tests use. */
export type Match =
  | { readonly match: "regex"; readonly regex: string }
  | { readonly match: "type"; readonly type: JsonType }
  | { readonly match: "timestamp" };

/**
 * From where on the value is another one: `run` after run of one implementation, or from one `implementation` to
 * another, which may also leave an `optional` member out.
 */
export type Matcher = Match & {
  /** JSON Pointer (RFC 6901) into the answer's body. */
  readonly pointer: string;
  readonly varies: "run" | "implementation";
  readonly optional?: true;
};

const KEY: Match = { match: "regex", regex: "^[1-9A-HJ-NP-Za-km-z]{32,44}$" };
const HASH: Match = { match: "regex", regex: "^[a-f0-9]{64}$" };
const TEXT: Match = { match: "regex", regex: "^[\\s\\S]+$" };
const INTEGER: Match = { match: "type", type: "integer" };
const FIXED_KEYS = { "/platform": KEY, "/feeWallet": KEY, "/withdrawAuthority": KEY };

/** The members of a 200 whose value the contract leaves to the service ("Resources and their fields"). */
const LEFT_TO_THE_SERVICE: Readonly<Record<Operation, Readonly<Record<string, Match>>>> = {
  platform: { ...FIXED_KEYS, "/termsHash": HASH },
  challenge: {
    "/id": { match: "regex", regex: "^[a-f0-9]{48}$" },
    "/message": TEXT,
    "/expiresAt": { match: "timestamp" },
  },
  verify: { "/bearer": TEXT, "/expiresAt": { match: "timestamp" } },
  build: {
    ...FIXED_KEYS,
    "/expiresAt": INTEGER,
    "/messageHash": HASH,
    "/unsignedTransactionBase64": { match: "regex", regex: "^[A-Za-z0-9+/]+={0,2}$" },
    "/cost/accounts": { match: "type", type: "array" },
    "/cost/networkFeeLamports": INTEGER,
    "/cost/minimumLamports": INTEGER,
    "/cost/recommendedLamports": INTEGER,
    "/nextGate": TEXT,
  },
  other: {},
};

/** What is random by the contract, or holds something random. */
const RANDOM = new Set(["/id", "/message", "/bearer"]);

/**
 * The matchers for an answer: what the contract leaves to the service, and every member that it does not name.
 * @param named members that the contract names for this answer
 * @param differed whether the implementation's own two recordings differed in a member
 */
export function matchersFor(
  operation: Operation,
  { status, body }: { readonly status: number; readonly body: Readonly<Record<string, unknown>> },
  named: ReadonlySet<string>,
  differed: (pointer: string) => boolean,
): readonly Matcher[] {
  const varies = (pointer: string) =>
    RANDOM.has(pointer) || differed(pointer) ? ("run" as const) : ("implementation" as const);
  const left = status === 200 ? Object.entries(LEFT_TO_THE_SERVICE[operation]) : [];
  const known = status === 200 ? named : new Set(["code", "productionApproved"]);
  const extra = Object.keys(body).filter((name) => !known.has(name));
  return [
    ...left.map(([pointer, match]) => ({ pointer, ...match, varies: varies(pointer) })),
    ...extra.map((name) => {
      const pointer = `/${escapePointer(name)}`;
      const type = typeOf(body[name]);
      return { pointer, match: "type" as const, type, varies: varies(pointer), optional: true as const };
    }),
  ];
}

/** Whether a value is what the matcher asks for. */
export function matches(matcher: Match, value: unknown): boolean {
  switch (matcher.match) {
    case "regex":
      return typeof value === "string" && new RegExp(matcher.regex).test(value);
    case "type":
      return matcher.type === typeOf(value) || (matcher.type === "number" && typeof value === "number");
    case "timestamp":
      return parseTimestamp(value) !== undefined;
  }
}

/** What a matcher asks for, in words. */
export function describeMatch(matcher: Match): string {
  switch (matcher.match) {
    case "regex":
      return `a text matching ${matcher.regex}`;
    case "type":
      return `of type ${matcher.type}`;
    case "timestamp":
      return "a moment";
  }
}

/** A member name as a segment of a JSON Pointer (RFC 6901, section 3). */
export function escapePointer(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}

/** The value at a JSON Pointer; undefined where there is none. */
export function atPointer(value: unknown, pointer: string): unknown {
  return pointer
    .split("/")
    .slice(1)
    .map((segment) => segment.replaceAll("~1", "/").replaceAll("~0", "~"))
    .reduce<unknown>((inner, name) => {
      if (Array.isArray(inner)) return /^\d+$/.test(name) ? inner[Number(name)] : undefined;
      return isObject(inner) && Object.hasOwn(inner, name) ? inner[name] : undefined;
    }, value);
}

function typeOf(value: unknown): JsonType {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (Number.isInteger(value)) return "integer";
  return typeof value as JsonType;
}
