import type { ServiceRequest } from "../../adapters/adapter.ts";
import { isObject } from "../../engine/play/exchange.ts";

/**
 * The request's body as a JSON object, as a lenient reader sees it; undefined where it is none, and where it names a
 * member twice: which of the two counts is open.
 */
export function requestJson({ body }: ServiceRequest): Readonly<Record<string, unknown>> | undefined {
  if (body === undefined) return undefined;
  try {
    const text = typeof body === "string" ? body : Buffer.from(body).toString("utf8");
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ""));
    return isObject(value) && membersIn(text) === membersOf(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

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
