import { type Exchange, isObject } from "../../engine/play/exchange.ts";
import { type Advice, type Mismatch, show } from "../../engine/play/judgement.ts";
import { executionRule } from "../execution-path.ts";
import type { JudgeContext } from "./judge-context.ts";
import { base58Bytes, type ResponseSchemas, responseSchemas } from "./response-schemas.ts";

/** Judges what applies to every response: envelope, status, code, and what every body states. */
export function judgeEnvelope(exchange: Exchange, schemas: ResponseSchemas): readonly Mismatch[] {
  const { envelope } = exchange;
  if (!isObject(envelope)) {
    return [
      { rule: "SERVICE-1", path: "envelope", expected: "an object {status, body}", got: show(envelope) },
    ];
  }
  if (exchange.status === undefined) {
    return [{ rule: "SERVICE-1", path: "status", expected: "an integer", got: show(envelope["status"]) }];
  }
  if (!isObject(envelope["body"])) {
    return [{ rule: "SERVICE-1", path: "body", expected: "a JSON object", got: show(envelope["body"]) }];
  }
  const found: Mismatch[] = [...judgeStatus(exchange, exchange.status, schemas)];
  const { body } = exchange;
  if (body["productionApproved"] !== false) {
    const got = show(body["productionApproved"]);
    found.push({ rule: "SERVICE-2", path: "productionApproved", expected: "false", got });
  }
  for (const path of secretPaths(body)) {
    found.push({
      rule: "SERVICE-5",
      path,
      expected: "no private key material in any response",
      got: "present",
    });
  }
  return found;
}

function judgeStatus(exchange: Exchange, status: number, schemas: ResponseSchemas): readonly Mismatch[] {
  const { operation, body } = exchange;
  const allowed = schemas.statuses(operation);
  const statusesRule = schemas.statusesRule(operation);
  if (allowed !== undefined && statusesRule !== undefined && !allowed.has(status)) {
    return [
      {
        rule: statusesRule,
        path: "status",
        expected: `one of ${[...allowed].join(", ")}`,
        got: String(status),
      },
    ];
  }
  if (status === 200) return [];
  const codes = schemas.codes(status);
  if (codes === undefined) {
    return [
      { rule: "ERROR-2", path: "status", expected: "a status that the contract lists", got: String(status) },
    ];
  }
  const { code } = body;
  if (typeof code !== "string")
    return [{ rule: "ERROR-1", path: "code", expected: "a string", got: show(code) }];
  if (codes.has(code)) return [];
  return [{ rule: "ERROR-2", path: "code", expected: `one of ${[...codes].join(", ")}`, got: show(code) }];
}

/** Methods by which a client asks what a server can do, and which servers answer themselves (RFC 9110, 9.3.7 and 9.3.8). */
const SELF_ANSWERED = new Set(["OPTIONS", "TRACE"]);

/**
 * Whether a response over HTTP is that of the framework in front of the service. A framework refuses or redirects in its own
 * words where no operation has the method and path, and may refuse a GET with a body, which has no meaning (RFC 9110,
 * section 9.3.1). The contract shows no server. Routes that would execute something are for the service to refuse.
 */
export function isFrameworkAnswer(
  { operation, request, status = 0, body }: Exchange,
  { overHttp = false }: Pick<JudgeContext, "overHttp">,
): boolean {
  const isOdd = operation === "other" || isGetWithBody(request);
  if (!overHttp || !isOdd || executionRule(request.path) !== undefined) return false;
  const least = operation === "other" ? 300 : 400;
  const refuses = (status >= least && status < 500) || status === 501 || status === 505;
  const informs = SELF_ANSWERED.has(request.method.toUpperCase()) && (status === 200 || status === 204);
  const { code } = body;
  const documented = typeof code === "string" && responseSchemas().codes(status)?.has(code) === true;
  return (refuses || informs) && !documented;
}

