import bs58 from "bs58";
import type { ClientRequest } from "../../../engine/client/trace.ts";
import { PKCS8_PREFIX, publicKeyOf } from "../../keys/key-pair.ts";
import { remembered } from "../../remembered.ts";
import { maskedRequest, requestPieces, secretsInRequest } from "../judge/secrets.ts";

/** A private key that a request shows to be one, as nobody else's bytes can. */
export interface ShownKey {
  /** Whose it is: the public key in base58. */
  readonly address: string;
  /** Base64 of the seed and the public key. */
  readonly secretKey: string;
}

/** Bytes that may be a seed, and the public key that they then have. */
interface Candidate extends ShownKey {
  /** Whether the public key stands behind the seed, as wallets write it. */
  readonly isProven: boolean;
}

const [SEED_BYTES, PAIR_BYTES] = [32, 64];
/** Nothing shorter stands for a seed, and nothing longer for what wallets write. */
const WRITTEN = /[\w+/-]{43,128}={0,2}/g;
const NUMBERS = /\d{1,3}(?:[ ,]+\d{1,3}){31,63}/g;

/**
 * The private key that a request carries, where traffic shows it to be one: its public key stands behind it, or is known.
 * @param isKnown whether an address is one that has been seen
 * @param others texts of the request that are no private keys
 */
export function shownKey(
  request: ClientRequest,
  isKnown: (address: string) => boolean,
  others: ReadonlySet<unknown>,
): ShownKey | undefined {
  const texts = requestPieces(request).flatMap(({ text }) => [
    ...(text.match(WRITTEN) ?? []),
    ...(text.match(NUMBERS) ?? []),
  ]);
  return [...new Set(texts)]
    .flatMap((text) => (others.has(text) ? [] : candidatesIn(text)))
    .find(({ isProven, address }) => isProven || isKnown(address));
}

/** A request without a private key that it carries. */
export function withoutKey(request: ClientRequest, { secretKey }: ShownKey): ClientRequest {
  return maskedRequest(request, secretsInRequest(request, [secretKey]), [secretKey]);
}

/** Addresses and the like come again and again. */
const candidatesIn = remembered<readonly Candidate[]>(5_000, (text) =>
  readings(text).flatMap((bytes) => {
    const bare = bytes.subarray(0, PKCS8_PREFIX.length).equals(PKCS8_PREFIX)
      ? bytes.subarray(PKCS8_PREFIX.length)
      : bytes;
    if (bare.length !== SEED_BYTES && bare.length !== PAIR_BYTES) return [];
    const seed = bare.subarray(0, SEED_BYTES);
    const publicKey = publicKeyOf(seed);
    return [
      {
        address: bs58.encode(publicKey),
        secretKey: Buffer.concat([seed, publicKey]).toString("base64"),
        isProven: bare.subarray(SEED_BYTES).equals(publicKey),
      },
    ];
  }),
);

/** The bytes that a text stands for, in the ways in which wallets and libraries write keys. */
function readings(text: string): readonly Buffer[] {
  if (/^\d+[ ,]/.test(text)) return [Buffer.from(text.split(/[ ,]+/).map(Number))];
  const base58 = bs58.decodeUnsafe(text);
  return [
    ...(/^(?:[\da-f]{2})+$/i.test(text) ? [Buffer.from(text, "hex")] : []),
    Buffer.from(text, "base64"),
    ...(base58 === undefined ? [] : [Buffer.from(base58)]),
  ];
}
