/** Where reporters write, and how the console looks. */
import type { ConsoleStyle } from "../report/console.ts";
import type { ReportData } from "../report/data.ts";
import { PRINTERS } from "../report/printers.ts";
import { type Edge, writeFile } from "./edge.ts";
import { type Options, type Reporter, UsageError } from "./options.ts";

const DEFAULT_WIDTH = 80;
const MIN_WIDTH = 40;

/** What reporters write: to files at the end of the run, or to standard output at once. */
export class Outputs {
  readonly style: ConsoleStyle;
  /** Whether the console can replace its last line. */
  readonly hasStatusLine: boolean;
  readonly #reporters: readonly Reporter[];
  readonly #edge: Edge;
  readonly #texts = new Map<string, string>();

  /** @throws {UsageError} if two reporters write to the same place */
  constructor({ reporter, verbose = false, "no-color": noColor = false }: Options, edge: Edge) {
    this.#reporters = reporter ?? [{ name: "console" }];
    this.#edge = edge;
    const takenBy = new Map<string | undefined, string>();
    for (const { name, file } of this.#reporters) {
      if (file === undefined && "isLog" in PRINTERS[name]) continue;
      const other = takenBy.get(file);
      if (other !== undefined)
        throw new UsageError(
          file === undefined
            ? `--reporter ${name}: standard output is taken by reporter ${other}; add =FILE to one`
            : `--reporter ${name}=${file}: ${file} is taken by reporter ${other}; choose another file`,
        );
      takenBy.set(file, name);
    }
    const isShown = this.#reporters.some(({ name, file }) => name === "console" && file === undefined);
    const terminal = isShown ? edge.terminal : undefined;
    this.hasStatusLine = terminal !== undefined && edge.env["TERM"] !== "dumb";
    this.style = {
      width: Math.max(MIN_WIDTH, terminal?.columns ?? DEFAULT_WIDTH),
      isVerbose: verbose,
      isColored: isShown && !noColor && isColorWanted(edge.env, this.hasStatusLine),
    };
  }

  get hasConsole(): boolean {
    return this.#reporters.some(({ name }) => name === "console");
  }

  write(name: Reporter["name"], text: string): void {
    for (const { file } of this.#reporters.filter((reporter) => reporter.name === name))
      if (file === undefined) this.#edge.write(text);
      else this.#texts.set(file, (this.#texts.get(file) ?? "") + text);
  }

  /**
   * Prints a report by all reporters, and saves the files.
   * @param isOnConsole whether the console shows the report already
   * @throws {DataError} if a file cannot be written
   */
  printReport(data: ReportData, isOnConsole: boolean): void {
    for (const name of new Set(this.#reporters.map((reporter) => reporter.name)))
      if (name !== "console" || !isOnConsole) this.write(name, PRINTERS[name].print(data, this.style));
    for (const [file, text] of this.#texts) writeFile(file, text);
  }
}

/** Follows no-color.org and force-color.org. */
function isColorWanted({ NO_COLOR = "", FORCE_COLOR = "" }: Edge["env"], byDefault: boolean): boolean {
  if (NO_COLOR !== "") return false;
  return FORCE_COLOR === "" ? byDefault : FORCE_COLOR !== "0" && FORCE_COLOR !== "false";
}
