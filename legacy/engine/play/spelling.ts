import type { Spelling } from "../vectors/syntax.ts";
import type { Template } from "../vectors/vector.ts";

/** Writes a value as JSON in the given spelling. */
export function spell(value: Template, spelling: Spelling): string {
  switch (spelling) {
    case "compact":
      return JSON.stringify(value);
    case "reversed-keys":
      return JSON.stringify(reversed(value));
    case "white-space":
      return ` \r\n\t${JSON.stringify(value, null, "\t \r")}\n `;
    case "escaped":
      return escaped(value);
    case "reversed-white-space-escaped":
      return `\n${escaped(reversed(value)).replaceAll(",", " ,\n\t")} `;
  }
}

/** JSON white space (RFC 8259, 2) added before the last brace, up to so many bytes in all: no fewer than there are. */
export function padTo(json: string, bytes: number): string {
  return json.slice(0, -1) + " ".repeat(bytes - Buffer.byteLength(json)) + json.slice(-1);
}

function reversed(value: Template): Template {
  if (value === null || typeof value !== "object" || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value as Record<string, Template>).reverse());
}

/** Every character of every text as a `\u` escape, keys included. */
function escaped(value: Template): string {
  if (typeof value === "string") {
    const units = Array.from({ length: value.length }, (_, index) => value.charCodeAt(index));
    return `"${units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("")}"`;
  }
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((item) => escaped(item as Template)).join(",")}]`;
  const members = Object.entries(value as Record<string, Template>);
  return `{${members.map(([key, item]) => `${escaped(key)}:${escaped(item)}`).join(",")}}`;
}
