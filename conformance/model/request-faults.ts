/** Finds the faults of a request: reasons to refuse it in every state of the service. */

import type { Request } from "../adapters/adapter.ts";
import { isObject, type JsonObject } from "../adapters/json.ts";
import { MAX_BODY_BYTES } from "../contract/constants.ts";
import type { Exchange } from "../contract/exchange.ts";
import {
  BODY_FIELDS,
  BUILD_CODES,
  CHALLENGE_ID,
  FIELD_CODES,
  IDEMPOTENCY_KEY,
  isExecutionRequest,
  STATUS_OF_CODE,
  TERMS_HASH,
  URI_CODES,
} from "../contract/refusals.ts";
import type { Fault } from "./fault.ts";
import { addressFaults, type Known, launchFaults } from "./launch-faults.ts";
import { decodeSignature } from "./proof.ts";

/** Facts about a service that its platform profile shows. */
export interface Profile extends Pick<Known, "reserved"> {
  readonly termsHash: unknown;
}

export interface AnalyzedRequest {
  readonly faults: readonly Fault[];
  /** Members of the body. Empty if it is not an object. */
  readonly fields: JsonObject;
  /** Whether JSON parsers disagree about the body. The model then ignores refusals. */
  readonly ambiguous: boolean;
  /** Input that an idempotency key is bound to: the fields as a JSON array, or else the body's text. */
  readonly input: string;
  /** The same input, trimmed and in normalization form C, as a lenient service may compare it. */
  readonly normalizedInput: string;
}

type BodyOperation = keyof typeof BODY_FIELDS;

/** Codes for a body that is not an object of the operation's fields. */
const BODY_CODES: Readonly<Record<BodyOperation, readonly string[]>> = {
  challenge: [...FIELD_CODES, "INVALID_CREATOR", "INVALID_JSON_BODY"],
  verify: [...FIELD_CODES, "INVALID_JSON_BODY"],
  build: [...BUILD_CODES, ...URI_CODES, "INVALID_CREATOR", "INVALID_JSON_BODY"],
};

/** Services must accept JSON of this depth. They may limit deeper JSON. */
const MAX_COMMON_DEPTH = 18;

/** Analyzes the request of an exchange without the state of the service. */
export function analyzeRequest(
  { operation, request, status }: Exchange,
  service: Profile & Pick<Known, "facts">,
): AnalyzedRequest {
  const text = textOf(request.body);
  const json = parseJson(text);
  if (operation === "platform" || operation === "other") {
    const isExecution = isExecutionRequest(request);
    const faults = isExecution ? executionFaults(request, json) : pathFaults(operation, request);
    const ambiguous = operation === "other" && !isExecution;
    return { faults, fields: {}, ambiguous, input: text, normalizedInput: text };
  }
  const faults = [
    ...bodyFaults(operation, request, text, json),
    ...fieldFaults(operation, request, json.members, { ...service, isAccepted: status === 200 }),
    ...strayHeaderFaults(operation, request),
  ];
  const isBinary = typeof request.body !== "string" && request.body !== undefined;
  const ambiguous = isBinary || text.startsWith("\uFEFF") || mayRepeatMember(text);
  return { faults, fields: json.members, ambiguous, ...inputOf(operation, text, json, faults) };
}

function textOf(body: Request["body"]): string {
  if (typeof body === "string") return body;
  return body === undefined ? "" : Buffer.from(body).toString("latin1");
}

function sizeOf(body: Request["body"]): number {
  return typeof body === "string" ? Buffer.byteLength(body) : (body?.byteLength ?? 0);
}

interface ParsedJson {
  readonly kind: "invalid" | "object" | "other";
  readonly members: JsonObject;
}

function parseJson(text: string): ParsedJson {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? { kind: "object", members: value } : { kind: "other", members: {} };
  } catch {
    return { kind: "invalid", members: {} };
  }
}

/** Returns whether a member name may occur twice. Parsers then disagree about its value. */
function mayRepeatMember(text: string): boolean {
  const names = [...text.matchAll(/"((?:[^"\\]|\\.)*)"\s*:/g)].map(([, name]) => name);
  return new Set(names).size < names.length;
}

/** Returns an upper bound of the nesting depth. Brackets in strings count. */
function maxDepth(text: string): number {
  let [depth, deepest] = [0, 0];
  for (const character of text) {
    if (character === "[" || character === "{") {
      depth += 1;
      deepest = Math.max(deepest, depth);
    }
    if (character === "]" || character === "}") depth -= 1;
  }
  return deepest;
}

function executionFaults({ body, bearer }: Request, { kind }: ParsedJson): readonly Fault[] {
  const codes = ["NO_EXECUTION_ENDPOINT"];
  if (sizeOf(body) > MAX_BODY_BYTES) codes.push("BODY_TOO_LARGE");
  if (kind !== "object") codes.push("INVALID_JSON_BODY");
  if (bearer !== undefined) codes.push("UNAUTHORIZED");
  return [{ name: "execution", codes, certain: true }];
}

/** The contract does not say how other paths, and a profile request with a body or a header, are answered. */
function pathFaults(operation: Exchange["operation"], request: Request): readonly Fault[] {
  const { bearer, idempotencyKey, body } = request;
  const hasExtras = bearer !== undefined || idempotencyKey !== undefined || body !== undefined;
  if (operation === "platform" && !hasExtras) return [];
  return [{ name: "path", codes: Object.keys(STATUS_OF_CODE), certain: false }];
}

