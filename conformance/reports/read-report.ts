import { readFileSync } from "node:fs";
import { DataError } from "../engine/data/data-error.ts";
import { schemaFault } from "../engine/data/schema.ts";
import { displayPath } from "../engine/data/yaml-source.ts";
import { kitVersion, PATHS } from "../paths.ts";
import { plainLine } from "../plain-text.ts";
import type { GatedReport } from "../policies/gated-report.ts";

/**
 * Reads what `--reporter json=FILE` wrote, and holds it to `report.schema.json`.
 * @throws {DataError} one line that names the file and the place in it, where it cannot be read, is no JSON or no report
 */
export function readReport(path: string): GatedReport {
  const file = displayPath(path);
  const value = parsed(file, textOf(path, file));
  const fault = schemaFault(value, PATHS.reportSchema);
  if (fault === undefined) return value as GatedReport;
  const place = fault.path.length === 0 ? "" : ` at ${fault.path.join(".")}`;
  throw new DataError(
    file,
    plainLine(`no report of this kit${writtenBy(value)}:${place} ${fault.message}`, 300),
  );
}

function textOf(path: string, file: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new DataError(file, `cannot be read (${(error as NodeJS.ErrnoException).code ?? String(error)})`);
  }
}

function parsed(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new DataError(
      file,
      plainLine(`no JSON (${error instanceof Error ? error.message : String(error)})`, 300),
    );
  }
}

/** The usual reason why a report does not fit: another version of the kit wrote it. */
function writtenBy(value: unknown): string {
  const version = (value as { readonly kit?: { readonly version?: unknown } } | null)?.kit?.version;
  return typeof version === "string" && version !== kitVersion() ? ` (version ${version} wrote it)` : "";
}
