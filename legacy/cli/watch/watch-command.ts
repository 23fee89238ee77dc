import { relative } from "node:path";
import { AdapterFault } from "../../adapters/adapter.ts";
import { DataError } from "../../engine/data/data-error.ts";
import { type GatedReport, gatedReport } from "../../policies/gated-report.ts";
import { UNDECIDED, UNWRITTEN } from "../exit-status.ts";
import { drawn, type JudgeEdge } from "../judge-run.ts";
import { afterRun, idsThere, type LastRun, lastRunIn } from "../last-run.ts";
import { flagOf, WAYS } from "../options.ts";
import { reportContext } from "../report-context.ts";
import { reportBroken, reportError } from "../report-error.ts";
import { loadReporters, type Reporter } from "../reporters.ts";
import { type JudgedSide, type RunCommandOptions, type RunEdge, SERVICES, watched } from "../run-command.ts";
import { saveFailures } from "../save-failures.ts";
import { UsageError } from "../usage-error.ts";
import { writeReports } from "../write-reports.ts";
import { changeOf, savedText, watchText } from "./watch-text.ts";
import { Saves, watchedFiles } from "./watched-files.ts";

/** What the edge of the program gives to a watch. */
export interface WatchEdge extends Omit<RunEdge, "stopped" | "every"> {
  readonly every: NonNullable<RunEdge["every"]>;
  /** Tells each key that is pressed; gives how to end that. */
  readonly keys: (onKey: (key: string) => void) => () => void;
  /** Settles at the first request to stop. */
  readonly stop: () => Promise<void>;
  /** Clears the screen, where the output is one. */
  readonly clear: () => void;
  /** The working directory. */
  readonly cwd: string;
  /** How the implementation is reached, where that is not by the options. */
  readonly reach?: JudgeEdge["reach"];
}

/** Why what is left of a run is not done. */
const ABANDONED = "not run: a file was saved, or a key was pressed";
/** Retries, and the interval between them in ms, for a server that restarts when a file is saved. */
const TRIES = 20;
const AGAIN_MS = 500;

/** What ends a wait, or a run: a save, Enter, or the request to quit. */
type Event =
  | { readonly kind: "saved"; readonly files: readonly string[] }
  | { readonly kind: "again" | "end" };

/**
 * `run --watch`, and `client --watch`: judges, and again at each save: first what failed last time, then everything. A save abandons a run that
 * goes on.
 * @returns the exit status of the last whole run
 * @throws {UsageError} where there is nothing to watch, and for options that a watch has no use for
 * @throws {DataError} for a file with a fault, at the first run
 */
export async function watchCommand(
  options: RunCommandOptions,
  edge: WatchEdge,
  side: JudgedSide = SERVICES,
): Promise<number> {
  check(options, side);
  const watch = new Watch(options, edge, await loadReporters(options.reporter), side);
  try {
    return await watch.go();
  } finally {
    watch.end();
  }
}

function check(options: RunCommandOptions, { judged }: JudgedSide): void {
  const { module, restartOn = [], failed, shard, updateBaseline, updateChoices, reporter } = options;
  if (module === undefined && restartOn.length === 0)
    throw new UsageError(
      WAYS.some((way) => options[way] !== undefined)
        ? "--watch needs --restart-on GLOB here: the files at whose change to judge again"
        : `--watch needs ${judged === "client" ? "a client" : "an implementation"} to watch: --module FILE, or another with --restart-on GLOB`,
    );
  const others = { failed, shard, updateBaseline, updateChoices };
  for (const [name, value] of Object.entries(others)) {
    if (value !== undefined) throw new UsageError(`${flagOf(name)} does not go with --watch`);
  }
  const onScreen = reporter.find((value) => value !== "console" && !value.includes("="));
  if (onScreen !== undefined)
    throw new UsageError(
      `--reporter ${onScreen}: --watch has the screen to itself; give a file (${onScreen}=FILE)`,
    );
}

class Watch {
  readonly #options: RunCommandOptions;
  readonly #edge: WatchEdge;
  readonly #reporters: readonly Reporter[];
  readonly #side: JudgedSide;
  readonly #saves: Saves;
  readonly #endKeys: () => void;
  readonly #events: Event[] = [];
  #wake: () => void = () => {};
  /** What is known to fail, and what was last reported of that. */
  #last: LastRun | undefined;
  #told: LastRun | undefined;
  #status: number | undefined;
  #runs = 0;

