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
    mostBytes: openapiOperation(operation).requestBody?.["x-max-bytes"] ?? Number.POSITIVE_INFINITY,
  };
}

/** Whether a body has a member that its request does not (contract, "no other fields"). */
export function extraMembers(operation: PostOperation, members: Readonly<Record<string, unknown>>): boolean {
  const { names } = requestFields(operation);
  return Object.keys(members).some((name) => !names.includes(name));
}

/** The bounds of a text of the launch request. */
export function launchBounds(name: "name" | "symbol" | "uri"): TextBounds {
  const bounds = requestFields("build").bounds[name];
  if (bounds === undefined) throw new Error(`the launch request has no member ${name}`);
  return bounds;
}
