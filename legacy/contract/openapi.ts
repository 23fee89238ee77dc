import { PREPARED } from "../engine/data/prepared.ts";
import { readYaml } from "../engine/data/yaml-source.ts";
import { PATHS } from "../paths.ts";
import type { OperationName } from "./operations.ts";

/** A JSON Schema as it stands in the OpenAPI file. */
export type Schema = Readonly<Record<string, unknown>>;

export interface OpenApi {
  readonly info: { readonly version: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

export interface OpenApiOperation {
  readonly operationId: string;
  readonly "x-rule": string;
  readonly "x-statuses-rule"?: string;
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema: Schema }[];
  readonly requestBody?: { readonly "x-max-bytes"?: number };
  readonly responses: Readonly<Record<string, unknown>>;
}

/** The operations of the OpenAPI file, with the schemas of what they take and give. */
export const OPENAPI_OPERATIONS: Readonly<
  Record<OperationName, { readonly id: string; readonly request?: string; readonly response: string }>
> = {
  platform: { id: "getPlatform", response: "PlatformProfile" },
  challenge: { id: "createChallenge", request: "ChallengeRequest", response: "Challenge" },
  verify: { id: "verifyProof", request: "VerifyRequest", response: "Session" },
  build: { id: "buildDraft", request: "LaunchRequest", response: "UnsignedDraft" },
};

/** As what the build prepares what the file holds. */
export const PREPARED_OPENAPI = "openapi";

let parsed: OpenApi | undefined;

/** The HTTP description of the service, read once. @throws {DataError} where the file is no YAML */
export function openapi(): OpenApi {
  parsed ??= (PREPARED.value(PREPARED_OPENAPI, [PATHS.openapi]) ?? readYaml(PATHS.openapi).value) as OpenApi;
  return parsed;
}

/** The entry of an operation. */
export function openapiOperation(name: OperationName): OpenApiOperation {
  const { id } = OPENAPI_OPERATIONS[name];
  const entries = Object.values(openapi().paths).flatMap((methods) => Object.values(methods));
  const found = entries.find(({ operationId }) => operationId === id);
  if (found === undefined) throw new Error(`the OpenAPI file has no operation ${id}`);
  return found;
}
