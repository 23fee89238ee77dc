import { FUNCTION_NAMES, type FunctionName } from "./syntax.ts";
import type { Template } from "./vector.ts";

/** A text that is a whole value: `$name.path`. */
export const WHOLE = /^\$([a-z][A-Za-z0-9]*(?:\.[A-Za-z0-9_-]+)*)$/;
/** Values inside a text: `${name.path}`. */
export const INSIDE = /\$\{([a-z][A-Za-z0-9]*(?:\.[A-Za-z0-9_-]+)*)\}/g;

/** The names that a template mentions, for checks at load time; each with the rest of its path. */
export function mentions(
  template: Template,
): readonly { readonly name: string; readonly path: readonly string[] }[] {
  if (typeof template === "string") {
    const whole = WHOLE.exec(template)?.[1];
    const texts =
      whole === undefined ? [...template.matchAll(INSIDE)].map((match) => match[1] ?? "") : [whole];
    return texts.map((text) => {
      const [name = "", ...path] = text.split(".");
      return { name, path };
    });
  }
  if (template === null || typeof template !== "object") return [];
  return Object.values(template).flatMap(mentions);
}

/** The functions that a template calls and that do not exist. */
export function unknownFunctions(template: Template): readonly string[] {
  if (template === null || typeof template !== "object") return [];
  const inner = Object.values(template as Record<string, Template>).flatMap(unknownFunctions);
  const name = calledName(template);
  return name === undefined || isFunctionName(name) ? inner : [name, ...inner];
}

/** The function that a template calls, whether or not there is one of that name; undefined where it calls none. */
export function calledName(template: Template): string | undefined {
  if (template === null || typeof template !== "object" || Array.isArray(template)) return undefined;
  const keys = Object.keys(template);
  return keys.length === 1 && keys[0]?.startsWith("$") ? keys[0] : undefined;
}

export function isFunctionName(name: string): name is FunctionName {
  return FUNCTION_NAMES.some((known) => known === name);
}
