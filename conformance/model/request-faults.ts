/** Finds the faults of a request: reasons for a refusal in every state of the service. */

import type { Request } from "../adapters/adapter.ts";
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
import { isObject, type JsonObject, parseJson } from "../data/json.ts";
import { certainly, type Fault, possibly } from "./fault.ts";
import { addressFaults, type Known, launchFaults } from "./launch-faults.ts";
import { decodeSignature } from "./proof.ts";

/** Facts about a service that come from its platform profile. */
export interface Profile extends Pick<Known, "reserved"> {
  readonly termsHash: unknown;
}

export interface AnalyzedRequest {
  readonly faults: readonly Fault[];
  /** Members of the body. Empty if it is not an object. */
  readonly fields: JsonObject;
  /** Whether parsers disagree about the body, or the path is unlisted. If so, the response is not judged. */
  readonly ambiguous: boolean;
  /** Input that an idempotency key is bound to: the fields as a JSON array, or else the body's text. */
  readonly input: string;
  /** The input with trimmed values in Unicode form NFC. A lenient service may compare inputs in this form. */
  readonly normalizedInput: string;
}

type BodyOperation = keyof typeof BODY_FIELDS;
type UnknownParts = NonNullable<Exchange["unknown"]>;
const ALL_KNOWN: UnknownParts = new Set();

/** Codes for a body that is not an object with exactly the operation's fields. */
const BODY_CODES: Readonly<Record<BodyOperation, readonly string[]>> = {
  challenge: [...FIELD_CODES, "INVALID_CREATOR", "INVALID_JSON_BODY"],
  verify: [...FIELD_CODES, "INVALID_JSON_BODY"],
  build: [...BUILD_CODES, ...URI_CODES, "INVALID_CREATOR", "INVALID_JSON_BODY"],
};

/** JSON escapes of a surrogate pair, and of one half. */
const SURROGATE_PAIR = /\\ud[89ab]..\\ud[c-f]../gi;
const SURROGATE = /\\ud[89a-f]/i;

/** Services must accept JSON up to this depth. They may refuse deeper JSON. */
const MAX_COMMON_DEPTH = 18;

/** Analyzes the request of an exchange without the state of the service. */
export function analyzeRequest(
  { operation, request, input, status, unknown = ALL_KNOWN }: Exchange,
  service: Profile & Pick<Known, "facts">,
): AnalyzedRequest {
  const isBodyKnown = !unknown.has("body");
  const text = textOf(request.body);
  const json = parseJson(text);
  if (operation === "platform" || operation === "other") {
    const isExecution = isExecutionRequest(request);
    const faults = isExecution
      ? executionFaults(request, json, unknown)
      : pathFaults(operation, request, unknown);
    const ambiguous = operation === "other" && !isExecution;
    return { faults, fields: {}, ambiguous, input: text, normalizedInput: text };
  }
  const fields = isObject(json) ? json : {};
  const faults = [
    ...(isBodyKnown
      ? bodyFaults(operation, request, text, json)
      : possibly("unknown body", [...BODY_CODES[operation], "BODY_TOO_LARGE"])),
    ...(unknown.has("key") ? possibly("unknown key", KEY_CODES) : keyFaults(operation, request)),
    ...fieldFaults(operation, fields, { ...service, isAccepted: status === 200 }),
    ...strayHeaderFaults(operation, request, unknown),
  ];
  const isBinary = typeof request.body !== "string" && request.body !== undefined;
  // Only the other parts of a build show something if its body is unknown.
  const isUnread = !isBodyKnown && operation !== "build";
  const mayRepeat = input === undefined && mayRepeatMember(text);
  const ambiguous = isUnread || isBinary || text.startsWith("\uFEFF") || mayRepeat;
  return { faults, fields, ambiguous, ...inputOf(operation, text, json) };
}

function textOf(body: Request["body"]): string {
  if (typeof body === "string") return body;
  return body === undefined ? "" : Buffer.from(body).toString("latin1");
}

function sizeOf(body: Request["body"]): number {
  return typeof body === "string" ? Buffer.byteLength(body) : (body?.byteLength ?? 0);
}

/** Returns whether a member name may occur twice. Parsers then disagree about its value. */
function mayRepeatMember(text: string): boolean {
  const names = [...text.matchAll(/"((?:[^"\\]|\\.)*)"\s*:/g)].map(([, name]) => name);
  return new Set(names).size < names.length;
}

