import { base58Bytes } from "./response-schemas.ts";

/** Names under which private key material would be handed out (contract, "What the service does"). */
const SECRET_NAME =
  /^(?:priv(?:ate)?|secret)[-_ ]?keys?$|^mnemonics?$|^seed[-_ ]?phrases?$|^key[-_ ]?pairs?$/i;

/** More of them say nothing more. */
const MOST_PATHS = 100;

/** Members of an answer, at any depth within reason, that hand out a private key or what one is made from; the first. */
export function secretPaths(value: unknown): readonly string[] {
  const found: string[] = [];
  lookInto(value, [], found);
  return found;
}

/** Of millions of entries most are no objects, and cost no more than a look. */
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

/** A service may well say in words what it does with private keys; key material is 32 or 64 bytes, or a mnemonic. */
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

/** Digits, capitals and small letters: what an encoded key has, and a name in words has not. */
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
