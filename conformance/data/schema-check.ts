import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Ajv2020, ErrorObject, Options, ValidateFunction } from "ajv/dist/2020.js";
import { type DataFile, type Path, readDataFile } from "./data-file.ts";
import { isObject, show } from "./json.ts";
import { Memo } from "./memo.ts";
import { nearest } from "./text.ts";

const require = createRequire(import.meta.url);
/** Validators that report every fault, or only the first. */
const validators = new Memo<Ajv2020>();
/** Maximum number of values for which every fault is reported. Ajv's time grows with its square. */
const MAX_VALUES = 20_000;

/** A place where a value does not match a schema. */
interface SchemaFault {
  readonly path: Path;
  readonly message: string;
}

/**
 * Reads a YAML file.
 * @param definition name of a definition of the schema (default: the whole schema)
 * @throws {DataError} with all differences from a JSON Schema (2020-12)
 */
export function readChecked(
  path: string,
  schemaPath: string,
  read = readDataFile,
  definition?: string,
): DataFile {
  const source = read(path);
  checkSchema(source, schemaPath, source.value, definition);
  source.throwFaults();
  return source;
}

/**
 * Checks a value of a file (default: the whole file) against a JSON Schema. Reports a fault for each place
 * that does not match, and returns the places.
 * @param definition name of a definition of the schema (default: the whole schema)
 * @param root path of the value in the file
 */
export function checkSchema(
  source: DataFile,
  schemaPath: string,
  value = source.value,
  definition?: string,
  root: Path = [],
): readonly Path[] {
  const isEmpty = value === null && root.length === 0;
  const faults = isEmpty
    ? [{ path: root, message: "the file is empty" }]
    : findSchemaFaults(value, schemaPath, definition, root);
  for (const { path, message } of faults) source.addFault(path, message);
  // The caller would take the values after the first fault for valid.
  if (faults.length > 0 && isVeryLarge(value)) source.throwFaults();
  return faults.map(({ path }) => path);
}

/**
 * Returns each place where a value does not match a JSON Schema, as {@link checkSchema} does. If the value is
 * very large, returns only the first place.
 */
export function findSchemaFaults(
  value: unknown,
  schemaPath: string,
  definition?: string,
  root: Path = [],
): readonly SchemaFault[] {
  const allErrors = !isVeryLarge(value);
  const ajv = validators.get(String(allErrors), () =>
    newValidator({ allErrors, inlineRefs: false, code: { optimize: false } }),
  );
  if (ajv.getSchema(schemaPath) === undefined) {
    const { $id: _, ...schema } = JSON.parse(readFileSync(schemaPath, "utf8")) as Record<string, unknown>;
    ajv.addSchema(schema, schemaPath);
  }
  const key = definition === undefined ? schemaPath : `${schemaPath}#/$defs/${definition}`;
  const isValid = ajv.getSchema(key) as ValidateFunction;
  if (isValid(value)) return [];
  return reduceChoices(isValid.errors ?? []).map((error) => describe(error, root));
}

/**
 * Creates a validator. Loads Ajv for the first one, because Ajv loads slowly. Skips Ajv's checks of the schemas,
 * for speed. Tests check that the schemas are valid and strict.
 */
export function newValidator(options: Options): Ajv2020 {
  const { Ajv2020 }: typeof import("ajv/dist/2020.js") = require("ajv/dist/2020.js");
  return new Ajv2020({ verbose: true, strict: false, validateSchema: false, ...options });
}

function isVeryLarge(value: unknown): boolean {
  const values = [value];
  // The loop adds the members of each value.
  for (const one of values) {
    if (values.length > MAX_VALUES) return true;
    if (typeof one === "object" && one !== null) for (const member of Object.values(one)) values.push(member);
  }
  return false;
}

/**
 * Replaces the errors of a failed `anyOf` or `oneOf` by those of the alternative that the author probably
 * meant. Ajv reports the errors of all alternatives before the error of the `anyOf` or `oneOf`.
 */
function reduceChoices(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const reduced: ErrorObject[] = [];
  for (const error of errors) {
    if (error.keyword === "if" || error.keyword === "propertyNames") continue;
    if (error.keyword !== "anyOf" && error.keyword !== "oneOf") {
      reduced.push(error);
      continue;
    }
    const { instancePath: at } = error;
    const first = reduced.findIndex(
      (one) => one.instancePath === at || one.instancePath.startsWith(`${at}/`),
    );
    if (first >= 0) reduced.push(...meantErrors(reduced.splice(first), at));
  }
  return reduced;
}