/** Returns an upper bound of the nesting depth. Brackets in strings count. */
function maxDepth(text: string): number {
  let [depth, deepest] = [0, 0];
  for (const [bracket] of text.matchAll(/[[\]{}]/g)) {
    depth += bracket === "[" || bracket === "{" ? 1 : -1;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}

function executionFaults({ body, bearer }: Request, json: unknown, unknown: UnknownParts): readonly Fault[] {
  const codes = ["NO_EXECUTION_ENDPOINT"];
  if (sizeOf(body) > MAX_BODY_BYTES || unknown.has("body")) codes.push("BODY_TOO_LARGE");
  if (!isObject(json)) codes.push("INVALID_JSON_BODY");
  if (bearer !== undefined || unknown.has("bearer")) codes.push("UNAUTHORIZED");
  return certainly("execution", codes);
}

/** The contract defines no response to unlisted paths, or to a profile request with a body or a header. */
function pathFaults(
  operation: Exchange["operation"],
  { bearer, idempotencyKey, body }: Request,
  { size }: UnknownParts,
): readonly Fault[] {
  const hasExtras = bearer !== undefined || idempotencyKey !== undefined || body !== undefined || size > 0;
  return operation === "platform" && !hasExtras ? [] : possibly("path", [...STATUS_OF_CODE.keys()]);
}

function bodyFaults(
  operation: BodyOperation,
  request: Request,
  text: string,
  json: unknown,
): readonly Fault[] {
  const codes = BODY_CODES[operation];
  const size = sizeOf(request.body) > MAX_BODY_BYTES ? certainly("size", ["BODY_TOO_LARGE"]) : [];
  if (json === undefined) return [...size, ...certainly("json", text === "" ? codes : ["INVALID_JSON_BODY"])];
  if (!isObject(json)) return [...size, ...certainly("not-object", codes)];
  const names: readonly string[] = BODY_FIELDS[operation];
  const fieldCodes = operation === "build" ? BUILD_CODES : FIELD_CODES;
  const hasExtraField = Object.keys(json).some((name) => !names.includes(name));
  return [
    ...size,
    ...(hasExtraField ? certainly("extra-field", [...fieldCodes, "INVALID_JSON_BODY"]) : []),
    ...(maxDepth(text) > MAX_COMMON_DEPTH ? possibly("depth", codes) : []),
    // Some parsers refuse a text with a lone surrogate (RFC 8259, section 8.2).
    ...(SURROGATE.test(text) && SURROGATE.test(text.replace(SURROGATE_PAIR, ""))
      ? possibly("lone surrogate", codes)
      : []),
    ...names
      .filter((name) => typeof json[name] !== "string")
      .flatMap((name) => certainly(`${json[name] === undefined ? "missing" : "type of"} ${name}`, codes)),
  ];
}

function fieldFaults(operation: BodyOperation, fields: JsonObject, known: Known & Profile): readonly Fault[] {
  const text = (name: string) => {
    const value = fields[name];
    return typeof value === "string" ? value : undefined;
  };
  if (operation === "build") return launchFaults(text, known);
  if (operation === "challenge")
    return [
      ...addressFaults(text("creator"), "creator", [...FIELD_CODES, "INVALID_CREATOR"], known),
      ...termsFaults(text("termsHash"), known),
    ];
  const [id, signature] = [text("id"), text("signatureBase64")];
  const hasSignature = signature === undefined || decodeSignature(signature) !== undefined;
  return [
    ...(id === undefined || CHALLENGE_ID.test(id) ? [] : certainly("form of id", FIELD_CODES)),
    ...(hasSignature ? [] : certainly("signature", [...FIELD_CODES, "INVALID_PROOF"])),
  ];
}

function termsFaults(hash: string | undefined, { termsHash }: Profile): readonly Fault[] {
  if (hash === undefined || hash === termsHash) return [];
  if (!TERMS_HASH.test(hash)) return certainly("form of termsHash", FIELD_CODES);
  return [{ name: "other termsHash", codes: FIELD_CODES, certain: termsHash !== undefined }];
}

const KEY_CODES = ["IDEMPOTENCY_REQUIRED", ...FIELD_CODES];

function keyFaults(operation: BodyOperation, { idempotencyKey: key }: Request): readonly Fault[] {
  if (operation !== "build") return [];
  if (key === undefined) return certainly("key missing", ["IDEMPOTENCY_REQUIRED"]);
  if (IDEMPOTENCY_KEY.test(key)) return [];
  const length = key.length > 8 ? "key long" : "key short";
  const name = /^[\w-]*$/.test(key) ? length : "key alphabet";
  return certainly(name, KEY_CODES);
}

/** Only a build takes a bearer and a key. In other requests, a service may refuse or ignore them. */
function strayHeaderFaults(
  operation: BodyOperation,
  { bearer, idempotencyKey }: Request,
  unknown: UnknownParts,
): readonly Fault[] {
  const hasBearer = bearer !== undefined || unknown.has("bearer");
  const hasKey = idempotencyKey !== undefined || unknown.has("key");
  if (operation === "build" || !(hasBearer || hasKey)) return [];
  return possibly("stray header", ["UNAUTHORIZED", "IDEMPOTENCY_REQUIRED", ...FIELD_CODES]);
}

/** Returns the input of a key: the five fields of a build, or the text of a body with other members. */
function inputOf(operation: BodyOperation, text: string, json: unknown) {
  const names: readonly string[] = BODY_FIELDS[operation];
  const isWellShaped =
    isObject(json) &&
    Object.keys(json).every((name) => names.includes(name)) &&
    names.every((name) => typeof json[name] === "string");
  if (operation !== "build" || !isWellShaped) return { input: text, normalizedInput: text };
  const values = names.map((name) => String(json[name]));
  return {
    input: JSON.stringify(values),
    normalizedInput: JSON.stringify(values.map((value) => value.normalize("NFC").trim())),
  };
}

/** Returns the names of the build fields that differ in two inputs. Empty if an input is not a JSON array. */
export function changedFields(input: string, otherInput: string): readonly string[] {
  const [one, other] = [parseJson(input), parseJson(otherInput)];
  if (!Array.isArray(one) || !Array.isArray(other)) return [];
  return BODY_FIELDS.build.filter((_, index) => one[index] !== other[index]);
}
