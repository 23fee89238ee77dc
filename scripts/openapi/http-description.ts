import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { base58Bytes, isStandardBase64 } from "../../legacy/contract/judge/response-schemas.ts";
import { readYaml } from "../../legacy/engine/data/yaml-source.ts";

/** A JSON object of the document. */
export type Node = Readonly<Record<string, unknown>>;

/** An OpenAPI document, with a way to follow its references and to hold values to the schemas in it. */
export interface HttpDescription {
  readonly root: Node;
  /** What a JSON Pointer (RFC 6901) of the document leads to, and its own pointer, references followed. */
  at(pointer: string): { readonly pointer: string; readonly node: Node } | undefined;
  /** What Ajv holds against a value by the schema at a pointer; empty where it fits. */
  faults(schemaPointer: string, value: unknown): readonly string[];
}

/** Reads the OpenAPI document at a path. @throws {DataError} where it cannot be read or is no YAML */
export function readHttpDescription(path: string): HttpDescription {
  const root = readYaml(path).value as Node;
  const ajv = newAjv();
  ajv.addSchema({ $id: "openapi", ...root });
  const compiled = new Map<string, ValidateFunction>();
  const at: HttpDescription["at"] = (pointer) => {
    let node: unknown = root;
    for (const key of pointer.split("/").slice(1)) node = (node as Node | undefined)?.[keyOf(key)];
    if (typeof node !== "object" || node === null) return undefined;
    const reference = (node as Node)["$ref"];
    return typeof reference === "string" && reference.startsWith("#/")
      ? at(reference.slice(1))
      : { pointer, node: node as Node };
  };
  return {
    root,
    at,
    faults: (pointer, value) => {
      const validate = compiled.get(pointer) ?? ajv.compile({ $ref: `openapi#${encodeURI(pointer)}` });
      compiled.set(pointer, validate);
      if (validate(value)) return [];
      return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`.trim());
    },
  };
}

/** A key as a segment of a JSON Pointer. */
export function segment(key: string): string {
  return key.replaceAll("~", "~0").replaceAll("/", "~1");
}

function keyOf(key: string): string {
  return key.replaceAll("~1", "/").replaceAll("~0", "~");
}

/** Ajv with the formats of the contract, and with the document's own word for a limit in bytes. */
function newAjv(): Ajv2020 {
  const ajv = new Ajv2020({ allErrors: true, strict: false });
  ajv.addFormat("base58-32", { type: "string", validate: (text) => base58Bytes(text)?.length === 32 });
  ajv.addFormat("timestamp", true);
  ajv.addFormat("base64-standard", { type: "string", validate: isStandardBase64 });
  ajv.addKeyword({
    keyword: "x-max-utf8-bytes",
    type: "string",
    validate: (limit: number, text: string) => Buffer.byteLength(text) <= limit,
    error: { message: ({ schema }) => `must NOT have more than ${schema} bytes as UTF-8` },
  });
  return ajv;
}
