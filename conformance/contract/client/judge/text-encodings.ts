/** An encoding that writes so many bytes as so many characters, block by block. */
export interface BlockEncoding {
  readonly name: string;
  readonly alphabet: string;
  /** Bytes of a block. */
  readonly bytes: number;
  /** Characters of a block. */
  readonly characters: number;
  /** Characters that stand for eight bytes wherever they begin. */
  readonly least: number;
}

const DIGITS = "0123456789";
const CAPITALS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const SMALL = CAPITALS.toLowerCase();
const ASCII85 = Array.from({ length: 85 }, (_, index) => String.fromCharCode(33 + index)).join("");

const base32 = (name: string, alphabet: string): BlockEncoding => {
  return { name, alphabet, bytes: 5, characters: 8, least: 13 };
};
const base85 = (name: string, alphabet: string): BlockEncoding => {
  return { name, alphabet, bytes: 4, characters: 5, least: 12 };
};

/** Encodings of blocks of bytes with alphabets of their own, which a decoder for base32 or base64 does not read. */
export const BLOCK_ENCODINGS: readonly BlockEncoding[] = [
  base32("Bech32", "qpzry9x8gf2tvdw0s3jn54khce6mua7l"),
  base32("Crockford's base32", "0123456789ABCDEFGHJKMNPQRSTVWXYZ"),
  base32("Crockford's base32 in small letters", "0123456789abcdefghjkmnpqrstvwxyz"),
  base32("base32hex", `${DIGITS}${CAPITALS.slice(0, 22)}`),
  base32("base32hex in small letters", `${DIGITS}${SMALL.slice(0, 22)}`),
  base85("Ascii85", ASCII85),
  base85("Z85", `${DIGITS}${SMALL}${CAPITALS}.-:+=^!/*?&<>()[]{}@%$#`),
  base85("base85", `${DIGITS}${CAPITALS}${SMALL}!#$%&()*+-;<=>?@^_\`{|}~`),
];

/** Bytes in an encoding, as they are written wherever in a block they begin. */
export function encodings(bytes: Uint8Array, encoding: BlockEncoding): readonly string[] {
  return Array.from({ length: encoding.bytes }, (_, skipped) => encoded(bytes.subarray(skipped), encoding));
}

/** The whole blocks of bytes. */
function encoded(whole: Uint8Array, { alphabet, bytes, characters }: BlockEncoding): string {
  const base = BigInt(alphabet.length);
  let text = "";
  for (let at = 0; at + bytes <= whole.length; at += bytes) {
    let block = BigInt(`0x${Buffer.from(whole.subarray(at, at + bytes)).toString("hex")}`);
    let written = "";
    for (let place = 0; place < characters; place++) {
      written = `${alphabet[Number(block % base)]}${written}`;
      block /= base;
    }
    text += written;
  }
  return text;
}

/** A number in base62, by each order of the letters that is usual. */
export function inBase62(number: bigint): readonly string[] {
  return [`${DIGITS}${CAPITALS}${SMALL}`, `${DIGITS}${SMALL}${CAPITALS}`, `${CAPITALS}${SMALL}${DIGITS}`].map(
    (alphabet) => {
      let text = "";
      for (let rest = number; rest > 0n; rest /= 62n) text = `${alphabet[Number(rest % 62n)]}${text}`;
      return text;
    },
  );
}
