import { checkSchema, suggestion } from "../../engine/data/schema.ts";
import { readYaml, type YamlSource } from "../../engine/data/yaml-source.ts";
import type { OpenPoint } from "../../engine/rule-book.ts";
import { PATHS } from "../../paths.ts";

/** The run in which choices were seen. */
export interface SeenIn {
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
