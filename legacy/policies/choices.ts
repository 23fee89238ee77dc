/** Choices that an implementation is held to: read from a file, held against a run, brought up to date. */

import { Document, isMap, isScalar, parseDocument, YAMLMap } from "yaml";
import { checkSchema, suggestion } from "../engine/data/schema.ts";
import { readYaml, type YamlSource } from "../engine/data/yaml-source.ts";
import type { OpenPoint } from "../engine/rule-book.ts";
import { type Choice, NOT_SEEN } from "../engine/run/choices.ts";
import { PATHS } from "../paths.ts";

/** The run in which choices were seen. */
interface SeenIn {
  /** Digest of the suite. */
  readonly suite: string;
  readonly seed: number;
  readonly runs: number;
  /** Results that passed or failed. */
  readonly executed: number;
}

/** Choices that an implementation is held to, as a file holds them. */
export interface SavedChoices {
  readonly file: string;
  readonly seen?: SeenIn;
  /** Readings by open point, as `Choice.observed` writes them. */
  readonly choices: ReadonlyMap<string, string>;
}

/**
 * Reads a file of observed choices.
 * @throws {DataError} with file:line:column for a file that breaks its schema, and for a point that is none
 */
export function readChoices(path: string, points: ReadonlyMap<string, OpenPoint>): SavedChoices {
  return choicesIn(readYaml(path), points);
}

/** Like {@link readChoices}, for a file that was read. */
export function choicesIn(source: YamlSource, points: ReadonlyMap<string, OpenPoint>): SavedChoices {
  checkSchema(source, PATHS.choicesSchema);
  const { seen, choices } = source.value as {
    readonly seen?: SeenIn;
    readonly choices: Readonly<Record<string, string>> | null;
  };
  for (const point of Object.keys(choices ?? {})) {
    if (!points.has(point)) {
      throw source.error(
        ["choices", point],
        `there is no open point ${point}${suggestion(point, points.keys())}`,
      );
    }
  }
  return {
    file: source.file,
    ...(seen === undefined ? {} : { seen }),
    choices: new Map(Object.entries(choices ?? {})),
  };
}

/** A point of which an implementation was seen to take another reading than before. */
export interface ChangedChoice {
  readonly point: string;
  readonly was: string;
  readonly observed: string;
}

/** How the choices of a run compare with those that the implementation is held to. */
export interface HeldChoices {
  readonly file: string;
  /** They fail the run. */
  readonly changed: readonly ChangedChoice[];
  /** Points that the file says nothing about: told, and no failure, as there is nothing to hold them to. */
  readonly added: readonly string[];
  /** Points of the file that nothing showed this time: told, and no failure. */
  readonly unseen: readonly string[];
  /** Whether the file was written by a run that looked at the same. */
  readonly sameRun: boolean;
}

/**
 * Holds observed choices to earlier ones. A reading that the file does not name is a change; that one which it names
 * was not seen again is a change only in a run that looked at the same.
 */
export function holdChoices(saved: SavedChoices, choices: readonly Choice[], run: SeenIn): HeldChoices {
  const { seen } = saved;
  const sameRun =
    seen?.suite === run.suite &&
    seen.seed === run.seed &&
    seen.runs === run.runs &&
    seen.executed === run.executed;
  const changed: ChangedChoice[] = [];
  const added: string[] = [];
  const unseen: string[] = [];
  for (const { point, observed } of choices) {
    const was = saved.choices.get(point);
    if (observed === NOT_SEEN) {
      if (was !== undefined) unseen.push(point);
    } else if (was === undefined) added.push(point);
    else if (differs(was, observed, sameRun)) changed.push({ point, was, observed });
  }
  return { file: saved.file, changed, added, unseen, sameRun };
}

function differs(was: string, observed: string, sameRun: boolean): boolean {
  const earlier = new Set(was.split(" | "));
  const now = observed.split(" | ");
  return now.some((reading) => !earlier.has(reading)) || (sameRun && now.length < earlier.size);
}

/**
 * The text of a file that holds an implementation to what a run saw. Points that nothing showed this time stay as they
 * were; comments stay with their point.
 * @param text the file so far; undefined where there is none
 * @param choices of every open point of the contract, in its order, which the file takes over
 * @param schema path or address of the schema, for editors
 */
export function updatedChoices(
  text: string | undefined,
  choices: readonly Choice[],
  run: SeenIn,
  schema: string,
): string {
  const document = text === undefined ? newDocument(schema) : parseDocument(text);
  const earlier = document.get("choices");
  const kept = isMap(earlier) ? earlier : new YAMLMap();
  // The comment above the first point is its own, though the map has it.
  const firstKey = kept.items[0]?.key;
  if (kept.commentBefore && isScalar(firstKey)) firstKey.commentBefore = kept.commentBefore;
  const pairOf = (point: string) => kept.items.find(({ key }) => String(key) === point);
  const updated = new YAMLMap();
  for (const { point, observed } of choices) {
    const pair = pairOf(point);
    if (observed === NOT_SEEN) {
      if (pair !== undefined) updated.items.push(pair);
    } else if (pair === undefined) updated.items.push(document.createPair(point, observed));
    else {
      kept.set(pair.key, observed);
      updated.items.push(pair);
    }
  }
  document.set("seen", document.createNode(run));
  document.set("choices", updated);
  return document.toString({ lineWidth: 120, flowCollectionPadding: false });
}

function newDocument(schema: string): Document {
  const document = new Document({});
  document.commentBefore = ` yaml-language-server: $schema=${schema}`;
  return document;
}