function bodyFaults(
  operation: BodyOperation,
  request: Request,
  text: string,
  { kind, members }: ParsedJson,
): readonly Fault[] {
  const faults: Fault[] = [];
  const codes = BODY_CODES[operation];
  if (sizeOf(request.body) > MAX_BODY_BYTES)
    faults.push({ name: "size", codes: ["BODY_TOO_LARGE"], certain: true });
  if (kind === "invalid")
    faults.push({ name: "json", codes: text === "" ? codes : ["INVALID_JSON_BODY"], certain: true });
  if (kind === "other") faults.push({ name: "not-object", codes, certain: true });
  if (kind !== "object") return faults;
  const names: readonly string[] = BODY_FIELDS[operation];
  if (Object.keys(members).some((name) => !names.includes(name))) {
    const fieldCodes = operation === "build" ? BUILD_CODES : FIELD_CODES;
    faults.push({ name: "extra-field", codes: [...fieldCodes, "INVALID_JSON_BODY"], certain: true });
  }
  if (maxDepth(text) > MAX_COMMON_DEPTH) faults.push({ name: "depth", codes, certain: false });
  for (const name of names) {
    const fault = members[name] === undefined ? `missing ${name}` : `type of ${name}`;
    if (typeof members[name] !== "string") faults.push({ name: fault, codes, certain: true });
  }
  return faults;
}

function fieldFaults(
  operation: BodyOperation,
  request: Request,
  fields: JsonObject,
  known: Known & Profile,
): readonly Fault[] {
  const text = (name: string) => {
    const value = fields[name];
    return typeof value === "string" ? value : undefined;
  };
  switch (operation) {
    case "challenge":
      return [...creatorFaults(text("creator"), known), ...termsFaults(text("termsHash"), known)];
    case "verify":
      return [...idFaults(text("id")), ...signatureFaults(text("signatureBase64"))];
    case "build":
      return [...keyFaults(request.idempotencyKey), ...launchFaults(text, known)];
  }
}

function creatorFaults(creator: string | undefined, known: Known): readonly Fault[] {
  return addressFaults(creator, "creator", [...FIELD_CODES, "INVALID_CREATOR"], known);
}

function termsFaults(hash: string | undefined, { termsHash }: Profile): readonly Fault[] {
  if (hash === undefined || hash === termsHash) return [];
  if (!TERMS_HASH.test(hash)) return [{ name: "form of termsHash", codes: FIELD_CODES, certain: true }];
  return [{ name: "other termsHash", codes: FIELD_CODES, certain: termsHash !== undefined }];
}

function idFaults(id: string | undefined): readonly Fault[] {
  if (id === undefined || CHALLENGE_ID.test(id)) return [];
  return [{ name: "form of id", codes: FIELD_CODES, certain: true }];
}

function signatureFaults(signature: string | undefined): readonly Fault[] {
  if (signature === undefined || decodeSignature(signature) !== undefined) return [];
  return [{ name: "signature", codes: [...FIELD_CODES, "INVALID_PROOF"], certain: true }];
}

function keyFaults(key: string | undefined): readonly Fault[] {
  if (key === undefined) return [{ name: "key missing", codes: ["IDEMPOTENCY_REQUIRED"], certain: true }];
  if (IDEMPOTENCY_KEY.test(key)) return [];
  const isLong = key.length > 8;
  const name = /^[\w-]*$/.test(key) ? (isLong ? "key long" : "key short") : "key alphabet";
  return [{ name, codes: ["IDEMPOTENCY_REQUIRED", ...FIELD_CODES], certain: true }];
}

/** Only a build takes a bearer and a key. Elsewhere, a service may refuse or ignore them. */
function strayHeaderFaults(operation: BodyOperation, request: Request): readonly Fault[] {
  const { bearer, idempotencyKey } = request;
  if (operation === "build" || (bearer === undefined && idempotencyKey === undefined)) return [];
  const codes = ["UNAUTHORIZED", "IDEMPOTENCY_REQUIRED", ...FIELD_CODES];
  return [{ name: "stray header", codes, certain: false }];
}

/** Returns the input for comparison: the fields of a body, or the text if the body is invalid. */
function inputOf(
  operation: BodyOperation,
  text: string,
  { kind, members }: ParsedJson,
  faults: readonly Fault[],
): Pick<AnalyzedRequest, "input" | "normalizedInput"> {
  const isMisshapen = faults.some(({ name }) => /^(?:extra-field|missing |type of )/.test(name));
  if (operation !== "build" || kind !== "object" || isMisshapen)
    return { input: text, normalizedInput: text };
  const values = BODY_FIELDS.build.map((name) => String(members[name]));
  return {
    input: JSON.stringify(values),
    normalizedInput: JSON.stringify(values.map((value) => value.normalize("NFC").trim())),
  };
}

/** Returns the names of the build fields that differ in two inputs. Empty if one is not a field array. */
export function changedFields(input: string, otherInput: string): readonly string[] {
  const [one, other] = [fieldsOfInput(input), fieldsOfInput(otherInput)];
  if (one === undefined || other === undefined) return [];
  return BODY_FIELDS.build.filter((_, index) => one[index] !== other[index]);
}

function fieldsOfInput(input: string): readonly unknown[] | undefined {
  try {
    const value: unknown = JSON.parse(input);
    return Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
