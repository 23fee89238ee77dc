import { resolve } from "node:path";
import { UsageError } from "./usage-error.ts";

/** A reporter that was asked for: `NAME`, or `NAME=FILE`. */
export interface ReporterSpec {
  readonly name: string;
  /** Where its text goes; to standard output where there is none. */
  readonly file?: string;
}

/** Made of lines among others, so that they may stand on standard output beside one report. */
const BESIDE = new Set(["github"]);

/**
 * Reads `--reporter` values. One report goes to standard output, the console's unless another is named without a file
 * (or with the file `-`), and each file holds one.
 * @throws {UsageError} where a name or a file is missing, or where two would write into each other
 */
export function parseReporters(values: readonly string[]): readonly ReporterSpec[] {
  const specs = values.map(parse);
  const files = new Map<string, string>();
  for (const { name, file } of specs) {
    if (file === undefined) continue;
    const other = files.get(resolve(file));
    if (other !== undefined)
      throw new UsageError(`--reporter ${name}=${file}: ${other} is to be written to that file`);
    files.set(resolve(file), name);
  }
  const [first, second] = specs.filter(({ name, file }) => file === undefined && !BESIDE.has(name));
  if (second !== undefined) {
    throw new UsageError(
      `--reporter ${second.name}: ${first?.name} is to go to standard output; give one of them a file (${second.name}=FILE)`,
    );
  }
  return first === undefined ? [{ name: "console" }, ...specs] : specs;
}

function parse(value: string): ReporterSpec {
  const [name = "", ...rest] = value.split("=");
  const file = rest.join("=");
  if (name === "") throw new UsageError(`--reporter ${value}: must be NAME or NAME=FILE`);
  if (rest.length === 0 || file === "-") return { name };
  if (file === "") throw new UsageError(`--reporter ${value}: must have a file after the =`);
  return { name, file };
}
