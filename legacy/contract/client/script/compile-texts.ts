import { suggestion } from "../../../engine/data/schema.ts";
import type { YamlPath } from "../../../engine/data/yaml-places.ts";
import type { YamlSource } from "../../../engine/data/yaml-source.ts";
import { calledName, INSIDE, isFunctionName, mentions } from "../../../engine/vectors/template.ts";
import type { Template } from "../../../engine/vectors/vector.ts";
import { CAST, TOKEN_TEXTS, type TokenText } from "./scenario.ts";

/** Names that a text may hold, besides those of people, which stand for their addresses. */
export const PROVIDED = ["hostA", "hostB"] as const;

interface Place {
  readonly source: YamlSource;
  readonly path: YamlPath;
}

/** @throws {DataError} with a guess at the slip, for what is none of the known names */
export function requireOneOf(
  name: string,
  known: readonly string[],
  what: string,
  { source, path }: Place,
): void {
  if (!known.includes(name)) throw source.error(path, `unknown ${what} "${name}"${suggestion(name, known)}`);
}

/**
 * Checks the texts of a token, which are filled in once people have their keys.
 * @throws {DataError} for an unknown name or function
 */
export function compileTexts(
  token: Readonly<Record<string, unknown>>,
  { source, path }: Place,
): Readonly<Partial<Record<TokenText, unknown>>> {
  for (const [member, value] of Object.entries(token)) {
    requireOneOf(member, TOKEN_TEXTS, "text of a token", { source, path: [...path, member] });
    checkTemplate(value as Template, { source, path: [...path, member] });
  }
  return token;
}

/** @throws {DataError} for a name or a function in a template that does not exist */
export function checkTemplate(template: Template, { source, path }: Place): void {
  for (const { name } of mentions(template))
    requireOneOf(name, [...CAST, ...PROVIDED], "name", { source, path });
  const called = calledName(template);
  if (called !== undefined && !isFunctionName(called))
    throw source.error(path, `unknown function "${called}"`);
  if (typeof template === "string" && template.replaceAll(INSIDE, "").includes("${"))
    throw source.error(path, `"${template}" holds a name that cannot be read`);
}
