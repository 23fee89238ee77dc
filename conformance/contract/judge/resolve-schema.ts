import type { Schema } from "../openapi.ts";

/** The schema itself, or the one that it refers to by `$ref`. */
export function resolve(
  schema: Schema | undefined,
  schemas: Readonly<Record<string, Schema>>,
): Schema | undefined {
  const reference = schema?.["$ref"];
  return typeof reference === "string" ? schemas[reference.split("/").at(-1) ?? ""] : schema;
}
