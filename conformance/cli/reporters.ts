import { writeFileSync } from "node:fs";
import { jsonReport } from "../report/json.ts";
import type { Report } from "../run/report.ts";
import type { Output } from "./output.ts";
import { UsageError } from "./usage-error.ts";

/** A reporter that was asked for: `NAME` or `NAME=FILE`. */
export interface ReporterSpec {
  readonly name: string;
  readonly file?: string;
}

const WRITERS: Readonly<Record<string, (report: Report) => string>> = { json: jsonReport };

/**
 * Reads `--reporter` values.
 * @throws {UsageError} for a name that is none, before anything runs
 */
export function parseReporters(values: readonly string[]): readonly ReporterSpec[] {
  return values.map((value) => {
    const [name = "", ...rest] = value.split("=");
    const file = rest.join("=");
    if (name !== "console" && WRITERS[name] === undefined) {
      throw new UsageError(
        `--reporter ${name}: there is no such reporter; there are console, ${Object.keys(WRITERS).join(", ")}`,
      );
    }
    return rest.length === 0 ? { name } : { name, file };
  });
}

/**
 * Writes a finished report everywhere it was asked for. A file that cannot be written is one line and does not keep
 * the others from being written.
 * @param consoleText the report for the terminal
 * @returns whether all could be written
 */
export function writeReports(
  specs: readonly ReporterSpec[],
  report: Report,
  consoleText: () => string,
  output: Output,
): boolean {
  const wanted = specs.some(({ file, name }) => file === undefined && name !== "console")
    ? specs
    : [{ name: "console" }, ...specs];
  let complete = true;
  for (const { name, file } of wanted as readonly ReporterSpec[]) {
    const text = name === "console" ? consoleText() : (WRITERS[name]?.(report) ?? "");
    if (file === undefined) {
      output.out(text);
      continue;
    }
    try {
      writeFileSync(file, text);
    } catch (error) {
      complete = false;
      output.err(
        `${file}: the ${name} report could not be written (${(error as NodeJS.ErrnoException).code ?? String(error)})\n`,
      );
    }
  }
  return complete;
}
