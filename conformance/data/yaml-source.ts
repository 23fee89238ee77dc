import { readFileSync } from "node:fs";
import { relative } from "node:path";
import { type Document, isMap, isNode, LineCounter, parseDocument, type Node as YamlNode } from "yaml";
import { DataError } from "./data-error.ts";

/** A path into a YAML document, from the root: keys of maps and indexes of sequences. */
export type YamlPath = readonly (string | number)[];

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
 * @throws {DataError} where the file cannot be read or is no YAML (duplicate keys included), with file:line:column
 */
export function readYaml(path: string): YamlSource {
  const file = displayPath(path);
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    throw new DataError(file, `cannot be read (${(error as NodeJS.ErrnoException).code ?? String(error)})`);
  }
  return parseYaml(text, file);
}

/** Like {@link readYaml}, for text that is already in memory. */
export function parseYaml(text: string, file: string): YamlSource {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: true });
  const fault = document.errors[0] ?? document.warnings[0];
  const at = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
  if (fault !== undefined) {
    const { line, column } = at(fault.pos[0]);
    throw new DataError(`${file}:${line}:${column}`, firstLine(fault.message));
  }
  const position = (path: YamlPath) => at(offsetOf(document, path));
  const keyPosition = (path: YamlPath) => at(keyOffsetOf(document, path) ?? offsetOf(document, path));
  return {
    file,
    text,
    value: toPlain(document, file),
    position,
    keyPosition,
    error: (path, message) => {
      const { line, column } = keyPosition(path);
      return new DataError(`${file}:${line}:${column}`, message);
    },
  };
}

/** A path as people should see it: relative to the working directory where it lies below it. */
export function displayPath(path: string): string {
  const short = relative(process.cwd(), path);
  return short === "" || short.startsWith("..") ? path : short;
}

function toPlain(document: Document, file: string): unknown {
  try {
    return document.toJS({ maxAliasCount: 100 });
  } catch (error) {
    throw new DataError(file, firstLine(error instanceof Error ? error.message : String(error)));
  }
}

function firstLine(text: string): string {
  return text.split("\n", 1)[0] ?? text;
}

function offsetOf(document: Document, path: YamlPath): number {
  for (let length = path.length; length >= 0; length--) {
    const node = length === 0 ? document.contents : document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range) return node.range[0];
  }
  return 0;
}

function keyOffsetOf(document: Document, path: YamlPath): number | undefined {
  const key = path.at(-1);
  const parent = path.length <= 1 ? document.contents : document.getIn(path.slice(0, -1), true);
  if (!isMap(parent)) return undefined;
  const pair = parent.items.find(
    (item) => isNode(item.key) && String((item.key as YamlNode).toJSON()) === String(key),
  );
  return pair && isNode(pair.key) ? pair.key.range?.[0] : undefined;
}
