/** The output of a run: its reports, and its progress and failures on the console. */
import { resolve } from "node:path";
import { InternalError } from "../adapters/adapter.ts";
import { DataError } from "../data/data-file.ts";
import { escapeLines } from "../data/text.ts";
import { removeOldFile, writeTextFile } from "../data/write-file.ts";
import type { Result } from "../play/result.ts";
import {
  type ConsoleStyle,
  formatGroup,
  formatHeader,
  formatSummary,
  formatVerdict,
  render,
  seconds,
} from "../report/console.ts";
import { type ReportContext, type ReportData, toResultData } from "../report/data.ts";
import { failureLines } from "../report/failure.ts";
import { printErrors } from "../report/github.ts";
import { errorMessage, type Failure, groupFailures, mainFailure } from "../report/groups.ts";
import type { Report } from "../run/run.ts";
import type { Test } from "../suite/vector.ts";
import type { Edge } from "./edge.ts";
import { type Invocation, type Reporter, UsageError } from "./options.ts";

/** Reporters of log lines, which can be mixed with other lines. */
const LOG_REPORTERS: ReadonlySet<Reporter["name"]> = new Set(["console", "github"]);
const MIN_WIDTH = 40;
/** Width of a file or a pipe, whose lines are not wrapped. */
const UNLIMITED_WIDTH = 1_000_000;

/** The output of reporters: to files at the end of the run, or to standard output at once. */
export class Outputs {
  readonly style: ConsoleStyle;
  /** Whether the console can replace its last line. */
  readonly hasStatusLine: boolean;
  /** Whether a reporter for people prints to standard output. */
  readonly isShown: boolean;
  readonly #reporters: readonly Reporter[];
  readonly #edge: Edge;
  readonly #texts = new Map<string, string>();
  readonly #faults: Error[] = [];

  /**
   * Removes the files of an earlier run, so that none of them looks like the result of a run that fails to
   * start. Keeps files that the command also reads.
   * @throws {UsageError} if two reporters write to the same place
   */
  constructor({ options, operands, words }: Invocation, edge: Edge) {
    const { reporter, verbose = false, "no-color": noColor = false } = options;
    this.#reporters = reporter ?? [{ name: "console", file: undefined }];
    this.#edge = edge;
    const takenBy = new Map<string | undefined, string>();
    for (const { name, file } of this.#reporters) {
      if (file === undefined && LOG_REPORTERS.has(name)) continue;
      const place = file && resolve(file);
      const other = takenBy.get(place);
      if (other !== undefined)
        throw new UsageError(
          file === undefined
            ? `--reporter ${name}: reporter ${other} also writes to standard output; add =FILE to one of them`
            : `--reporter ${name}=${file}: reporter ${other} also writes to ${file}; choose another file`,
        );
      takenBy.set(place, name);
    }
    const others = [...words].flatMap(([name, list]) => (name === "reporter" ? [] : list));
    const read = new Set([...operands, ...others].map((path) => resolve(path)));
    for (const place of takenBy.keys()) if (place !== undefined && !read.has(place)) removeOldFile(place);
    this.isShown = this.#reporters.some(({ name, file }) => name === "console" && file === undefined);
    const terminal = this.isShown ? edge.terminal : undefined;
    this.hasStatusLine = terminal !== undefined && edge.env["TERM"] !== "dumb";
    this.style = {
      width: Math.max(MIN_WIDTH, terminal?.columns ?? UNLIMITED_WIDTH),
      isVerbose: verbose,
      repository: edge.env["GITHUB_WORKSPACE"],
      isColored: this.isShown && !noColor && isColorWanted(edge.env, this.hasStatusLine),
    };
  }