  constructor(options: RunCommandOptions, edge: WatchEdge, reporters: readonly Reporter[], side: JudgedSide) {
    const { seed } = drawn(options, edge.chance);
    this.#options = { ...options, seed };
    this.#edge = edge;
    this.#reporters = reporters.filter(({ file }) => file !== undefined);
    this.#side = side;
    this.#last = edge.lastRuns?.read(side.words(options));
    this.#told = this.#last;
    const { module, restartOn: globs = [] } = options;
    const written = reporters.flatMap(({ file }) => file ?? []);
    const what = { ...(module === undefined ? {} : { module }), globs, written, cwd: edge.cwd };
    this.#saves = new Saves(() => watchedFiles(what), {
      time: edge.time,
      every: edge.every,
      onSave: (files) => this.#happens({ kind: "saved", files }),
    });
    this.#endKeys = edge.keys((key) => {
      if (key === "\r" || key === "\n") this.#happens({ kind: "again" });
      if (key === "q" || key === "\u0003") this.#happens({ kind: "end" });
    });
    void edge.stop().then(() => this.#happens({ kind: "end" }));
  }

  /** Judges until the user ends it; gives the last exit status. */
  async go(): Promise<number> {
    const { interrupt } = this.#edge;
    for (let event: Event = { kind: "again" }; ; ) {
      if (event.kind === "end") return this.#status ?? (interrupt?.status() || UNDECIDED);
      const stop = new AbortController();
      const round = this.#round(event, stop.signal);
      const next = this.#next();
      const ended = await Promise.race([round.then(() => true), next.then(() => false)]);
      if (!ended) stop.abort(ABANDONED);
      event = await next;
      // The user who quits does not wait for a slow service.
      if (event.kind === "end") round.catch(() => undefined);
      else await round;
    }
  }

  end(): void {
    this.#saves.end();
    this.#endKeys();
  }

  /** One round: after a save first what failed, then everything. */
  async #round(event: Event, signal: AbortSignal): Promise<void> {
    const { output, clear } = this.#edge;
    clear();
    output.out(`${this.#heading(event)}\n\n`);
    const first = this.#runs === 0;
    try {
      if (first || event.kind === "saved") await this.#tryFailed(signal);
      const report = signal.aborted ? undefined : await this.#judged(this.#options, signal);
      if (report === undefined || signal.aborted) return;
      this.#status = await this.#tell(report);
    } catch (error) {
      if (signal.aborted) return;
      const known =
        error instanceof AdapterFault || error instanceof DataError || error instanceof UsageError;
      if (!known || (first && !(error instanceof AdapterFault))) throw error;
      const { judged } = this.#side;
      this.#status =
        error instanceof AdapterFault ? reportBroken(error, judged, output) : reportError(error, output);
    }
    this.#runs += 1;
    output.out(`\nwatching ${this.#saves.count} files · Enter: all again · q: end\n`);
  }

  /** Tells what a whole run came to, and gives its exit status. */
  async #tell(report: GatedReport): Promise<number> {
    const { output } = this.#edge;
    const { saveFailures: folder } = this.#options;
    const context = reportContext(report, await this.#side.data(), this.#options);
    const { color, width } = output;
    output.out(watchText(report, changeOf(this.#told, lastRunIn(report)), { ...context, color, width }));
    this.#told = this.#last;
    const saved = folder === undefined || saveFailures(report, folder, output);
    const written = (await writeReports(this.#reporters, report, context, output)) && saved;
    return report.exitStatus !== 0 || written ? report.exitStatus : UNWRITTEN;
  }

  /** Runs what failed last time first, and reports how much of it passes now. */
  async #tryFailed(signal: AbortSignal): Promise<void> {
    const last = this.#last;
    const ids =
      last === undefined || last.failed.length === 0
        ? []
        : await idsThere(last.failed, await this.#side.data());
    if (last === undefined || ids.length === 0) return;
    const { runs, seed } = last;
    await this.#judged({ ...this.#options, only: ids, runs, seed }, signal);
    if (signal.aborted) return;
    const still = new Set(this.#last?.failed);
    const mended = ids.filter((id) => !still.has(id)).length;
    this.#edge.output.out(`${mended} of ${ids.length} that failed are mended; now everything\n\n`);
  }

  /** A run, remembered; undefined where it was abandoned before it had a result. */
  async #judged(options: RunCommandOptions, signal: AbortSignal): Promise<GatedReport | undefined> {
    const { output, time, chance, every, reach } = this.#edge;
    for (let tries = 1; ; tries += 1) {
      try {
        const { data, outcome, gates, asked, words } = await this.#side.judge(drawn(options, chance), {
          time,
          stopped: () => (signal.aborted ? ABANDONED : undefined),
          stopReason: ABANDONED,
          ...(reach === undefined ? {} : { reach }),
          onSpawn: (pid) => output.err(`process ${pid} started; no time limit\n`),
          look: (run) => watched({ output, time, every, interrupt: { signal } }, run),
        });
        const report = { ...gatedReport(data.contract, outcome, gates), asked };
        this.#last = afterRun(this.#last, report);
        this.#edge.lastRuns?.write(words, this.#last);
        return report;
      } catch (error) {
        if (signal.aborted) return undefined;
        const isServer = options.url !== undefined;
        if (!(isServer && error instanceof AdapterFault && tries < TRIES && this.#runs > 0)) throw error;
        await time.sleep(AGAIN_MS);
      }
    }
  }

  #heading(event: Event): string {
    const { output, cwd } = this.#edge;
    const words = this.#side.words(this.#options).join(" ");
    const why =
      event.kind === "saved"
        ? savedText(
            event.files.map((file) => relative(cwd, file)),
            output.width,
          )
        : "";
    return [words, why].filter((text) => text !== "").join(" · ");
  }

  #happens(event: Event): void {
    this.#events.push(event);
    this.#wake();
  }

  /** What happens next: the end before all else, and of several saves the last. */
  async #next(): Promise<Event> {
    if (this.#events.length === 0)
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    const events = this.#events.splice(0);
    return events.find(({ kind }) => kind === "end") ?? events.at(-1) ?? { kind: "again" };
  }
}
