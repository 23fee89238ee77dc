import type { ErrorObject, Format, Options, ValidateFunction } from "ajv/dist/2020.js";
import bs58 from "bs58";
import { wantedBy } from "../../adapters/schema-words.ts";
import { PREPARED } from "../../engine/data/prepared.ts";
import { newAjv } from "../../engine/data/schema.ts";
import { type Exchange, isObject } from "../../engine/play/exchange.ts";
import { type Mismatch, show } from "../../engine/play/judgement.ts";
import { PATHS } from "../../paths.ts";
import {
  OPENAPI_OPERATIONS,
  type OpenApiOperation,
  openapi,
  openapiOperation,
  type Schema,
} from "../openapi.ts";
import type { OperationName } from "../operations.ts";
import { remembered } from "../remembered.ts";

/** The responses that the OpenAPI file describes: schemas, statuses and codes, each with its rule. */
export interface ResponseSchemas {
  /** Statuses that an operation may answer with; undefined for `other`, where any documented status will do. */
  statuses(operation: string): ReadonlySet<number> | undefined;
  /** Rule that a valid request is answered 200. */
  successRule(operation: string): string | undefined;
  /** Rule about the list of statuses. */
  statusesRule(operation: string): string | undefined;
  /** Codes that the contract lists for an error status; undefined for a status that it does not list. */
  codes(status: number): ReadonlySet<string> | undefined;
  /** Names of the members that the contract gives the operation's answer, or an object in it; `*` is every item of a list. */
  fields(operation: string, path?: readonly string[]): ReadonlySet<string>;
  /** The schema of a member of the operation's answer. */
  member(operation: string, path: readonly string[]): Schema | undefined;
  /** Names of the members of every error answer. */
  readonly errorFields: ReadonlySet<string>;
  /** A body of status 200 with the members that the contract gives it, at any depth, and no others. */
  named(operation: string, body: Exchange["body"]): Exchange["body"];
  /** The places where a body of status 200 does not match its schema. */
  check(operation: string, body: unknown): readonly Mismatch[];
}

let loaded: ResponseSchemas | undefined;

/** The responses that the OpenAPI file describes, compiled once. @throws {DataError} where the file is not YAML */
export function responseSchemas(): ResponseSchemas {
  loaded ??= compileSchemas();
  return loaded;
}

function compileSchemas(): ResponseSchemas {
  const { components } = openapi();
  const { schemas } = components;
  const operations = new Map<string, OpenApiOperation>();
  const statuses = new Map<string, ReadonlySet<number>>();
  for (const name of Object.keys(OPENAPI_OPERATIONS) as OperationName[]) {
    const operation = openapiOperation(name);
    operations.set(name, operation);
    statuses.set(name, new Set(Object.keys(operation.responses).map(Number)));
  }
  const validators = responseValidators(FORMAT_CHECKS);
  const responses = new Map<string, Schema | undefined>();
  const shapes = new Map<string, Named>();
  for (const [operation, { response }] of Object.entries(OPENAPI_OPERATIONS)) {
    responses.set(operation, schemas[response]);
    shapes.set(operation, namedIn(schemas[response], schemas));
  }
  const fields = new Map<string, ReadonlySet<string>>();
  const fieldsAt = (operation: string, path: readonly string[] = []) => {
    const place = [operation, ...path].join(" ");
    let names = fields.get(place);
    if (names === undefined) {
      names = memberNames(schemaAt(responses.get(operation), path, schemas));
      fields.set(place, names);
    }
    return names;
  };
  const codes = new Map<number, ReadonlySet<string>>();
  for (const [name, schema] of Object.entries(schemas)) {
    const status = /^Error(\d{3})$/.exec(name)?.[1];
    const properties = schema["properties"] as { code?: { enum?: string[] } } | undefined;
    if (status !== undefined) codes.set(Number(status), new Set(properties?.code?.enum ?? []));
  }
  return {
    statuses: (operation) => statuses.get(operation),
    successRule: (operation) => operations.get(operation)?.["x-rule"],
    statusesRule: (operation) => operations.get(operation)?.["x-statuses-rule"],
    codes: (status) => codes.get(status),
    fields: fieldsAt,
    member: (operation, path) => schemaAt(responses.get(operation), path, schemas),
    errorFields: memberNames(schemas["Error400"]),
    named: (operation, body) => (shapes.get(operation)?.(body) ?? body) as Exchange["body"],
    check: (operation, body) => {
      const validate = validators[operation];
      if (validate === undefined || validate(body)) return [];
      const root = responses.get(operation) ?? {};
      return mismatches(validate.errors ?? [], root, schemas, operations.get(operation)?.["x-rule"] ?? "");
    },
  };
}