  write(name: Reporter["name"], text: string): void {
    for (const { file } of this.#reporters.filter((reporter) => reporter.name === name))
      if (file === undefined) this.#edge.write(text);
      else this.#texts.set(file, (this.#texts.get(file) ?? "") + text);
  }

  /**
   * Prints a report with all reporters, and writes their files.
   * @param onConsole prints the report on the console (default: as its reporter does)
   */
  async printReport(data: ReportData, onConsole?: () => void): Promise<void> {
    await this.print(async (name) => {
      if (name === "console" && onConsole !== undefined) return onConsole();
      const { PRINTERS } = await import("../report/printers.ts");
      this.write(name, PRINTERS[name](data, this.style));
    });
  }

  /** Lets each reporter write its text, and then writes the files. */
  async print(writeAs: (name: Reporter["name"]) => void | Promise<void>): Promise<void> {
    for (const name of new Set(this.#reporters.map((reporter) => reporter.name)))
      try {
        await writeAs(name);
      } catch (error) {
        this.keep(error);
      }
    for (const [file, text] of this.#texts) this.save(file, text);
  }

  /** Writes a file, and returns whether that succeeded. @param folder folder that the user named, if any */
  save(file: string, text: string, folder?: string): boolean {
    try {
      writeTextFile(file, text, folder === undefined ? {} : { folder });
      return true;
    } catch (error) {
      this.keep(error);
      return false;
    }
  }

  /** Keeps an error until {@link end}, so that it prevents no other output. */
  keep(error: unknown): void {
    this.#faults.push(error instanceof DataError ? error : InternalError.from(error));
  }

  /** Prints a line on standard error, unless standard output shows the same to people. */
  notify(line: string): void {
    if (!this.isShown) this.#edge.writeError(escapeLines([line]));
  }

  /**
   * Prints the verdict for people, and all errors.
   * @param status exit status of the command without the errors
   * @param verdict the verdict, if the command has one
   * @returns exit status: 70 after an internal error; if a file is missing, 2 in place of 0
   */
  end(status: number, verdict?: string): number {
    const isInternal = this.#faults.some((fault) => fault instanceof InternalError);
    if (verdict !== undefined && !isInternal) this.notify(verdict);
    const errors = this.#faults.map(({ message }) => message).join("\n");
    if (errors !== "") this.#edge.writeError(escapeLines(errors.split("\n")));
    if (errors !== "") this.write("github", printErrors(errors, this.style));
    if (isInternal) return 70;
    return status === 0 && this.#faults.length > 0 ? 2 : status;
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

interface ConsoleOptions {
  readonly context: ReportContext;
  readonly implementation: Report["info"]["implementation"];
  readonly seed: number;
  /** Options that name the service. */
  readonly target: string;
  readonly isQuiet: boolean;
  /** Tests to play, in their order. */
  readonly tests: readonly Test[];
}

/** Prints a run while it is in progress: its status, the first failure at once, and all others at the end. */
export function openConsole(options: ConsoleOptions, edge: Edge, outputs: Outputs) {
  const { context, implementation, seed, target, isQuiet, tests } = options;
  const { style, hasStatusLine } = outputs;
  const startMs = edge.elapsedMs();
  const done = new Set<string>();
  let requests = 0;
  /** ID of the rule that the first failure violates, or the message of an error. */
  let firstFailure: string | undefined;
  /** Text to print before the next lines, to end the progress output. */
  let progressEnd = "";
  /** ID of the test whose failure was shown. */
  let shown: string | undefined;
  const print = (lines: readonly string[]) => {
    outputs.write("console", progressEnd + render(lines, style.isColored));
    progressEnd = "";
  };
  const printProgress = () => {
    const next = tests.find(({ id }) => !done.has(id));
    const suite = next === undefined ? "" : ` (${next.id.split("/", 1)})`;
    const failure = firstFailure === undefined ? "" : `, first failure: ${firstFailure}`;
    const effort = `${requests} requests, ${seconds(edge.elapsedMs() - startMs)}`;
    const line = `${done.size}/${tests.length} tests${suite}, ${effort}${failure}`;
    if (!outputs.isShown) return outputs.notify(line);
    progressEnd = hasStatusLine ? CLEAR_LINE : "\n";
    outputs.write("console", hasStatusLine ? CLEAR_LINE + line.slice(0, style.width - 1) : `${line}\n`);
  };
  if (!isQuiet) print(formatHeader(context, seed, implementation, target, style.width));
  const interval = hasStatusLine ? STATUS_MS : PROGRESS_MS;
  const stop = isQuiet ? () => {} : edge.every(interval, printProgress);
  return {
    /** Shows the first failure or error. */
    onResult(result: Result, sent: number): void {
      const failure = mainFailure(toResultData(result, context));
      done.add(result.vector.id);
      requests = sent;
      if (failure === undefined || shown !== undefined) return;
      shown = failure.result.id;
      firstFailure = failure.finding?.rules[0] ?? errorMessage(failure.result);
      const rules = [...context.contract.rules.values()];
      print([...failureLines(failure, { rules, run: context }, style.width), ""]);
    },

    stop(): void {
      stop();
      if (hasStatusLine) print([]);
    },

    /** Shows the groups of failures, and the summary. */
    printReport(data: ReportData): void {
      const result = data.results.find(({ id }) => id === shown);
      const first = result && mainFailure(result);
      for (const group of groupFailures(data)) {
        const isShown = ({ result: of, finding }: Failure) => of === result && finding === first?.finding;
        print(formatGroup(group, data, style, group.members.find(isShown)));
      }
      print(isQuiet ? [formatVerdict(data)] : formatSummary(data, style, first));
    },
  };
}
