/** The bank as the build prepares it: places by their file below the bank's folder, wherever that is. */
import { join, relative, resolve } from "node:path";
import type { SourcePlace } from "../engine/vectors/vector.ts";
import { shownKitPath } from "../paths.ts";
import type { Bank } from "./entry.ts";

/** The same, as JSON can hold it. */
export type PackedBank = Bank;

type Moved = (place: SourcePlace) => SourcePlace;

/** Packs a bank for {@link unpackBank}. */
export function packBank(bank: Bank, folder: string): PackedBank {
  return withPlaces(bank, ({ file, line }) => ({ file: relative(folder, resolve(file)), line }));
}

/** The bank, with its files as people should see them now. */
export function unpackBank(packed: PackedBank, folder: string): Bank {
  return withPlaces(packed, ({ file, line }) => ({ file: shownKitPath(join(folder, file)), line }));
}

function withPlaces({ broken, legal }: Bank, moved: Moved): Bank {
  return {
    broken: broken.map((entry) => placed(entry, moved)),
    legal: legal.map((entry) => placed(entry, moved)),
  };
}

type Placed = { readonly place: SourcePlace };

function placed<Entry extends Placed & { readonly edits: readonly Placed[] }>(
  entry: Entry,
  moved: Moved,
): Entry {
  const edits = entry.edits.map((edit) => ({ ...edit, place: moved(edit.place) }));
  return { ...entry, place: moved(entry.place), edits };
}
