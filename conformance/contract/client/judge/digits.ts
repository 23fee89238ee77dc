/** Digits of numbers and bytes, each a byte of its own, in the order in which they are written. */

/** Bytes of a block in base85. */
const BLOCK_BYTES = 4;
/** Digits of a block in base85. */
const BLOCK_DIGITS = 5;

/** Bytes in base32, as they are written wherever in a digit they begin: five bits a digit. */
export function inBase32(bytes: Uint8Array): readonly Uint8Array[] {
  return [0, 1, 2, 3, 4].map((skipped) => {
    const digits = new Uint8Array(Math.floor((bytes.length * 8 - skipped) / 5));
    for (let index = 0, bit = skipped; index < digits.length; index++, bit += 5) {
      const at = bit >> 3;
      const pair = ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0);
      digits[index] = (pair >> (11 - (bit & 7))) & 31;
    }
    return digits;
  });
}

/** The whole blocks of bytes in base85, as they are written wherever in a block they begin. */
export function inBase85(bytes: Buffer): readonly Uint8Array[] {
  return [0, 1, 2, 3].map((skipped) => {
    const blocks = Math.floor((bytes.length - skipped) / BLOCK_BYTES);
    const digits = new Uint8Array(blocks * BLOCK_DIGITS);
    for (let block = 0; block < blocks; block++) {
      let rest = bytes.readUInt32BE(skipped + block * BLOCK_BYTES);
      for (let place = (block + 1) * BLOCK_DIGITS - 1; place >= block * BLOCK_DIGITS; place--) {
        digits[place] = rest % 85;
        rest = Math.floor(rest / 85);
      }
    }
    return digits;
  });
}

/** A number in a base of up to 255. */
export function inBase(number: bigint, base: number): Uint8Array {
  // As many digits at once as fit into a number that is exact, in two halves that the processor divides as integers.
  const inHalf = Math.floor(26 / Math.log2(base));
  const half = base ** inHalf;
  const unit = BigInt(half * half);
  const digits = new Uint8Array(Math.ceil(number.toString(16).length * (4 / Math.log2(base))) + 2 * inHalf);
  let at = digits.length;
  for (let left = number; left > 0n; left /= unit) {
    const both = Number(left % unit);
    const low = both % half;
    for (let rest of [low, (both - low) / half]) {
      for (let place = 0; place < inHalf; place++) {
        at -= 1;
        digits[at] = rest % base;
        rest = Math.floor(rest / base);
      }
    }
  }
  while (digits[at] === 0) at += 1;
  return digits.subarray(at);
}