/** Judges a framework's response by the rules that still apply, and recommends the error body. */
export function judgeFrameworkAnswer({ operation, status, request, body }: Exchange): {
  readonly mismatches: readonly Mismatch[];
  readonly advice: readonly Advice[];
} {
  const approved = body["productionApproved"];
  const mismatches: Mismatch[] = secretPaths(body).map((path) => ({
    rule: "SERVICE-5",
    path,
    expected: "no private key material in any response",
    got: "present",
  }));
  if (approved !== undefined && approved !== false)
    mismatches.push({
      rule: "SERVICE-2",
      path: "productionApproved",
      expected: "false",
      got: show(approved),
    });
  const where = operation === "other" ? "where no operation is" : "to a GET with a body";
  const message = `the server answers by itself ${where}, without the error body: ${status} to ${request.method}`;
  return { mismatches, advice: [{ rule: "ERROR-40", message }] };
}

function isGetWithBody({ method, body }: Exchange["request"]): boolean {
  return method === "GET" && body !== undefined && body.length > 0;
}

/** A line of a stack trace, its heading, or a line of a source file, in the languages that services are written in. */
const INTERNALS =
  /^\s*at \S.*[(:]|Traceback \(most recent call last\)|^goroutine \d+ \[|panicked at |[\w-]\.(?:[cm]?[jt]sx?|py|go|rs|java|kt|rb|php|cs)(?::\d+|", line \d+)/m;

/** Warns of an error response that shows the internals of the service. */
export function adviseOnError({ body }: Exchange): readonly Advice[] {
  const texts = Object.values(body).filter((value) => typeof value === "string");
  if (!texts.some((text) => INTERNALS.test(text))) return [];
  return [{ rule: "ERROR-22", message: "an error answer shows a stack trace or a place in a source file" }];
}

/** Names under which private key material would be handed out (contract, "What the service does"). */
const SECRET_NAME =
  /^(?:priv(?:ate)?|secret)[-_ ]?keys?$|^mnemonics?$|^seed[-_ ]?phrases?$|^key[-_ ]?pairs?$/i;

/** Maximum number of reported places. */
const MOST_PATHS = 100;

/** Paths of members of a response, up to a depth, that contain a private key or what one is derived from. */
function secretPaths(value: unknown): readonly string[] {
  const found: string[] = [];
  lookInto(value, [], found);
  return found;
}

/** Adds the paths below a value; cheap for lists of millions of entries that are not objects. */
function lookInto(value: unknown, path: readonly string[], found: string[]): void {
  if (path.length > 6 || typeof value !== "object" || value === null) return;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++)
      if (typeof value[index] === "object") lookInto(value[index], [...path, String(index)], found);
    return;
  }
  for (const key in value) {
    const member = (value as Readonly<Record<string, unknown>>)[key];
    if (SECRET_NAME.test(key) && isKeyMaterial(member)) {
      if (found.length < MOST_PATHS) found.push([...path, key].join("."));
    } else if (typeof member === "object") lookInto(member, [...path, key], found);
  }
}

/** Whether a value is 32 or 64 bytes or a mnemonic, rather than words about private keys. */
function isKeyMaterial(value: unknown): boolean {
  if (Array.isArray(value)) return isByteList(value) || isMnemonic(value);
  if (typeof value !== "string") return false;
  const text = value.trim();
  return (
    /^(?:0x)?(?:[0-9a-f]{64}|[0-9a-f]{128})$/i.test(text) ||
    (isMixed(text) && (isKeySize(base58Bytes(text)?.length) || isBase64Key(text))) ||
    text.startsWith("-----BEGIN") ||
    isMnemonic(text.split(/\s+/))
  );
}

function isKeySize(bytes: number | undefined): boolean {
  return bytes === 32 || bytes === 64;
}

function isBase64Key(text: string): boolean {
  return /^[A-Za-z0-9+/_-]{43,86}={0,2}$/.test(text) && isKeySize(Buffer.from(text, "base64").length);
}

/** Digits, capitals and small letters: an encoded key has all three, a name in words does not. */
function isMixed(text: string): boolean {
  return /\d/.test(text) && /[A-Z]/.test(text) && /[a-z]/.test(text);
}

function isByteList(list: readonly unknown[]): boolean {
  return isKeySize(list.length) && list.every((byte) => Number.isInteger(byte) && Number(byte) >>> 8 === 0);
}

/** BIP 39: 12 to 24 words, a multiple of three, of three to eight letters each. */
function isMnemonic(words: readonly unknown[]): boolean {
  return (
    [12, 15, 18, 21, 24].includes(words.length) &&
    words.every((word) => typeof word === "string" && /^[a-z]{3,8}$/.test(word))
  );
}
