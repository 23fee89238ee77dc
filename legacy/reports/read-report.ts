import { DataError } from "../engine/data/data-error.ts";
import { MIB, readTextFile } from "../engine/data/read-text-file.ts";
import { schemaFault } from "../engine/data/schema.ts";
import { displayPath } from "../engine/data/yaml-source.ts";
import { kitVersion, PATHS } from "../paths.ts";
import { plainLine } from "../plain-text.ts";
import type { GatedReport } from "../policies/gated-report.ts";

/** Bytes that a report may have: a run of the kit whose every vector fails writes a few. */
const MOST_BYTES = 64 * MIB;

/**
 * Reads what `--reporter json=FILE` wrote, and holds it to `report.schema.json`.
 * @throws {DataError} one line that names the file and the place in it, where it cannot be read, is no regular file, is
 *   larger than 64 MiB, is no JSON or no report
 */
export function readReport(path: string): GatedReport {
  const file = displayPath(path);
  const value = parsed(file, readTextFile(path, file, MOST_BYTES));
  const fault = schemaFault(value, PATHS.reportSchema);
  if (fault === undefined) return value as GatedReport;
  const place = fault.path.length === 0 ? "" : ` at ${fault.path.join(".")}`;
  throw new DataError(
    file,
    plainLine(`no report of this kit${writtenBy(value)}:${place} ${fault.message}`, 300),
  );
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