/** The formats that the OpenAPI file names. */
export const FORMAT_CHECKS: Formats = {
  "base58-32": { type: "string", validate: (text) => base58Bytes(text)?.length === 32 },
  "base64-standard": { type: "string", validate: isStandardBase64 },
  // Any form is legal: the value is judged with the lifetime.
  timestamp: true,
};

/** Maximum length, since decoding base58 takes quadratic time; keys are much shorter. */
const LONGEST_BASE58 = 128;

/** The bytes of a base58 text; undefined where it is not base58, or far too long for a key. */
export function base58Bytes(text: string): Uint8Array | undefined {
  return text.length > LONGEST_BASE58 ? undefined : decoded(text);
}

/** Remembered, since most responses have the same keys. */
const decoded = remembered(5000, (text) => bs58.decodeUnsafe(text));

/** Base64, without a check of its padding (RFC 4648, section 4). */
export const BASE64_FORM = /^[A-Za-z0-9+/]+={0,2}$/;

/** Whether a text is base64 in the standard alphabet, padded, with nothing in between (RFC 4648, section 4). */
export function isStandardBase64(text: string): boolean {
  return BASE64_FORM.test(text) && Buffer.from(text, "base64").toString("base64") === text;
}

/** The first error of Ajv at each place. */
function mismatches(
  errors: readonly ErrorObject[],
  root: Schema,
  schemas: Readonly<Record<string, Schema>>,
  fallback: string,
): readonly Mismatch[] {
  const found = new Map<string, Mismatch>();
  for (const error of errors) {
    if (error.keyword === "if") continue;
    const missing: unknown = error.params["missingProperty"];
    const segments = error.instancePath.split("/").slice(1);
    if (typeof missing === "string") segments.push(missing);
    const path = segments.join(".");
    if (found.has(path) || error.schemaPath.includes("/contains/")) continue;
    found.set(path, {
      rule: ruleAt(root, segments, schemas) ?? fallback,
      path: path === "" ? "body" : path,
      expected: expectation(error),
      got: typeof missing === "string" ? "absent" : show(error.data),
      ...(error.keyword === "required" || error.keyword === "type" ? { shape: true } : {}),
    });
  }
  return [...found.values()];
}

function memberNames(schema: Schema | undefined): ReadonlySet<string> {
  return new Set(Object.keys((schema?.["properties"] as Schema | undefined) ?? {}));
}

/** The schema at a path in the body. */
function schemaAt(
  root: Schema | undefined,
  path: readonly string[],
  schemas: Readonly<Record<string, Schema>>,
): Schema | undefined {
  return path.reduce<Schema | undefined>((schema, segment) => {
    const properties = schema?.["properties"] as Readonly<Record<string, Schema>> | undefined;
    return resolve(
      segment === "*" ? (schema?.["items"] as Schema | undefined) : properties?.[segment],
      schemas,
    );
  }, root);
}

