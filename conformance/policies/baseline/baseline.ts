import { checkSchema } from "../../engine/data/schema.ts";
import { readYaml, type YamlSource } from "../../engine/data/yaml-source.ts";
import type { Known } from "../../engine/play/result.ts";
import { PATHS } from "../../paths.ts";

/** A failure that the makers of an implementation know of. */
export interface KnownFailure extends Known {
  /** Id of the vector or property. */
  readonly id: string;
  /** Rules that it may fail for; any where there are none. */
  readonly rules?: readonly string[];
}

/** Known failures, as a file holds them. */
export interface Baseline {
  readonly file: string;
  readonly known: readonly KnownFailure[];
}

/**
 * Reads a file of known failures.
 * @throws {DataError} with file:line:column for a file that breaks its schema, an id that stands twice, a day that is none
 */
export function readBaseline(path: string): Baseline {
  return baselineOf(readYaml(path));
}

/** Like {@link readBaseline}, for a file that was read. */
export function baselineOf(source: YamlSource): Baseline {
  checkSchema(source, PATHS.baselineSchema);
  const known = (source.value as { readonly known: readonly KnownFailure[] | null }).known ?? [];
  const lines = new Map<string, number>();
  for (const [index, { id, expires }] of known.entries()) {
    const earlier = lines.get(id);
    const path = ["known", index, "id"];
    if (earlier !== undefined) throw source.error(path, `${id} is known already, from line ${earlier}`);
    lines.set(id, source.keyPosition(path).line);
    if (expires !== undefined && !isDay(expires))
      throw source.error(["known", index, "expires"], `there is no day ${expires}`);
  }
  return { file: source.file, known };
}

/** Whether `YYYY-MM-DD` is a day of the calendar. */
function isDay(text: string): boolean {
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}
