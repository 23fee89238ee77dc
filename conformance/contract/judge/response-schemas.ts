import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import bs58 from "bs58";
import { readYaml } from "../../engine/data/yaml-source.ts";
import { type Exchange, isObject, type Operation } from "../../engine/play/exchange.ts";
import { type Mismatch, show } from "../../engine/play/judgement.ts";
import { parseTimestamp } from "./timestamp.ts";

type Schema = Readonly<Record<string, unknown>>;

/** What the HTTP description says of answers: schemas, statuses and codes, each with the rule it stands for. */
export interface ResponseSchemas {
  /** Statuses that an operation may answer with; undefined for `other`, where any documented status will do. */
  statuses(operation: Operation): ReadonlySet<number> | undefined;
  /** Rule that a valid request is answered 200. */
  successRule(operation: Operation): string | undefined;
  /** Rule about the list of statuses. */
  statusesRule(operation: Operation): string | undefined;
  /** Codes that the contract lists for an error status; undefined for a status that it does not list. */
  codes(status: number): ReadonlySet<string> | undefined;
  /** Names of the members that the contract gives the operation's answer. */
  fields(operation: Operation): ReadonlySet<string>;
  /** A body of status 200 with the members that the contract gives it, at any depth, and no others. */
  named(operation: Operation, body: Exchange["body"]): Exchange["body"];
  /** Where a body of status 200 departs from its schema. */
  check(operation: Operation, body: unknown): readonly Mismatch[];
}

interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}
interface OpenApiOperation {
  readonly operationId: string;
  readonly "x-rule": string;
  readonly "x-statuses-rule"?: string;
  readonly responses: Readonly<Record<string, unknown>>;
}

const OPERATION_IDS: Readonly<Record<string, Operation>> = {
  getPlatform: "platform",
  createChallenge: "challenge",
  verifyProof: "verify",
  buildDraft: "build",
};
const BODY_SCHEMAS: Readonly<Partial<Record<Operation, string>>> = {
  platform: "PlatformProfile",
  challenge: "Challenge",
  verify: "Session",
  build: "UnsignedDraft",
};

/** Reads the OpenAPI file and compiles its schemas. */
export function loadResponseSchemas(path: string): ResponseSchemas {
  const openapi = readYaml(path).value as OpenApi;
  const { schemas } = openapi.components;
  const operations = new Map<Operation, OpenApiOperation>();
  const statuses = new Map<Operation, ReadonlySet<number>>();
  for (const methods of Object.values(openapi.paths)) {
    for (const operation of Object.values(methods)) {
      const name = OPERATION_IDS[operation.operationId];
      if (name === undefined) continue;
      operations.set(name, operation);
      statuses.set(name, new Set(Object.keys(operation.responses).map(Number)));
    }
  }
  const ajv = newAjv();
  ajv.addSchema({ $id: "contract", components: openapi.components }, "contract");
  const validators = new Map<Operation, ValidateFunction>();
  const fields = new Map<Operation, ReadonlySet<string>>();
  for (const [operation, name] of Object.entries(BODY_SCHEMAS)) {
    validators.set(operation as Operation, ajv.compile({ $ref: `contract#/components/schemas/${name}` }));
    fields.set(operation as Operation, new Set(Object.keys(schemas[name]?.["properties"] ?? {})));
  }
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
    fields: (operation) => fields.get(operation) ?? new Set(),
    named: (operation, body) =>
      namedMembers(body, schemas[BODY_SCHEMAS[operation] ?? ""], schemas) as Exchange["body"],
    check: (operation, body) => {
      const validate = validators.get(operation);
      if (validate === undefined || validate(body)) return [];
      const root = schemas[BODY_SCHEMAS[operation] ?? ""] ?? {};
      return mismatches(validate.errors ?? [], root, schemas, operations.get(operation)?.["x-rule"] ?? "");
    },
  };
}

function newAjv(): Ajv2020 {
  const lenient = { allowUnionTypes: true, strict: false, validateSchema: false };
  const ajv = new Ajv2020({ allErrors: true, verbose: true, ...lenient });
  ajv.addFormat("base58-32", { type: "string", validate: (text) => base58Bytes(text)?.length === 32 });
  ajv.addFormat("base64-standard", { type: "string", validate: isStandardBase64 });
  ajv.addFormat("timestamp", { type: "string", validate: (text) => parseTimestamp(text) !== undefined });
  return ajv;
}

/** Decoding base58 takes time by the square of the length; no key or secret in the contract comes near this. */
const LONGEST_BASE58 = 128;

/** The bytes of a base58 text; undefined where it is none, or far too long for a key. */
export function base58Bytes(text: string): Uint8Array | undefined {
  return text.length > LONGEST_BASE58 ? undefined : bs58.decodeUnsafe(text);
}

/** RFC 4648, section 4: the standard alphabet, padded, nothing else in between. */
export function isStandardBase64(text: string): boolean {
  return /^[A-Za-z0-9+/]+={0,2}$/.test(text) && Buffer.from(text, "base64").toString("base64") === text;
}

/** One mismatch for each place: the first thing that Ajv says of it. */
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
    });
  }
  return [...found.values()];
}

function namedMembers(
  value: unknown,
  described: Schema | undefined,
  schemas: Readonly<Record<string, Schema>>,
): unknown {
  const schema = resolve(described, schemas);
  if (Array.isArray(value))
    return value.map((item) => namedMembers(item, schema?.["items"] as Schema | undefined, schemas));
  const properties = schema?.["properties"] as Readonly<Record<string, Schema>> | undefined;
  if (!isObject(value) || properties === undefined) return value;
  const named = Object.entries(value).filter(([name]) => Object.hasOwn(properties, name));
  return Object.fromEntries(
    named.map(([name, member]) => [name, namedMembers(member, properties[name], schemas)]),
  );
}

/** The `x-rule` that stands nearest to a place in the body. */
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

function resolve(schema: Schema | undefined, schemas: Readonly<Record<string, Schema>>): Schema | undefined {
  const reference = schema?.["$ref"];
  return typeof reference === "string" ? schemas[reference.split("/").at(-1) ?? ""] : schema;
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
      return FORMATS[String(error.params["format"])] ?? String(error.params["format"]);
    default:
      return error.message ?? error.keyword;
  }
}

const FORMATS: Readonly<Record<string, string>> = {
  "base58-32": "base58 of 32 bytes",
  "base64-standard": "base64 in the standard alphabet, padded",
  timestamp: "a moment in a usual form",
};
