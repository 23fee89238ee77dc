/** Stretches with fewer different digits recur by chance, such as the zeros that fill fields. */
const LEAST_VARIETY = 5;
/** Digits by which a stretch is looked up before it is compared. */
const GRAM = 4;
/** Places of the table for each entry: with few entries in many places nearly no look-up finds one. */
const SPARSENESS = 8;

/** Digits, each up to 255, and what is told of a part of them that is found. */
export interface NamedDigits {
  readonly digits: Uint8Array;
  readonly name: string;
}

/** Bytes that stand for digits: those from one place to before another. */
export interface Stretch {
  /** The digit that each byte stands for. */
  readonly digitOf: Uint8Array;
  readonly from: number;
  readonly to: number;
}

/** Bytes that are the digits. */
const ITSELF = Uint8Array.from({ length: 256 }, (_, byte) => byte);

/**
 * Finds any part, of a fixed length or longer, of sequences of digits. Of all places in a sequence only so many are kept in
 * a table that each part of that length holds one; what is found there is compared digit by digit, to both sides.
 */
export class WindowIndex {
  readonly #length: number;
  readonly #sequences: readonly NamedDigits[];
  /** For each hash one more than the first entry that has it, or 0. */
  readonly #first: Uint16Array;
  /** For each entry one more than the next of the same hash, or 0. */
  readonly #next: Uint16Array;
  readonly #grams: Int32Array;
  readonly #sequenceOf: Uint16Array;
  readonly #placeOf: Uint16Array;
  readonly #shift: number;

  /** @param length how many digits are a part that counts: {@link GRAM} or more */
  constructor(length: number, sequences: readonly NamedDigits[]) {
    this.#length = length;
    this.#sequences = sequences;
    const stride = length - GRAM + 1;
    const entries = sequences.reduce((sum, { digits }) => sum + entriesOf(digits.length, stride), 0);
    const bits = Math.ceil(Math.log2(Math.max(1, entries) * SPARSENESS));
    this.#first = new Uint16Array(2 ** bits);
    this.#next = new Uint16Array(entries);
    this.#grams = new Int32Array(entries);
    this.#sequenceOf = new Uint16Array(entries);
    this.#placeOf = new Uint16Array(entries);
    this.#shift = 32 - bits;
    let entry = entries;
    // From the end, so that of equal parts the one that was told first is found first.
    for (let sequence = sequences.length - 1; sequence >= 0; sequence--) {
      const digits = sequences[sequence]?.digits ?? NONE;
      for (let at = (entriesOf(digits.length, stride) - 1) * stride; at >= 0; at -= stride) {
        const gram = gramAt(digits, at);
        entry -= 1;
        if (isUniform(gram) && !hasVariety(digits, at + GRAM - length, at + length)) continue;
        const hash = hashOf(gram, this.#shift);
        this.#grams[entry] = gram;
        this.#sequenceOf[entry] = sequence;
        this.#placeOf[entry] = at;
        this.#next[entry] = this.#first[hash] ?? 0;
        this.#first[hash] = entry + 1;
      }
    }
  }

  /**
   * The name of what a stretch of bytes holds a part of; undefined where it holds none.
   * @param digitOf the digit that each byte stands for
   */
  find(
    bytes: Uint8Array,
    { digitOf = ITSELF, from = 0, to = bytes.length }: Partial<Stretch> = {},
  ): string | undefined {
    if (to - from < this.#length) return undefined;
    let gram = 0;
    for (let at = from; at < to; at++) {
      gram = (gram << 8) | (digitOf[bytes[at] ?? 0] ?? 0);
      const begin = at - GRAM + 1;
      if (begin < from) continue;
      let entry = this.#first[hashOf(gram, this.#shift)] ?? 0;
      for (; entry !== 0; entry = this.#next[entry - 1] ?? 0) {
        if (this.#grams[entry - 1] !== gram) continue;
        const sequence = this.#sequences[this.#sequenceOf[entry - 1] ?? 0];
        const place = this.#placeOf[entry - 1] ?? 0;
        if (
          sequence !== undefined &&
          this.#isAround(sequence.digits, place, bytes, begin, { digitOf, from, to })
        )
          return sequence.name;
      }
    }
    return undefined;
  }

  /** Whether both are the same around a place of each, for so long and with so many different digits that it counts. */
  #isAround(
    known: Uint8Array,
    place: number,
    bytes: Uint8Array,
    at: number,
    { digitOf, from, to }: Stretch,
  ): boolean {
    const isSame = (by: number) => known[place + by] === digitOf[bytes[at + by] ?? 0];
    let begin = 0;
    while (place + begin > 0 && at + begin > from && isSame(begin - 1)) begin--;
    let end = 0;
    while (place + end < known.length && at + end < to && isSame(end)) end++;
    for (let window = place + begin; window + this.#length <= place + end; window++)
      if (hasVariety(known, window, window + this.#length)) return true;
    return false;
  }
}

const NONE = new Uint8Array(0);

/** How many places of a sequence are kept. */
function entriesOf(length: number, stride: number): number {
  return length < GRAM ? 0 : Math.floor((length - GRAM) / stride) + 1;
}

/** Digits from a place on, in one number. */
function gramAt(digits: Uint8Array, at: number): number {
  let gram = 0;
  for (let place = at; place < at + GRAM; place++) gram = (gram << 8) | (digits[place] ?? 0);
  return gram;
}

/** @param shift how many of 32 bits are left out */
function hashOf(gram: number, shift: number): number {
  return Math.imul(gram, 0x9e3779b1) >>> shift;
}

/** Whether all digits of a number made of {@link GRAM} are the same. */
function isUniform(gram: number): boolean {
  return gram === Math.imul(gram & 0xff, 0x01010101);
}

/** Whether there are enough different digits from one place to before another; most parts show it with their first few. */
function hasVariety(digits: Uint8Array, from: number, to: number): boolean {
  const begin = Math.max(0, from);
  let different = 0;
  for (let at = begin; at < Math.min(to, digits.length); at++) {
    const before = digits.indexOf(digits[at] ?? 0, begin);
    if (before === at && ++different >= LEAST_VARIETY) return true;
  }
  return false;
}
