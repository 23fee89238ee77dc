import { createHash } from "node:crypto";
import { DEFAULT_SEED } from "../engine/search/default-runs.ts";
import { RandomSource } from "../engine/search/random-source.ts";
import type { Fields, Template } from "../engine/vectors/vector.ts";

const LETTERS = [..."abcdefghijklmnopqrstuvwxyz"];
/** Words that mean something wherever they stand, and what a vector fills in. */
const KEPT = /\$\{[^}]*\}|\b(?:https?|example|json)\b/;
const WORD = new RegExp(`(${KEPT.source})|[A-Za-z]`, "g");

/** Texts of the kit's own making that a search sends, by their names in a step. */
const OWN: readonly string[] = ["name", "symbol", "uri", "key", "bearer"];

/** The label of a usual run, whose texts stand as they are written. */
const AS_WRITTEN = `${DEFAULT_SEED}`;

/** The letters that were drawn last. */
let drawn: { readonly label: string; readonly letters: ReadonlyMap<string, string> } | undefined;

/**
 * A text in the letters of a run, so that no service can tell the kit by what it always says: each letter stands for
 * another one, the same throughout the run, in capitals where it was one. What two texts have in common, their lengths and
 * what is no letter stay.
 * @param label what the labels of the run's people begin with
 */
export function ownText(text: string, label: string): string {
  if (label === AS_WRITTEN) return text;
  const letters = lettersOf(label);
  return text.replace(WORD, (found, word?: string) => word ?? letters.get(found) ?? found);
}

/** An id of a challenge that nobody was given, of the run's own. */
export function ownId(id: string, label: string): string {
  if (label === AS_WRITTEN) return id;
  return createHash("sha256").update(`${label} ${id}`).digest("hex").slice(0, id.length);
}

/** The fields of a step that a search has made, in the letters of a run. */
export function ownFields(fields: Fields, label: string): Fields {
  if (label === AS_WRITTEN) return fields;
  const own = ([name, value]: readonly [string, Template]): readonly [string, Template] => {
    if (typeof value !== "string" || value.startsWith("$")) return [name, value];
    if (name === "id") return [name, ownId(value, label)];
    return [name, OWN.includes(name) ? ownText(value, label) : value];
  };
  return Object.fromEntries(Object.entries(fields).map(own));
}

function lettersOf(label: string): ReadonlyMap<string, string> {
  if (drawn?.label !== label) drawn = { label, letters: drawnLetters(label) };
  return drawn.letters;
}

function drawnLetters(label: string): ReadonlyMap<string, string> {
  const source = new RandomSource(createHash("sha256").update(`${label} letters`).digest().readInt32LE(0));
  const left = [...LETTERS];
  const pairs = LETTERS.map((letter) => [letter, left.splice(source.below(left.length), 1)[0] ?? letter]);
  return new Map(
    pairs.flatMap(([from = "", to = ""]) => [
      [from, to],
      [from.toUpperCase(), to.toUpperCase()],
    ]),
  );
}
