import type { Format, Options, ValidateFunction } from "ajv/dist/2020.js";
import { PREPARED } from "../../engine/data/prepared.ts";
import { newAjv } from "../../engine/data/schema.ts";
import { PATHS } from "../../paths.ts";
import { OPENAPI_OPERATIONS, openapi } from "../openapi.ts";

/** As what the build prepares the validators: a function that makes them of {@link Formats}. */
export const PREPARED_RESPONSES = "validate-responses";

/** What checks a format that the OpenAPI file names; true where any text will do. */
export type Formats = Readonly<Record<string, Format>>;

/** By operation, what holds its successful answer against its schema. */
export type ResponseValidators = Readonly<Record<string, ValidateFunction>>;

/** The validators of the OpenAPI file as it stands. */
export function responseValidators(formats: Formats): ResponseValidators {
  type Make = (formats: Formats) => ResponseValidators;
  const make = PREPARED.module(PREPARED_RESPONSES, [PATHS.openapi]) as Make | undefined;
  return make === undefined ? compileResponses(formats).validators : make(formats);
}

/** Compiles them; the compiler knows each by the name of its operation. */
export function compileResponses(formats: Formats, options: Options = {}) {
  const lenient = { allowUnionTypes: true, strict: false, strictNumbers: true, validateSchema: false };
  const ajv = newAjv({ allErrors: true, verbose: true, ...lenient, ...options });
  for (const [name, format] of Object.entries(formats)) ajv.addFormat(name, format);
  ajv.addSchema({ $id: "contract", components: openapi().components }, "contract");
  const validators: Record<string, ValidateFunction> = {};
  for (const [operation, { response }] of Object.entries(OPENAPI_OPERATIONS)) {
    ajv.addSchema({ $ref: `contract#/components/schemas/${response}` }, operation);
    validators[operation] = ajv.getSchema(operation) as ValidateFunction;
  }
  return { ajv, validators };
}
