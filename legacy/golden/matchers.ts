import { BASE64_FORM, responseSchemas } from "../contract/judge/response-schemas.ts";
import { isNoMoment } from "../contract/judge/timestamp.ts";
import type { Operation } from "../contract/operations.ts";
import { isObject } from "../engine/play/exchange.ts";

/** The types of JSON, whole numbers apart. */
export type JsonType = "string" | "integer" | "number" | "boolean" | "object" | "array" | "null";

/** What a member must be where its value is set aside, after the matchers that consumer-driven contract tests use. */
export type Match =
  | { readonly match: "regex"; readonly regex: string }
  | { readonly match: "type"; readonly type: JsonType }
  | { readonly match: "timestamp" }
  | { readonly match: "any" };

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

const FIXED_KEYS = ["/platform", "/feeWallet", "/withdrawAuthority"];

/** The members of a 200 whose value the contract leaves to the service ("Resources and their fields"). */
const LEFT_TO_THE_SERVICE: Readonly<Record<Operation, readonly string[]>> = {
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
  const left = status === 200 ? LEFT_TO_THE_SERVICE[operation] : [];
  const known = status === 200 ? named : responseSchemas().errorFields;
  const extra = Object.keys(body).filter((name) => !known.has(name));
  return [
    ...left.map((pointer) => ({ pointer, ...matchOf(operation, pointer), varies: varies(pointer) })),
    ...extra.map((name) => {
      const pointer = `/${escapePointer(name)}`;
      const optional = { optional: true as const };
      // Of what the contract does not name, another implementation may make whatever it likes.
      if (varies(pointer) === "implementation")
        return { pointer, match: "any" as const, varies: "implementation" as const, ...optional };
      const type = typeOf(body[name]);
      return { pointer, match: "type" as const, type, varies: "run" as const, ...optional };
    }),
  ];
}

/** What a member must be, as its schema has it. @throws where no schema describes the member */
function matchOf(operation: Operation, pointer: string): Match {
  const schema = responseSchemas().member(operation, pointer.split("/").slice(1));
  if (schema === undefined)
    throw new Error(`the OpenAPI file has no ${pointer} in the answer to ${operation}`);
  const { pattern, format, type } = schema;
  if (typeof pattern === "string") return { match: "regex", regex: pattern };
  if (format === "timestamp") return { match: "timestamp" };
  if (format === "base64-standard") return { match: "regex", regex: BASE64_FORM.source };
  if (type === "string") return { match: "regex", regex: "^[\\s\\S]+$" };
  return { match: "type", type: type as JsonType };
}

/** Whether a value is what the matcher asks for. */
export function matches(matcher: Match, value: unknown): boolean {
  switch (matcher.match) {
    case "regex":
      return typeof value === "string" && new RegExp(matcher.regex).test(value);
    case "type":
      return matcher.type === typeOf(value) || (matcher.type === "number" && typeof value === "number");
    case "timestamp":
      return !isNoMoment(value);
    case "any":
      return true;
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
    case "any":
      return "anything";
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
