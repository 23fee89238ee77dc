/** Prints a run while it goes on: failures when they are found, and its progress. */
import type { Result } from "../play/result.ts";
import {
  type ConsoleContext,
  formatFailure,
  formatIncidental,
  formatProgress,
  formatSummary,
  formatVerdict,
  type Progress,
  render,
} from "../report/console.ts";
import { type FindingData, type ReportData, type ResultData, toResultData } from "../report/data.ts";
import type { Edge } from "./edge.ts";

/** Time between two updates of the status line, and between two lines of progress, in ms. */
const STATUS_MS = 200;
const PROGRESS_MS = 5_000;
const CLEAR_LINE = "\r\u001b[K";

export interface LiveConsoleOptions extends ConsoleContext {
  readonly isQuiet: boolean;
  readonly isColored: boolean;
  /** Whether a status line can be replaced by the next one. */
  readonly hasStatusLine: boolean;
  /** Number of vectors to play. */
  readonly selected: number;
}

export class LiveConsole {
  readonly #options: LiveConsoleOptions;
  readonly #write: (text: string) => void;
  readonly #edge: Edge;
  readonly #startMs: number;
  /** Rules and reasons of which a failure was shown. */
  readonly #shown = new Set<string>();
  #progress: Progress;
  #hasStatus = false;
  #hasProgressLine = false;
  #stop = () => {};

  /** @param write writes to the output of the console */
  constructor(options: LiveConsoleOptions, edge: Edge, write: (text: string) => void) {
    this.#options = options;
    this.#edge = edge;
    this.#write = write;
    this.#startMs = edge.elapsedMs();
    this.#progress = { done: 0, selected: options.selected, requests: 0, elapsedMs: 0 };
  }

  /** Starts to show the progress. */
  start(): void {
    if (this.#options.isQuiet) return;
    const { hasStatusLine } = this.#options;
    this.#stop = this.#edge.every(hasStatusLine ? STATUS_MS : PROGRESS_MS, () => {
      const elapsedMs = this.#edge.elapsedMs() - this.#startMs;
      const line = formatProgress({ ...this.#progress, elapsedMs });
      this.#hasStatus = hasStatusLine;
      this.#hasProgressLine = !hasStatusLine;
      this.#write(hasStatusLine ? CLEAR_LINE + line.slice(0, this.#options.width - 1) : `${line}\n`);
    });
  }

  print(lines: readonly string[]): void {
    if (lines.length === 0) return;
    const before = this.#hasStatus ? CLEAR_LINE : this.#hasProgressLine ? "\n" : "";
    this.#hasStatus = false;
    this.#hasProgressLine = false;
    this.#write(before + render(lines, this.#options.isColored));
  }

  /** Shows the first failure of each rule, and the first error of each kind. */
  onResult(result: Result, requests: number): void {
    const data = toResultData(result);
    const cause = causeOf(data);
    if (cause !== undefined && (this.#options.isVerbose || !this.#shown.has(cause)))
      this.print(formatFailure(data, this.#options));
    if (cause !== undefined) this.#shown.add(cause);
    const { done, firstFailure = cause } = this.#progress;
    this.#progress = {
      ...this.#progress,
      done: done + 1,
      requests,
      ...(firstFailure !== undefined && { firstFailure }),
    };
  }

  /** Shows what is left to say at the end. */
  end(data: ReportData): void {
    this.#stop();
    for (const { result, finding } of this.#unshownViolations(data))
      this.print(formatIncidental(result, finding, this.#options));
    this.print(this.#options.isQuiet ? [formatVerdict(data)] : formatSummary(data, this.#options));
  }

  /** Ends the progress without a report. */
  cancel(): void {
    this.#stop();
    if (this.#hasStatus) this.#write(CLEAR_LINE);
    this.#hasStatus = false;
  }

  /** Returns the first violation of each rule that no test of the rule showed. */
  #unshownViolations({ results, rules }: ReportData) {
    const violated = new Set(rules.filter(({ outcome }) => outcome === "violated").map(({ id }) => id));
    const found: { readonly result: ResultData; readonly finding: FindingData }[] = [];
    for (const result of results)
      for (const finding of result.findings ?? []) {
        const [rule = ""] = finding.rules;
        if (finding.incidental !== true || !violated.has(rule) || this.#shown.has(rule)) continue;
        this.#shown.add(rule);
        found.push({ result, finding });
      }
    return found;
  }
}

/** Returns the rule that a failed vector violates first, or the reason of an error. */
function causeOf({ outcome, reason = "", findings = [] }: ResultData): string | undefined {
  if (outcome === "error") return reason.replace(/^.*?: /, "");
  return outcome === "failed" ? findings.find(({ incidental }) => incidental !== true)?.rules[0] : undefined;
}
