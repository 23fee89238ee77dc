import { resolve } from "./judge/response-schemas.ts";
import { OPENAPI_OPERATIONS, openapi, openapiOperation, type Schema } from "./openapi.ts";
import type { OperationName } from "./operations.ts";

/** The operations that take a body. */
export type PostOperation = Exclude<OperationName, "platform">;

/** The most that a text may have, by either count; infinite where there is no such bound. */
export interface TextBounds {
  readonly characters: number;
  readonly utf8Bytes: number;
}

/** What a request of an operation holds, as the OpenAPI file has it. */
export interface RequestFields {
  /** Names of the members of the body, in the order of the contract. */
  readonly names: readonly string[];
  readonly bounds: Readonly<Record<string, TextBounds>>;
  /** Of those members whose text must have a form. */
  readonly patterns: ReadonlyMap<string, RegExp>;
  /** The most bytes that the body may have. */
  readonly mostBytes: number;
}

const known = new Map<PostOperation, RequestFields>();

/** The members of an operation's request, with their bounds (contract, "Endpoints", "Launch request" and "Limits"). */
export function requestFields(operation: PostOperation): RequestFields {
  let fields = known.get(operation);
  if (fields === undefined) {
    fields = readFields(operation);
    known.set(operation, fields);
  }
  return fields;
}

function readFields(operation: PostOperation): RequestFields {
  const schema = openapi().components.schemas[OPENAPI_OPERATIONS[operation].request ?? ""];
  const properties = (schema?.["properties"] ?? {}) as Readonly<Record<string, Schema>>;
  const patterns = Object.entries(properties).flatMap(([name, described]) => {
    const { pattern } = resolve(described, openapi().components.schemas) ?? {};
    return typeof pattern === "string" ? [[name, new RegExp(pattern)] as const] : [];
  });
  const bounds = Object.entries(properties).map(([name, described]) => [
    name,
    {
      characters: Number(described["maxLength"] ?? Number.POSITIVE_INFINITY),
      utf8Bytes: Number(described["x-max-utf8-bytes"] ?? Number.POSITIVE_INFINITY),
    },
  ]);
  return {
    names: Object.keys(properties),
    bounds: Object.fromEntries(bounds),
    patterns: new Map(patterns),
    mostBytes: openapiOperation(operation).requestBody?.["x-max-bytes"] ?? Number.POSITIVE_INFINITY,
  };
}

/** Whether a body has a member that its request does not (contract, "no other fields"). */
export function extraMembers(operation: PostOperation, members: Readonly<Record<string, unknown>>): boolean {
  const { names } = requestFields(operation);
  return Object.keys(members).some((name) => !names.includes(name));
}

/** Whether a text has the form that the contract gives the member of a request. */
export function hasForm(operation: PostOperation, name: string, text: string): boolean {
  const pattern = requestFields(operation).patterns.get(name);
  if (pattern === undefined) throw new Error(`no form of ${name} in a request of ${operation} is known`);
  return pattern.test(text);
}

/** The bounds of a text of the launch request. */
export function launchBounds(name: "name" | "symbol" | "uri"): TextBounds {
  const bounds = requestFields("build").bounds[name];
  if (bounds === undefined) throw new Error(`the launch request has no member ${name}`);
  return bounds;
}
