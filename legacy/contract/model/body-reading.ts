import { isObject } from "../../engine/play/exchange.ts";
import { remembered } from "../remembered.ts";

/** Doubtful spellings, on which honest JSON readers differ; most are an open point each. */
export type Doubt =
  | "JSON-BOM"
  | "JSON-INVALID-UTF-8"
  | "JSON-DUPLICATE-KEY"
  | "JSON-DEEP-NESTING"
  | "odd-number"
  | "half-surrogate";

/** A request body as far as every reader agrees on it. */
export interface BodyReading {
  /** Size as UTF-8, in bytes. */
  readonly bytes: number;
  readonly kind: "absent" | "no-json" | "no-utf-8" | "no-object" | "object";
  /** Members of the object; none where it is none. */
  readonly members: Readonly<Record<string, unknown>>;
  readonly doubts: readonly Doubt[];
  /** Whether readers take different values from it, so that nobody knows what a service understood. */
  readonly ambiguous: boolean;
}

const LOSSY = new TextDecoder("utf-8", { ignoreBOM: true });
const STRICT = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
/** Deeper than any field asks for; some readers stop at a fixed depth. */
const USUAL_DEPTH = 16;

/** Texts come again and again. */
const known = remembered<BodyReading>(500, read);

/** Reads the exact text or bytes of a body. */
export function readBody(body: string | Uint8Array | undefined): BodyReading {
  return typeof body === "string" ? known(body) : read(body);
}

function read(body: string | Uint8Array | undefined): BodyReading {
  const bytes = body === undefined ? 0 : typeof body === "string" ? Buffer.byteLength(body) : body.byteLength;
  const text = textOf(body);
  const none = { bytes, members: {}, doubts: [], ambiguous: false };
  if (text.trim() === "") return { ...none, kind: "absent" };
  const bare = text.replace(/^\uFEFF/, "");
  let value: unknown;
  try {
    value = JSON.parse(bare);
  } catch {
    return { ...none, kind: isUtf8(body) ? "no-json" : "no-utf-8" };
  }
  const shape = shapeOf(bare);
  const duplicates = shape.members - countMembers(value);
  const doubts: Doubt[] = [];
  if (bare !== text) doubts.push("JSON-BOM");
  if (!isUtf8(body)) doubts.push("JSON-INVALID-UTF-8");
  if (duplicates > 0) doubts.push("JSON-DUPLICATE-KEY");
  if (shape.depth > USUAL_DEPTH) doubts.push("JSON-DEEP-NESTING");
  if (shape.oddNumber) doubts.push("odd-number");
  // JSON.stringify escapes halves of surrogate pairs, and them alone.
  if (bare.includes("\\u") && /\\ud[89a-f]/.test(JSON.stringify(value))) doubts.push("half-surrogate");
  const ambiguous = duplicates > 0 || !isUtf8(body);
  if (!isObject(value)) return { bytes, kind: "no-object", members: {}, doubts, ambiguous };
  return { bytes, kind: "object", members: value, doubts, ambiguous };
}

function textOf(body: string | Uint8Array | undefined): string {
  if (body === undefined) return "";
  return typeof body === "string" ? body : LOSSY.decode(body);
}

function isUtf8(body: string | Uint8Array | undefined): boolean {
  if (body === undefined) return true;
  if (typeof body === "string") return !/\p{Surrogate}/u.test(body);
  try {
    STRICT.decode(body);
    return true;
  } catch {
    return false;
  }
}

/** What the values of a JSON text no longer show: names given twice, depth, numbers that not every reader holds. */
function shapeOf(json: string): {
  readonly members: number;
  readonly depth: number;
  readonly oddNumber: boolean;
} {
  let members = 0;
  let depth = 0;
  let deepest = 0;
  let oddNumber = false;
  for (const [token] of json.matchAll(/"(?:[^"\\]|\\.)*"\s*:?|[[{]|[\]}]|-?\d[\d.eE+-]*/gs)) {
    if (token.startsWith('"')) members += token.endsWith(":") ? 1 : 0;
    else if (token === "[" || token === "{") deepest = Math.max(deepest, ++depth);
    else if (token === "]" || token === "}") depth -= 1;
    else oddNumber ||= /[eE]/.test(token) || token.length > 15;
  }
  return { members, depth: deepest, oddNumber };
}

/** Members of all objects in a value; without recursion, since a body may nest as deep as its size allows. */
function countMembers(value: unknown): number {
  let members = 0;
  const waiting: unknown[] = [value];
  for (let next = waiting.pop(); waiting.length > 0 || next !== undefined; next = waiting.pop()) {
    if (typeof next !== "object" || next === null) continue;
    const inner = Object.values(next);
    if (!Array.isArray(next)) members += inner.length;
    waiting.push(...inner);
  }
  return members;
}
