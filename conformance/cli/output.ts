/** The output of a run: the reports, and on the console its progress and failures during the run. */
import type { Result } from "../play/result.ts";
import {
  type ConsoleStyle,
  formatGroup,
  formatHeader,
  formatProgress,
  formatSummary,
  formatVerdict,
  type Progress,
  render,
} from "../report/console.ts";
import { type ReportContext, type ReportData, toResultData } from "../report/data.ts";
import { failureLines } from "../report/failure.ts";
import { type Failure, groupFailures, mainFailure } from "../report/groups.ts";
import { LOG_PRINTERS, PRINTERS } from "../report/printers.ts";
import type { Report } from "../run/run.ts";
import { type Edge, writeFile } from "./edge.ts";
import { type Options, type Reporter, UsageError } from "./options.ts";

const DEFAULT_WIDTH = 80;
const MIN_WIDTH = 40;

/** The output of reporters: to files at the end of the run, or to standard output at once. */
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
      if (file === undefined && LOG_PRINTERS.has(name)) continue;
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
      if (name !== "console" || !isOnConsole) this.write(name, PRINTERS[name](data, this.style));
    for (const [file, text] of this.#texts) writeFile(file, text);
  }
}

/** Follows no-color.org and force-color.org. */
function isColorWanted({ NO_COLOR = "", FORCE_COLOR = "" }: Edge["env"], byDefault: boolean): boolean {
  if (NO_COLOR !== "") return false;
  return FORCE_COLOR === "" ? byDefault : FORCE_COLOR !== "0" && FORCE_COLOR !== "false";
}

/** Time between two updates of the status line, and between two lines of progress, in ms. */
const STATUS_MS = 200;
const PROGRESS_MS = 5_000;
const CLEAR_LINE = "\r\u001b[K";

export interface LiveConsoleOptions {
  readonly context: ReportContext;
  readonly isQuiet: boolean;
  /** Number of tests to play. */
  readonly selected: number;
}

/**
 * Prints a run while it is in progress: its status, the first failure at once, and all others at the end.
 */
export class LiveConsole {
  readonly #options: LiveConsoleOptions;
  readonly #outputs: Outputs;
  readonly #edge: Edge;
  readonly #startMs: number;
  /** ID of the test whose failure was shown. */
  #shown: string | undefined;
  #progress: Progress;
  /** Text that ends the progress before other lines are printed. */
  #progressEnd = "";
  #stop = () => {};

  constructor(options: LiveConsoleOptions, edge: Edge, outputs: Outputs) {
    this.#options = options;
    this.#edge = edge;
    this.#outputs = outputs;
    this.#startMs = edge.elapsedMs();
    this.#progress = { done: 0, selected: options.selected, requests: 0, elapsedMs: 0 };
  }

  /** Shows the header, and starts to show the progress. @param target options that name the service */
  start({ implementation }: Report["info"], seed: number, target: string): void {
    const { isQuiet, context } = this.#options;
    if (isQuiet) return;
    this.print(formatHeader({ ...context, seed }, implementation, target, this.#outputs.style.width));
    const { hasStatusLine, style } = this.#outputs;
    this.#stop = this.#edge.every(hasStatusLine ? STATUS_MS : PROGRESS_MS, () => {
      const elapsedMs = this.#edge.elapsedMs() - this.#startMs;
      const line = formatProgress({ ...this.#progress, elapsedMs });
      this.#progressEnd = hasStatusLine ? CLEAR_LINE : "\n";
      this.#write(hasStatusLine ? CLEAR_LINE + line.slice(0, style.width - 1) : `${line}\n`);
    });
  }

  #write(text: string): void {
    this.#outputs.write("console", text);
  }

  print(lines: readonly string[]): void {
    this.#write(this.#progressEnd + render(lines, this.#outputs.style.isColored));
    this.#progressEnd = "";
  }

  /** Shows the first failure or error. */
  onResult(result: Result, requests: number): void {
    const { context } = this.#options;
    const { width } = this.#outputs.style;
    const failure = mainFailure(toResultData(result, context));
    this.#progress = { ...this.#progress, done: this.#progress.done + 1, requests };
    if (failure === undefined || this.#shown !== undefined) return;
    this.#shown = failure.result.id;
    this.#progress = { ...this.#progress, firstFailure: causeOf(failure) };
    const rules = [...context.contract.rules.values()];
    this.print([...failureLines(failure, { rules, run: context }, width), ""]);
  }

  /** Shows the groups of failures, and the summary. */
  end(data: ReportData): void {
    this.#stop();
    const { style } = this.#outputs;
    for (const group of groupFailures(data)) {
      const { result, finding } = group.first;
      const isShown = result.id === this.#shown && finding?.incidental !== true;
      this.print(formatGroup(group, data, style, isShown));
    }
    this.print(this.#options.isQuiet ? [formatVerdict(data)] : formatSummary(data, style));
  }

  /** Ends the progress without a report. */
  cancel(): void {
    this.#stop();
    if (this.#outputs.hasStatusLine) this.print([]);
  }
}

/** Returns the rule that a failed test violates first, or the reason of an error. */
function causeOf({ result: { reason = "" }, finding }: Failure): string {
  return finding?.rules[0] ?? reason.replace(/^.*?: /, "");
}
