import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename } from "node:path";
import type { Ajv2020, ErrorObject, Options, ValidateFunction } from "ajv/dist/2020.js";
import leven from "leven";
import { givenIn, wantedBy } from "../../adapters/schema-words.ts";
import { DataError } from "./data-error.ts";
import { PREPARED } from "./prepared.ts";
import type { YamlPath } from "./yaml-places.ts";
import type { YamlSource } from "./yaml-source.ts";

const load = createRequire(import.meta.url);
const validators = new Map<string, ValidateFunction>();

/**
 * The compiler of schemas, which takes as long to load as all else: asked for only where something is to be compiled.
 * @throws {DataError} in a package, which has all of it compiled, unless that is not whole
 */
export function newAjv(options: Options): Ajv2020 {
  let library: typeof import("ajv/dist/2020.js");
  try {
    library = load("ajv/dist/2020.js");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "MODULE_NOT_FOUND") throw error;
    throw new DataError(
      PREPARED.folder,
      "something in it is missing or was changed; install the package again",
    );
  }
  return new library.Ajv2020(options);
}

/** As what the validator of a schema is prepared. */
export function preparedValidator(schemaPath: string): string {
  return `validate-${basename(schemaPath)}`;
}

/** Compiles the schema of a file. */
export function compileSchema(schemaPath: string, options: Options = {}) {
  // That the kit's own schemas are schemas is for its tests to see: it takes longer than to check all vectors.
  const ajv = newAjv({
    allErrors: true,
    allowUnionTypes: true,
    verbose: true,
    validateSchema: false,
    ...options,
  });
  return { ajv, validate: ajv.compile(JSON.parse(readFileSync(schemaPath, "utf8")) as object) };
}

/** Compiling a schema costs more than any file that is checked against it: once is enough. */
function validatorOf(schemaPath: string): ValidateFunction {
  let validate = validators.get(schemaPath);
  if (validate === undefined) {
    const prepared = PREPARED.module(preparedValidator(schemaPath), [schemaPath]);
    validate = (prepared as ValidateFunction | undefined) ?? compileSchema(schemaPath).validate;
    validators.set(schemaPath, validate);
  }
  return validate;
}

/**
 * Checks a YAML file against a JSON Schema (2020-12).
 * @throws {DataError} for the deepest fault found, with its file:line:column and a guess at the slip
 */
export function checkSchema(source: YamlSource, schemaPath: string): void {
  const fault = schemaFault(source.value, schemaPath);
  if (fault !== undefined) throw source.error(fault.path, fault.message);
}

/** The deepest fault of a value held against a JSON Schema (2020-12), with a guess at the slip; undefined where it has none. */
export function schemaFault(
  value: unknown,
  schemaPath: string,
): { readonly path: YamlPath; readonly message: string } | undefined {
  const validate = validatorOf(schemaPath);
  if (validate(value)) return undefined;
  const fault = mostTelling(withTypesTogether(validate.errors ?? []));
  return { path: faultPath(fault), message: describe(fault) };
}

/**
 * Where a value may be of several types, each a form with more to it, says what a list of types would: that it is of none
 * of them, or, where it is of one, nothing of the others.
 */
function withTypesTogether(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  let left = errors;
  for (const choice of errors.filter(({ keyword }) => keyword === "anyOf")) {
    const others = errors.filter(
      ({ keyword, schemaPath, instancePath }) =>
        keyword === "type" &&
        instancePath === choice.instancePath &&
        schemaPath.startsWith(`${choice.schemaPath}/`),
    );
    const [first] = others;
    left = left.filter((error) => !others.includes(error));
    if (first !== undefined && others.length === (choice.schema as readonly unknown[]).length) {
      const type = others.map(({ params }) => String(params["type"])).join(",");
      left = [...left.filter((error) => error !== choice), { ...first, params: { type } }];
    }
  }
  return left;
}

/** Of all the faults that Ajv found, the one to show: the deepest, an unknown key before a missing alternative. */
function mostTelling(errors: readonly ErrorObject[]): ErrorObject {
  const weight = (error: ErrorObject): number => {
    const depth = error.instancePath.split("/").length * 10;
    if (error.keyword === "additionalProperties" || error.keyword === "unevaluatedProperties")
      return depth + 8;
    if (["oneOf", "anyOf", "if", "not"].includes(error.keyword)) return depth - 9;
    return depth + (error.keyword === "required" ? 2 : 5);
  };
  const sorted = [...errors].sort((a, b) => weight(b) - weight(a));
  const first = sorted[0];
  if (first === undefined) throw new Error("a failed schema check without an error");
  return first;
}

function faultPath(error: ErrorObject): YamlPath {
  const path: (string | number)[] = error.instancePath
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"))
    .map((part) => (/^\d+$/.test(part) ? Number(part) : part));
  const extra: unknown =
    error.params["additionalProperty"] ?? error.params["unevaluatedProperty"] ?? error.params["propertyName"];
  return typeof extra === "string" ? [...path, extra] : path;
}

function describe(error: ErrorObject): string {
  const unknown: unknown = error.params["additionalProperty"] ?? error.params["unevaluatedProperty"];
  if (typeof unknown === "string") {
    const known = Object.keys((error.parentSchema as { properties?: object } | undefined)?.properties ?? {});
    return `unknown key "${unknown}"${suggestion(unknown, known)}`;
  }
  const at = error.instancePath === "" ? "the file" : faultPath({ ...error, params: {} }).join(".");
  const { missingProperty, property } = error.params as Readonly<Record<string, unknown>>;
  switch (error.keyword) {
    case "enum":
      return `${JSON.stringify(error.data)} is not ${wantedBy(error)}`;
    case "required":
      return `${at} lacks "${missingProperty}"`;
    case "dependentRequired":
      return `${at} lacks "${missingProperty}", which goes with "${property}"`;
    case "propertyNames":
      return `"${error.params["propertyName"]}" is no name that may stand here`;
    case "false schema":
      return `${at} may not stand here`;
    default: {
      const inName = error.propertyName === undefined ? at : `the name "${error.propertyName}"`;
      return `${inName} must be ${wantedBy(error)}, not ${givenIn(error.data)}`;
    }
  }
}

/** ` (did you mean "x"?)` where a known name is close to the unknown one, else nothing. */
export function suggestion(unknown: string, known: Iterable<string>): string {
  let best: string | undefined;
  let least = Math.max(2, Math.floor(unknown.length / 3)) + 1;
  for (const name of known) {
    const distance = leven(unknown.toLowerCase(), name.toLowerCase());
    if (distance < least) [best, least] = [name, distance];
  }
  return best === undefined ? "" : ` (did you mean "${best}"?)`;
}