function meantErrors(errors: readonly ErrorObject[], at: string): readonly ErrorObject[] {
  const isWrongType = (error: ErrorObject) => error.keyword === "type" && error.instancePath === at;
  const others = errors.filter((error) => !isWrongType(error));
  const [first] = errors;
  if (others.length > 0 || first === undefined) {
    const [firstValue, ...moreValues] = others.filter(({ keyword }) => VALUE_KEYWORDS.has(keyword));
    return others.filter((error) => error === firstValue || !moreValues.includes(error));
  }
  const types = errors.map(({ params }) => String(params["type"]));
  return [{ ...first, params: { type: types.join() } }];
}

/** Keywords that compare a scalar. If several alternatives fail with them, only the first is reported. */
const VALUE_KEYWORDS: ReadonlySet<string> = new Set(["const", "enum", "pattern"]);

function describe(error: ErrorObject, root: Path): SchemaFault {
  const { params, propertyName } = error;
  const own = error.instancePath.split("/").slice(1).map(toSegment);
  const path = [...root, ...own];
  const unknownKey: unknown = params["additionalProperty"] ?? params["unevaluatedProperty"];
  if (typeof unknownKey === "string") {
    const known = Object.keys((error.parentSchema as { properties?: object }).properties ?? {});
    return { path: [...path, unknownKey], message: unknown("key", unknownKey, known, "", MAX_KEYS) };
  }
  const at = propertyName === undefined ? formatPath(path) : `the key ${show(propertyName)}`;
  return {
    path: propertyName === undefined ? path : [...path, propertyName],
    message: `${at} ${complaint(error)}`,
  };
}

function complaint({ keyword, params, data, parentSchema, message = "is not valid" }: ErrorObject): string {
  const missing = show(params["missingProperty"]);
  switch (keyword) {
    case "required":
      return `has no ${missing}; add it`;
    case "dependentRequired":
      return `has ${show(params["property"])} but no ${missing}; add it`;
    case "false schema":
      return "is not allowed here; remove it";
    case "type": {
      const wanted = String(params["type"]).split(",");
      const isUnquoted =
        wanted.includes("string") && !isObject(data) && !Array.isArray(data) && data !== null;
      const types = wanted.map((type) => TYPE_NAMES[type] ?? type).join(" or ");
      const [example] = (parentSchema?.["examples"] ?? []) as readonly unknown[];
      const advice = example === undefined ? "; put it in quotes" : `; write it like ${example}`;
      return `must be ${types}, got ${given(data)}${isUnquoted ? advice : ""}`;
    }
    case "enum": {
      const allowed = (params["allowedValues"] as readonly unknown[]).map(String);
      return `must be one of ${allowed.join(", ")}, got ${given(data)}`;
    }
    case "const":
      return `must be ${show(params["allowedValue"])}, got ${given(data)}`;
    default:
      return `${message.replace("NOT", "not")}, got ${given(data)}`;
  }
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  array: "a list",
  boolean: "true or false",
  integer: "an integer",
  number: "a number",
  object: "a map",
  string: "a string",
};

function given(value: unknown): string {
  if (typeof value === "string" && value.length > 60) return `${value.length} characters`;
  if (Array.isArray(value)) return value.length === 0 ? "an empty list" : `a list of length ${value.length}`;
  if (isObject(value)) return Object.keys(value).length === 0 ? "an empty map" : "a map";
  return show(value);
}

/** Reads a segment of a JSON Pointer (RFC 6901, section 4). */
function toSegment(text: string): string | number {
  return /^\d+$/.test(text) ? Number(text) : text.replaceAll("~1", "/").replaceAll("~0", "~");
}

function formatPath(path: Path): string {
  const text = path.map((segment) => (typeof segment === "number" ? `[${segment}]` : `.${segment}`)).join("");
  return text === "" ? "the file" : text.replace(/^\./, "");
}

/**
 * Reports a fault if a word of a file is not known.
 * @param kind kind of word, such as `reading`
 * @param where text after the unknown word in the message, such as `of POINT`
 */
export function checkKnown(
  source: DataFile,
  path: Path,
  kind: string,
  word: string,
  known: Iterable<string>,
  where = "",
): void {
  const words = [...known];
  if (!words.includes(word)) source.addFault(path, unknown(kind, word, words, where));
}

/** Maximum number of known words, and of keys of a map, that a message lists. */
const MAX_SHOWN = 8;
const MAX_KEYS = 50;

/**
 * Formats an unknown word: `unknown reading "X" of POINT; did you mean "Y"?` If no known word is similar, lists
 * all known words, unless there are more than `max`.
 */
export function unknown(
  kind: string,
  word: string,
  known: Iterable<string>,
  where = "",
  max = MAX_SHOWN,
): string {
  const words = [...known];
  const meant = nearest(word, words);
  const list = words.length > max || words.length === 0 ? "" : `; use one of ${words.join(", ")}`;
  const advice = meant === undefined ? list : `; did you mean ${show(meant)}?`;
  return `unknown ${kind} ${show(word)}${where === "" ? "" : ` ${where}`}${advice}`;
}
