import { DataError } from "../data/data-error.ts";
import { calledName, INSIDE, isFunctionName, WHOLE } from "../vectors/template.ts";
import type { Template } from "../vectors/vector.ts";
import { FUNCTIONS } from "./template-functions.ts";

/** The value of a name and what lies in it at `path`. @throws where there is no such name */
export type Lookup = (name: string, path: readonly string[]) => Template;

/**
 * Fills in a template.
 * @throws {DataError} at `where` for a function that cannot take its argument, or from `lookup`
 */
export function fill(template: Template, lookup: Lookup, where: string): Template {
  if (typeof template === "string") return fillText(template, lookup);
  if (template === null || typeof template !== "object") return template;
  if (Array.isArray(template)) return template.map((item) => fill(item as Template, lookup, where));
  const entries = Object.entries(template as Record<string, Template>);
  const name = calledName(template);
  if (name !== undefined && isFunctionName(name)) {
    const argument = fill(entries[0]?.[1] ?? null, lookup, where);
    return FUNCTIONS[name](argument, (why) => {
      throw new DataError(where, `${name} ${why}`);
    });
  }
  return Object.fromEntries(entries.map(([key, value]) => [key, fill(value, lookup, where)]));
}

function fillText(text: string, lookup: Lookup): Template {
  if (!text.includes("$")) return text;
  const whole = WHOLE.exec(text)?.[1];
  if (whole !== undefined) {
    const [name = "", ...path] = whole.split(".");
    return lookup(name, path);
  }
  return text.replace(INSIDE, (_, inner: string) => {
    const [name = "", ...path] = inner.split(".");
    const value = lookup(name, path);
    return typeof value === "string" ? value : JSON.stringify(value);
  });
}

/** What lies in a value at a path; null where there is nothing. */
export function valueAt(value: Template, path: readonly string[]): Template {
  return path.reduce<Template>((inner, key) => {
    if (inner === null || typeof inner !== "object" || !Object.hasOwn(inner, key)) return null;
    return (inner as Record<string, Template>)[key] ?? null;
  }, value);
}
