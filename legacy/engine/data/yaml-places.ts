import type { Event, ScalarEvent } from "js-yaml";
import { yamlLibrary } from "./yaml-library.ts";

/** A path into a YAML document, from the root: keys of maps and indexes of sequences. */
export type YamlPath = readonly (string | number)[];

/** Where a value begins in the text, where its key does, and what lies in it by key or index. */
interface Place {
  readonly offset: number;
  readonly keyOffset?: number;
  readonly inner: ReadonlyMap<string, Place>;
}

/** Finds the places of a document's values in its text. */
export class YamlPlaces {
  readonly #text: string;
  readonly #events: readonly Event[];
  readonly #yaml = yamlLibrary();
  #next = 0;
  #root: Place | undefined;
  #lineStarts: readonly number[] | undefined;

  /** Takes the parser's events; nothing is worked out before a place is asked for. */
  constructor(text: string, events: readonly Event[]) {
    this.#text = text;
    this.#events = events;
  }

  /** Offset of the value at `path`, or of the nearest value above it that exists. */
  offset(path: YamlPath): number {
    let place = this.#rootPlace();
    for (const step of path) {
      const inner = place.inner.get(String(step));
      if (inner === undefined) break;
      place = inner;
    }
    return place.offset;
  }

  /** Offset of the key itself, for a path that ends in one; else as {@link offset}. */
  keyOffset(path: YamlPath): number {
    let place: Place | undefined = this.#rootPlace();
    for (const step of path) place = place?.inner.get(String(step));
    return place?.keyOffset ?? this.offset(path);
  }

  /** 1-based line and column of an offset. */
  lineColumn(offset: number): { readonly line: number; readonly column: number } {
    this.#lineStarts ??= [
      0,
      ...[...this.#text.matchAll(/\r\n|\r|\n/g)].map((end) => end.index + end[0].length),
    ];
    let [low, high] = [0, this.#lineStarts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((this.#lineStarts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return { line: low + 1, column: offset - (this.#lineStarts[low] ?? 0) + 1 };
  }

  #rootPlace(): Place {
    if (this.#root === undefined) {
      // The first event opens the document.
      this.#next = 1;
      this.#root = this.#read(0) ?? { offset: 0, inner: new Map() };
    }
    return this.#root;
  }

  /**
   * The place of the node that begins at the next event; undefined where a collection ends.
   * @param before offset of what stands before it: an empty value has no place of its own
   */
  #read(before: number, keyOffset?: number): Place | undefined {
    const event = this.#events[this.#next];
    this.#next += 1;
    const key = keyOffset === undefined ? {} : { keyOffset };
    const inner = new Map<string, Place>();
    const { EVENT_ALIAS, EVENT_MAPPING, EVENT_SCALAR, EVENT_SEQUENCE } = this.#yaml;
    switch (event?.type) {
      case EVENT_SCALAR:
        return { offset: this.#scalarOffset(event) ?? before, ...key, inner };
      case EVENT_ALIAS:
        return { offset: event.anchorStart - 1, ...key, inner };
      case EVENT_SEQUENCE:
        this.#readItems(event.start, inner);
        return { offset: event.start, ...key, inner };
      case EVENT_MAPPING:
        this.#readPairs(event.start, inner);
        return { offset: event.start, ...key, inner };
      default:
        return undefined;
    }
  }

  #readItems(before: number, inner: Map<string, Place>): void {
    for (let index = 0; ; index += 1) {
      const item = this.#read(before);
      if (item === undefined) return;
      inner.set(String(index), item);
    }
  }

  #readPairs(before: number, inner: Map<string, Place>): void {
    for (;;) {
      const event = this.#events[this.#next];
      const key = this.#read(before);
      if (key === undefined) return;
      const name =
        event?.type === this.#yaml.EVENT_SCALAR ? this.#yaml.getScalarValue(this.#text, event) : "";
      const value = this.#read(key.offset, key.offset);
      if (value !== undefined) inner.set(name, value);
    }
  }

  /** The parser points behind the opening quote or the line of a block's indicator; a person means the quote or indicator. */
  #scalarOffset({ valueStart, style }: ScalarEvent): number | undefined {
    if (valueStart < 0) return undefined;
    return style === this.#yaml.SCALAR_STYLE_PLAIN ? valueStart : valueStart - 1;
  }
}