/** The `x-rule` nearest to a place in the body. */
function ruleAt(
  root: Schema,
  segments: readonly string[],
  schemas: Readonly<Record<string, Schema>>,
): string | undefined {
  let schema: Schema | undefined = root;
  let rule = schema["x-rule"] as string | undefined;
  for (const segment of segments) {
    schema = resolve(schema, schemas);
    const properties = schema?.["properties"] as Record<string, Schema> | undefined;
    schema = properties?.[segment] ?? (schema?.["items"] as Schema | undefined);
    rule = (schema?.["x-rule"] as string | undefined) ?? rule;
  }
  return rule;
}

function expectation(error: ErrorObject): string {
  switch (error.keyword) {
    case "const":
      return show(error.params["allowedValue"]);
    case "enum":
      return `one of ${(error.params["allowedValues"] as unknown[]).map((value) => show(value)).join(", ")}`;
    case "required":
      return "present";
    case "contains":
      return `an entry of each kind: pool, mint, baseVault, quoteVault`;
    case "format":
      return FORMATS[String(error.params["format"])] ?? wantedBy(error);
    default:
      return wantedBy(error);
  }
}

const FORMATS: Readonly<Record<string, string>> = {
  "base58-32": "base58 of 32 bytes",
  "base64-standard": "base64 in the standard alphabet, padded",
};

/** Returns a value without the members that a schema does not name, at any depth: the value itself where it has none. */
type Named = (value: unknown) => unknown;

/** The {@link Named} of a schema; values that it does not describe as an object or a list stay as they are. */
function namedIn(described: Schema | undefined, schemas: Readonly<Record<string, Schema>>): Named {
  const schema = resolve(described, schemas);
  const items = schema?.["items"] as Schema | undefined;
  const properties = schema?.["properties"] as Readonly<Record<string, Schema>> | undefined;
  if (items === undefined && properties === undefined) return (value) => value;
  const item = items === undefined ? undefined : namedIn(items, schemas);
  const members = new Map(
    Object.entries(properties ?? {}).map(([name, member]) => [name, namedIn(member, schemas)]),
  );
  return (value) => {
    if (Array.isArray(value)) return item === undefined ? value : namedItems(value, item);
    return isObject(value) && properties !== undefined ? namedOf(value, members) : value;
  };
}

function namedItems(list: readonly unknown[], item: Named): readonly unknown[] {
  const named = list.map(item);
  return named.every((one, index) => one === list[index]) ? list : named;
}

function namedOf(
  value: Readonly<Record<string, unknown>>,
  members: ReadonlyMap<string, Named>,
): Readonly<Record<string, unknown>> {
  const named: Record<string, unknown> = {};
  let same = true;
  for (const name of Object.keys(value)) {
    const member = members.get(name);
    if (member === undefined) same = false;
    else {
      named[name] = member(value[name]);
      same &&= named[name] === value[name];
    }
  }
  return same ? value : named;
}

/** The schema itself, or the one that it refers to by `$ref`. */
export function resolve(
  schema: Schema | undefined,
  schemas: Readonly<Record<string, Schema>>,
): Schema | undefined {
  const reference = schema?.["$ref"];
  return typeof reference === "string" ? schemas[reference.split("/").at(-1) ?? ""] : schema;
}

/**
 * Whether bytes contain a text in UTF-8. The text is encoded first: a search for half a surrogate pair aborts the process on
 * some versions of Node.
 */
export function holdsText(bytes: Uint8Array, text: string): boolean {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes(Buffer.from(text));
}

/** Name under which the build prepares the validators: a function of {@link Formats}. */
export const PREPARED_RESPONSES = "validate-responses";

/** By name, the check of a format of the OpenAPI file; true where any text is legal. */
type Formats = Readonly<Record<string, Format>>;

/** By operation, the validator of its successful response. */
export type ResponseValidators = Readonly<Record<string, ValidateFunction>>;

/** The validators, prepared by the build where the OpenAPI file has not changed since. */
function responseValidators(formats: Formats): ResponseValidators {
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
