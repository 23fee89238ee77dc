/** Texts with fewer different characters recur by chance, such as the zeros that fill fields. */
const LEAST_VARIETY = 5;

/** Finds any part, of a fixed length, of texts that were told to it. Bytes are told as Latin-1. */
export class WindowIndex {
  readonly #length: number;
  readonly #windows = new Map<string, string>();
  /** Whether some window begins with a pair of characters: nearly no place in a text passes. */
  readonly #begins = new Uint8Array(1 << 16);

  constructor(length: number) {
    this.#length = length;
  }

  /** @param name what is told of a part of the text that is found */
  add(text: string, name: string): void {
    for (let at = 0; at + this.#length <= text.length; at++) {
      if (!hasVariety(text, at, this.#length)) continue;
      const window = text.slice(at, at + this.#length);
      if (this.#windows.has(window)) continue;
      this.#windows.set(window, name);
      this.#begins[pairOf(text.charCodeAt(at), text.charCodeAt(at + 1))] = 1;
    }
  }

  /** The name of what a part of the text is a part of; undefined where there is none. */
  inText(text: string): string | undefined {
    for (let at = 0; at + this.#length <= text.length; at++) {
      if (this.#begins[pairOf(text.charCodeAt(at), text.charCodeAt(at + 1))] !== 1) continue;
      const name = this.#windows.get(text.slice(at, at + this.#length));
      if (name !== undefined) return name;
    }
    return undefined;
  }

  /** The same for bytes. */
  inBytes(bytes: Buffer): string | undefined {
    for (let at = 0; at + this.#length <= bytes.length; at++) {
      if (this.#begins[pairOf(bytes[at] ?? 0, bytes[at + 1] ?? 0)] !== 1) continue;
      const name = this.#windows.get(bytes.toString("latin1", at, at + this.#length));
      if (name !== undefined) return name;
    }
    return undefined;
  }
}

/** Both in one number; characters beyond Latin-1 fold onto others, which costs a look-up and no more. */
function pairOf(first: number, second: number): number {
  return ((first & 0xff) << 8) | (second & 0xff);
}

/** Whether a part of a text has enough different characters; most show it with their first few. */
function hasVariety(text: string, from: number, length: number): boolean {
  let different = 0;
  for (let at = from; at < from + length; at++) {
    const before = text.indexOf(text[at] ?? "", from);
    if (before === at && ++different >= LEAST_VARIETY) return true;
  }
  return false;
}
