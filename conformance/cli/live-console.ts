/** Prints a run while it goes on: its progress, the first failure at once, and all others at the end. */
import { SERVED_CONTRACT } from "../contract/constants.ts";
import type { Result } from "../play/result.ts";
import {
  formatGroup,
  formatHeader,
  formatProgress,
  formatSummary,
  formatVerdict,
  type Progress,
  render,
} from "../report/console.ts";
import { type ReportContext, type ReportData, type ResultData, toResultData } from "../report/data.ts";
import { contextOf, failureLines } from "../report/failure.ts";
import { groupFailures } from "../report/groups.ts";
import type { Report } from "../run/run.ts";
import type { Edge } from "./edge.ts";
import type { Outputs } from "./outputs.ts";

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

export class LiveConsole {
  readonly #options: LiveConsoleOptions;
  readonly #outputs: Outputs;
  readonly #edge: Edge;
  readonly #startMs: number;
  /** ID of the test whose failure was shown. */
  #shown: string | undefined;
  #progress: Progress;
  #hasStatus = false;
  #hasProgressLine = false;
  #stop = () => {};

  constructor(options: LiveConsoleOptions, edge: Edge, outputs: Outputs) {
    this.#options = options;
    this.#edge = edge;
    this.#outputs = outputs;
    this.#startMs = edge.elapsedMs();
    this.#progress = { done: 0, selected: options.selected, requests: 0, elapsedMs: 0 };
  }

  /** Shows what is tested, and starts to show the progress. @param target options that name the service */
  start({ implementation }: Report["info"], seed: number, target: string): void {
    const { isQuiet, context } = this.#options;
    if (isQuiet) return;
    const { version: contract } = SERVED_CONTRACT;
    this.print(formatHeader({ ...context, contract, service: implementation, run: { seed } }, target));
    const { hasStatusLine, style } = this.#outputs;
    this.#stop = this.#edge.every(hasStatusLine ? STATUS_MS : PROGRESS_MS, () => {
      const elapsedMs = this.#edge.elapsedMs() - this.#startMs;
      const line = formatProgress({ ...this.#progress, elapsedMs });
      this.#hasStatus = hasStatusLine;
      this.#hasProgressLine = !hasStatusLine;
      this.#write(hasStatusLine ? CLEAR_LINE + line.slice(0, style.width - 1) : `${line}\n`);
    });
  }

  #write(text: string): void {
    this.#outputs.write("console", text);
  }

  print(lines: readonly string[]): void {
    if (lines.length === 0) return;
    const before = this.#hasStatus ? CLEAR_LINE : this.#hasProgressLine ? "\n" : "";
    this.#hasStatus = false;
    this.#hasProgressLine = false;
    this.#write(before + render(lines, this.#outputs.style.isColored));
  }

  /** Shows the first failure or error. */
  onResult(result: Result, requests: number): void {
    const { context } = this.#options;
    const { style } = this.#outputs;
    const data = toResultData(result, context);
    const cause = causeOf(data);
    if (cause !== undefined && this.#shown === undefined) {
      this.#shown = data.id;
      const finding = data.findings?.find(({ incidental }) => incidental !== true);
      const failure = { result: data, ...(data.outcome === "failed" && finding && { finding }) };
      this.print([...failureLines(failure, { ...context, rules: context.contract.rules }, style.width), ""]);
    }
    const { done, firstFailure = cause } = this.#progress;
    this.#progress = {
      ...this.#progress,
      done: done + 1,
      requests,
      ...(firstFailure !== undefined && { firstFailure }),
    };
  }

  /** Shows the groups of failures, and the summary. */
  end(data: ReportData): void {
    this.#stop();
    const { style } = this.#outputs;
    const context = contextOf(data);
    for (const group of groupFailures(data)) {
      const { result, finding } = group.first;
      const isShown = result.id === this.#shown && finding?.incidental !== true;
      this.print(formatGroup(group, context, style, isShown));
    }
    this.print(this.#options.isQuiet ? [formatVerdict(data)] : formatSummary(data, style));
  }

  /** Ends the progress without a report. */
  cancel(): void {
    this.#stop();
    if (this.#hasStatus) this.#write(CLEAR_LINE);
    this.#hasStatus = false;
  }
}

/** Returns the rule that a failed vector violates first, or the reason of an error. */
function causeOf({ outcome, reason = "", findings = [] }: ResultData): string | undefined {
  if (outcome === "error") return reason.replace(/^.*?: /, "");
  return outcome === "failed" ? findings.find(({ incidental }) => incidental !== true)?.rules[0] : undefined;
}
