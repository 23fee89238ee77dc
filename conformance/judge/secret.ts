import type { Exchange } from "../contract/exchange.ts";
import { base58Bytes, keyPairFrom } from "../contract/key-pair.ts";
import { memberNamesOf } from "../contract/response-schemas.ts";
import { isObject, type JsonObject } from "../data/json.ts";
import { Memo } from "../data/memo.ts";
import type { Owners } from "./owners.ts";

/** Member names for private key material (contract, "What the service does"). */
const SECRET_NAME =
  /(?:priv(?:ate)?|secret)[-_ ]?keys?[-_ ]?(?:base58|base64|b58|b64|hex|bytes|pem)?$|^priv(?:ate)?$|mnemonics?$|(?:seed|recovery|backup|secret)[-_ ]?(?:phrase|word)s?$|^key[-_ ]?pairs?$/i;

/**
 * Texts that contain a private key under any member name: PEM; PKCS #8 of Ed25519 in base64 or hex (RFC 8410,
 * section 7); BIP 32; bech32.
 */
const SECRET_TEXT =
  /-----BEGIN [A-Z ]*PRIVATE KEY|\bM(?:C4C|FEC)AQ[AE]wBQYDK2VwBCIEI|302e020100300506032b657004220420|\b[xt]prv[1-9A-HJ-NP-Za-km-z]{107}\b|\b(?:nsec|suiprivkey|age-secret-key-)1[a-z0-9]{50}/i;

/** Shortest text that contains a private key: the first line of a PEM text. */
const MIN_SECRET_LENGTH = "-----BEGIN PRIVATE KEY".length;

/** Members of the profile, a challenge, a session and a draft, and of an error body. */
const NAMED: ReadonlySet<string> = new Set(
  (["platform", "challenge", "verify", "build", "other"] as const).flatMap((operation) => [
    ...memberNamesOf(operation),
  ]),
);
/** Parts of a text that can be 32 or 64 encoded bytes. */
const ENCODED = /[A-Za-z0-9+/_-]{43,128}={0,2}/g;
/** Parts of a text that can be 64 encoded bytes. */
const ENCODED_PAIR = /[A-Za-z0-9+/_-]{80,128}={0,2}/g;

/**
 * Returns the paths of members that contain a private key or the seed of a private key: key material under
 * the name of a secret, or bytes from which the public key in the same exchange is derived.
 */
export function secretPaths({ body, request, input }: Exchange): readonly string[] {
  const found: string[] = [];
  let texts: ReadonlySet<string> | undefined;
  const isPublicKey = (address: string) => {
    texts ??= new Set(textsIn([body, input ?? request.body]));
    return texts.has(address);
  };
  /** @param isNamedList whether the value is a member of a list that the contract names */
  const search = (value: JsonObject, path: readonly string[], isNamedList: boolean) => {
    for (const [name, member] of Object.entries(value)) {
      const isNamed = path.length === 0 ? NAMED.has(name) : isNamedList;
      const isSecret =
        isPrivateKey(member, isNamed ? undefined : isPublicKey) ||
        (!isNamed && SECRET_NAME.test(name) && isKeyMaterial(member));
      if (isSecret) found.push([...path, name].join("."));
      else if (path.length < 6 && typeof member === "object" && member !== null)
        search(member as JsonObject, [...path, name], isNamed && Array.isArray(member));
    }
  };
  search(body, [], false);
  return found;
}

/** Parts of a text that can be bearers. Shorter bearers could occur by chance. */
const BEARER_LIKE = /[\w.~+/=-]{16,}/g;

/**
 * Returns the paths of members that contain a bearer of an earlier session, of which the service stores only a
 * hash. Another sign-in may return the same bearer, and a response may repeat what its request contains.
 */
export function bearerPaths(
  { operation, status, body, request }: Exchange,
  owners: Owners,
): readonly string[] {
  const found: string[] = [];
  const isKept = (text: string) =>
    owners.ofBearer(text) !== undefined && !requestParts(request).some((part) => part.includes(text));
  const search = (value: object, path: readonly string[]) => {
    for (const [name, member] of Object.entries(value)) {
      const place = [...path, name];
      if (operation === "verify" && status === 200 && place.join(".") === "bearer") continue;
      if (typeof member === "string" && member.match(BEARER_LIKE)?.some(isKept)) found.push(place.join("."));
      else if (path.length < 6 && typeof member === "object" && member !== null) search(member, place);
    }
  };
  search(body, []);
  return found;
}

