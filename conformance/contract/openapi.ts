/** The OpenAPI description of the contract, the source of routes, statuses, codes, schemas, and limits. */
import { join } from "node:path";
import { readDataFile } from "../data/data-file.ts";
import { DATA_FOLDER, readCompiled } from "../data/kit-files.ts";

/** The part of a JSON Schema (2020-12) that the kit reads itself. */
export interface Schema {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly enum?: readonly string[];
  readonly const?: unknown;
  readonly type?: string;
  readonly format?: string;
  readonly pattern?: string;
  /** Maximum number of bytes of the text in UTF-8. */
  readonly "x-max-utf8-bytes"?: number;
  /** ID of the rule that a response violates if it does not match this schema. */
  readonly "x-rule"?: string;
}

interface JsonContent {
  readonly content: { readonly "application/json": { readonly schema: Schema } };
}

export interface OpenApiOperation {
  readonly operationId: string;
  /** Maximum number of new entries of one creator in a minute. */
  readonly "x-new-per-minute"?: number;
  readonly requestBody?: { readonly "x-max-bytes": number };
  /** ID of the rule that requires a valid request to succeed. */
  readonly "x-rule": string;
  /** ID of the rule about the statuses of the operation. */
  readonly "x-statuses-rule"?: string;
  readonly responses: { readonly "200": JsonContent } & Readonly<Record<string, object>>;
}

interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const FILE = join(DATA_FOLDER, "contract", "openapi.yaml");

/** The OpenAPI file. @throws {DataError} on import of this module, if the file is not YAML */
export const OPEN_API = readCompiled(FILE, () => readDataFile(FILE).value as OpenApi);

/** Returns the target of a schema's `$ref`, or the schema itself if it has no `$ref`. */
export function resolveSchema(schema: Schema = {}): Schema {
  return schema.$ref === undefined ? schema : schemaOf(schema.$ref.slice(schema.$ref.lastIndexOf("/") + 1));
}

/** Returns a schema by name. */
export function schemaOf(name: string): Schema {
  return OPEN_API.components.schemas[name] ?? {};
}

/** Returns the route of an operation. @throws {Error} if no operation has this ID */
export function routeOf(id: string): { readonly method: string; readonly path: string } {
  for (const [path, methods] of Object.entries(OPEN_API.paths))
    for (const [method, operation] of Object.entries(methods))
      if (operation.operationId === id) return { method: method.toUpperCase(), path };
  throw new Error(`the OpenAPI file must describe the operation ${id}`);
}
