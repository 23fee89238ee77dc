import type { ServiceRequest } from "../../adapters/adapter.ts";
import { isObject } from "../../engine/play/exchange.ts";
import { remembered } from "../remembered.ts";

/**
 * The request's body as a JSON object, as a lenient reader sees it; undefined where it is none, and where it names a
 * member twice: which of the two counts is open.
 */
export function requestJson({ body }: Pick<ServiceRequest, "body">): JsonObject | undefined {
  if (body === undefined) return undefined;
  return known(typeof body === "string" ? body : Buffer.from(body).toString("utf8"));
}

type JsonObject = Readonly<Record<string, unknown>>;

/** Each body is asked about several times for one answer. */
const known = remembered(500, readJson);

function readJson(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ""));
    return isObject(value) && membersIn(text) === membersOf(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The members that a flat JSON object names more than once, with each text that it gives them, in order. */
export function namedTwice({ body }: ServiceRequest): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  if (typeof body !== "string" || requestJson({ body }) !== undefined) return found;
  for (const [, name = "", value = ""] of body.matchAll(MEMBER)) {
    try {
      const key = String(JSON.parse(name));
      found.set(key, [...(found.get(key) ?? []), String(JSON.parse(value))]);
    } catch {
      return new Map();
    }
  }
  return new Map([...found].filter(([, values]) => values.length > 1));
}

/** A name and a text in JSON. */
const MEMBER = /("(?:[^"\\]|\\.)*")\s*:\s*("(?:[^"\\]|\\.)*")/gs;

/** How many members a JSON text spells out: every colon outside of its strings. */
function membersIn(json: string): number {
  return json.replace(/"(?:[^"\\]|\\.)*"/gs, "").split(":").length - 1;
}

function membersOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  const inner = Object.values(value);
  return inner.reduce<number>(
    (sum, member) => sum + membersOf(member),
    Array.isArray(value) ? 0 : inner.length,
  );
}
