/** The bank as the build prepares it: places by their file below the bank's folder, wherever that is. */
import { join, relative, resolve } from "node:path";
import type { SourcePlace } from "../engine/vectors/vector.ts";
import { shownKitPath } from "../paths.ts";
import type { Bank, PlacedEdit } from "./entry.ts";

/** The same, as JSON can hold it. */
export type PackedBank = Bank;

/** A bank of services or of clients. */
interface AnyBank {
  readonly broken: readonly Placed[];
  readonly legal: readonly Placed[];
}

interface Placed {
  readonly place: SourcePlace;
  readonly edits: readonly PlacedEdit[];
}

type Moved = (place: SourcePlace) => SourcePlace;

/** Packs a bank for {@link unpackBank}. */
export function packBank<Packed extends AnyBank>(bank: Packed, folder: string): Packed {
  return withPlaces(bank, ({ file, line }) => ({ file: relative(folder, resolve(file)), line }));
}

/** The bank, with its files as people should see them now. */
export function unpackBank<Packed extends AnyBank>(packed: Packed, folder: string): Packed {
  return withPlaces(packed, ({ file, line }) => ({ file: shownKitPath(join(folder, file)), line }));
}

function withPlaces<Packed extends AnyBank>(bank: Packed, moved: Moved): Packed {
  return {
    ...bank,
    broken: bank.broken.map((entry) => placed(entry, moved)),
    legal: bank.legal.map((entry) => placed(entry, moved)),
  };
}

function placed<Entry extends Placed>(entry: Entry, moved: Moved): Entry {
  const edits = entry.edits.map((edit) => ({ ...edit, place: moved(edit.place) }));
  return { ...entry, place: moved(entry.place), edits };
}