function requestParts(request: Exchange["request"]): readonly string[] {
  return Object.values(request).map((part) =>
    part instanceof Uint8Array ? Buffer.from(part).toString() : String(part),
  );
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** By 32 bytes in hex: the address of the key pair whose private key they are. */
const addresses = new Memo<string>();

/**
 * Returns whether a value contains a private key, in any usual form: 64 bytes that end in the public key of
 * the first 32, or 32 bytes that belong to a public key.
 * @param isPublicKey whether an address is a public key of the exchange (default: ignores 32 bytes)
 */
function isPrivateKey(value: unknown, isPublicKey?: (address: string) => boolean): boolean {
  if (typeof value === "number" || typeof value === "boolean") return false;
  if (typeof value === "string" && value.length < MIN_SECRET_LENGTH) return false;
  if (isObject(value) && typeof value["kty"] === "string" && typeof value["d"] === "string") return true;
  if (typeof value === "string" && SECRET_TEXT.test(value)) return true;
  const encoded = isPublicKey === undefined ? ENCODED_PAIR : ENCODED;
  const parts =
    typeof value === "string" ? (value.match(encoded) ?? []).flatMap(decodings) : [bytesOf(value)];
  return parts.some((bytes) => {
    if (bytes === undefined || !isKeySize(bytes.length)) return false;
    if (bytes.length === 32 && isPublicKey === undefined) return false;
    const seed = Buffer.from(bytes.subarray(0, 32));
    const address = addresses.get(seed.toString("hex"), () => keyPairFrom(seed).address);
    return bytes.length === 32
      ? isPublicKey?.(address) === true
      : Buffer.from(base58Bytes(address) ?? []).equals(bytes.subarray(32));
  });
}

/** Returns the bytes of a text in each encoding: hex, base58, base64, and base64url. */
function decodings(text: string): readonly (Uint8Array | undefined)[] {
  const isHex = /^(?:0x)?(?:[\da-f]{64}|[\da-f]{128})$/i.test(text);
  return isHex
    ? [Buffer.from(text.replace(/^0x/i, ""), "hex")]
    : [base58Bytes(text), Buffer.from(text, "base64")];
}

/** Returns the bytes in an array of numbers, or in an object that has the indexes of one as names. */
function bytesOf(value: unknown): Uint8Array | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const bytes = Object.values(value);
  const isBytes = isKeySize(bytes.length) && "0" in value && bytes.every(isByte);
  return isBytes ? Uint8Array.from(bytes) : undefined;
}

const isKeySize = (length: number | undefined) => length === 32 || length === 64;
const isByte = (value: unknown) => Number.isInteger(value) && Number(value) >>> 8 === 0;

/** Returns whether a value is 32 or 64 encoded bytes, a PEM text, or a mnemonic. */
function isKeyMaterial(value: unknown): boolean {
  // BIP 39: 12, 15, 18, 21, or 24 words of three to eight letters.
  const isMnemonic = (words: readonly unknown[]) =>
    [12, 15, 18, 21, 24].includes(words.length) &&
    words.every((word) => typeof word === "string" && /^[a-z]{3,8}$/.test(word));
  if (bytesOf(value) !== undefined) return true;
  if (Array.isArray(value)) return isMnemonic(value);
  if (typeof value !== "string") return false;
  const text = value.trim();
  // An encoded key contains digits, uppercase letters, and lowercase letters. A name does not.
  const isMixed = /\d/.test(text) && /[A-Z]/.test(text) && /[a-z]/.test(text);
  const isBase64 =
    /^[A-Za-z0-9+/_-]{43,86}={0,2}$/.test(text) && isKeySize(Buffer.from(text, "base64").length);
  return (
    /^(?:0x)?(?:[0-9a-f]{64}|[0-9a-f]{128})$/i.test(text) ||
    (isMixed && (isBase64 || isKeySize(base58Bytes(text)?.length))) ||
    text.startsWith("-----BEGIN") ||
    isMnemonic(text.split(/\s+/))
  );
}
