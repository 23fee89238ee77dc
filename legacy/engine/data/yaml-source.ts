import { relative } from "node:path";
import { DataError } from "./data-error.ts";
import { packedText } from "./packed-files.ts";
import { MIB, readTextFile } from "./read-text-file.ts";
import { yamlLibrary } from "./yaml-library.ts";
import { type YamlPath, YamlPlaces } from "./yaml-places.ts";

/** An alias stands for all that its anchor holds; more of them could grow a small file beyond any memory. */
const MOST_ALIASES = 32;

/** Bytes that a YAML file may have: many times what any of the kit's own has. */
const MOST_BYTES = 4 * MIB;

/** A YAML file that was read, with the way back from any value to its line. */
export interface YamlSource {
  /** Path as shown to people: relative to the working directory. */
  readonly file: string;
  readonly text: string;
  /** The document as plain JavaScript values. */
  readonly value: unknown;
  /** 1-based line and column of the value at `path`, or of the nearest value above it that exists. */
  position(path: YamlPath): { readonly line: number; readonly column: number };
  /** Like {@link position}, but of the key itself, for faults such as an unknown key. */
  keyPosition(path: YamlPath): { readonly line: number; readonly column: number };
  /** A {@link DataError} that names the place of `path`. */
  error(path: YamlPath, message: string): DataError;
}

/**
 * Reads a YAML 1.2 file.
 * @throws {DataError} where the file cannot be read, is no regular file, is larger than 4 MiB or is no YAML (duplicate keys included), with file:line:column
 */
export function readYaml(path: string): YamlSource {
  const file = displayPath(path);
  return parseYaml(packedText(path) ?? readTextFile(path, file, MOST_BYTES), file);
}

/** Like {@link readYaml}, for text that is already in memory. */
export function parseYaml(text: string, file: string): YamlSource {
  const { value, places } = parse(text, file);
  const at = (offset: number) => places.lineColumn(offset);
  return {
    file,
    text,
    value,
    position: (path) => at(places.offset(path)),
    keyPosition: (path) => at(places.keyOffset(path)),
    error: (path, message) => {
      const { line, column } = at(places.keyOffset(path));
      return new DataError(`${file}:${line}:${column}`, message);
    },
  };
}

function parse(text: string, file: string): { readonly value: unknown; readonly places: YamlPlaces } {
  const { constructFromEvents, parseEvents, YAMLException } = yamlLibrary();
  try {
    const events = parseEvents(text, {});
    const values = constructFromEvents(events, { source: text, maxAliases: MOST_ALIASES });
    if (values.length > 1) throw new DataError(file, "holds more than one YAML document");
    return { value: values[0] ?? null, places: new YamlPlaces(text, events) };
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    const { mark, reason } = error;
    throw new DataError(mark === undefined ? file : `${file}:${mark.line + 1}:${mark.column + 1}`, reason);
  }
}

/** A path as people should see it: relative to the working directory where it lies below it. */
export function displayPath(path: string): string {
  const short = relative(process.cwd(), path);
  return short === "" || short.startsWith("..") ? path : short;
}
