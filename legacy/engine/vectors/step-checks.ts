import { suggestion } from "../data/schema.ts";
import type { YamlPath } from "../data/yaml-places.ts";
import type { CompileContext } from "./compile-context.ts";
import { parseDuration } from "./duration.ts";
import { durationTexts } from "./needs.ts";
import { SPELLINGS } from "./syntax.ts";
import type { Fields, Step, Template } from "./vector.ts";

/** An `advance` holds one duration. */
export function checkDuration({ source, row }: CompileContext, advance: Template, path: YamlPath): void {
  const texts = durationTexts(advance, row);
  const [first] = texts;
  if (first === undefined || texts.length > 1)
    throw source.error(path, `an advance holds one duration; this one has ${texts.length}`);
  if (parseDuration(first.text) === undefined)
    throw source.error(path, `"${first.text}" is no duration: write 59.999s, 30s, 1h or 1ms`);
}

/** Requests in flight together are judged by their tally alone, so nothing else can stand among them. */
export function checkGroup(
  { source, contract }: CompileContext,
  steps: readonly Step[],
  path: YamlPath,
): void {
  const { composite } = contract.vocabulary;
  for (const [index, step] of steps.entries()) {
    const at = [...path, index];
    if (step.kind !== "operation" || composite.has(step.verb))
      throw source.error(at, "a step of together is one request");
    if (step.expect !== undefined)
      throw source.error([...at, "expect"], "a step of together takes no expect: the tally says it");
  }
}

/** Every name in the members of an operation exists, and a spelling is one. */
export function checkFields(
  { names, row, source, contract }: CompileContext,
  fields: Fields,
  path: YamlPath,
): void {
  const { castFields } = contract.vocabulary;
  for (const [key, value] of Object.entries(fields)) {
    const at = [...path, key];
    if (castFields.includes(key) && typeof value === "string") names.actor(value, at);
    else names.template(value, at);
    if (key === "spelling") {
      const column = /^\$case\.(.+)$/.exec(String(value))?.[1];
      const spelling = String(column === undefined ? value : row[column]);
      if (!SPELLINGS.some((known) => known === spelling))
        throw source.error(at, `"${spelling}" is no spelling${suggestion(spelling, SPELLINGS)}`);
    }
    for (const inner of castFields.filter((field) => field.startsWith(`${key}.`))) {
      const member = inner.slice(key.length + 1);
      const name = value !== null && typeof value === "object" ? (value as Fields)[member] : undefined;
      if (typeof name === "string") names.actor(name, [...at, member]);
    }
  }
}
