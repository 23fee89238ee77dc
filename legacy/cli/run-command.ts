import { AdapterFault } from "../adapters/adapter.ts";
import type { RealTime } from "../engine/play/real-time.ts";
import { Activity } from "../engine/run/activity.ts";
import { type GatedReport, gatedReport } from "../policies/gated-report.ts";
import type { Chance } from "./chance.ts";
import { UNDECIDED, UNWRITTEN } from "./exit-status.ts";
import { type Drawn, drawn, type JudgedRun, type JudgeEdge, judgeRun, type Onlooker } from "./judge-run.ts";
import { type JudgedData, serviceData } from "./judged-data.ts";
import type { LastRuns } from "./last-run.ts";
import { afterRun, type FailedOptions, onlyFailed, wordsOf } from "./last-run.ts";
import type { OptionsOf } from "./options.ts";
import { INTERRUPTED, type Output } from "./output.ts";
import { Progress, TICK_MS } from "./progress.ts";
import { reportContext } from "./report-context.ts";
import { loadReporters, type Reporter } from "./reporters.ts";
import { saveFailures } from "./save-failures.ts";
import { writeReports } from "./write-reports.ts";

export interface RunCommandOptions extends FailedOptions, Pick<OptionsOf<"run">, "reporter" | "verbose"> {}

/** What the edge of the program gives to a run. */
export interface RunEdge {
  readonly output: Output;
  readonly time: RealTime;
  readonly chance: Chance;
  /** Why to stop early, once there is a reason (Ctrl-C). */
  readonly stopped: () => string | undefined;
  /** How the user ends it at once, and waits with it. */
  readonly interrupt?: Interrupt;
  /** Where runs are remembered, if they are. */
  readonly lastRuns?: Pick<LastRuns, "read" | "write">;
  /** Starts a repeating timer; returns a function that stops it. */
  readonly every?: (ms: number, tick: () => void) => () => void;
}

/** How a user ends a run early (Ctrl-C). */
export interface Interrupt {
  /** Aborted at the first request to stop; the reason is why what is left is not run. */
  readonly signal: AbortSignal;
  /** The exit status of a run that was ended so with nothing against the service. */
  readonly status: () => number;
}

/** Which side of the contract a command judges. */
export interface JudgedSide {
  /** What is said to be broken where it cannot be run. */
  readonly judged: "implementation" | "client";
  /** Cache key of the last run with these options. */
  words(options: RunCommandOptions): readonly string[];
  /** What is judged by. @throws {DataError} with file:line:column for any fault in any file */
  data(): Promise<JudgedData>;
  /** Does a run, as {@link judgeRun}. */
  judge(options: Drawn<RunCommandOptions>, edge: JudgeEdge): Promise<SideRun>;
}

/** What a run came to, and what it was judged by. */
export interface SideRun extends Pick<JudgedRun, "outcome" | "gates" | "asked" | "nowMs"> {
  readonly data: JudgedData;
  /** The words by which it is remembered. */
  readonly words: readonly string[];
}

/** Services: what `run` and `replay` judge. */
export const SERVICES: JudgedSide = {
  judged: "implementation",
  words: wordsOf,
  async data() {
    const { loadKitData } = await import("../contract/kit-data.ts");
    return serviceData(loadKitData());
  },
  async judge(options, edge) {
    const { contract, suites, ...judged } = await judgeRun(options, edge);
    return { ...judged, data: serviceData({ contract, suites }), words: judged.asked.options };
  },
};

/** `run` and `replay`: judges an implementation and gives the exit status. */
export async function runCommand(asked: RunCommandOptions, edge: RunEdge): Promise<number> {
  return judgeCommand(asked, edge, SERVICES);
}

/** Judges an implementation of one side of the contract, writes what was asked for, and gives the exit status. */
export async function judgeCommand(
  asked: RunCommandOptions,
  edge: RunEdge,
  side: JudgedSide,
): Promise<number> {
  const again = { words: side.words(asked), ids: async () => (await side.data()).ids() };
  const given =
    asked.failed === undefined ? asked : await onlyFailed(asked, again, edge.lastRuns, edge.output);
  if (given === undefined) {
    edge.output.out("nothing failed in the last run: nothing was run\n");
    return 0;
  }
  const options = drawn(given, edge.chance);
  const reporters = await loadReporters(options.reporter);
  try {
    return await judgeAndReport(options, edge, reporters, side);
  } catch (error) {
    // Without a report nothing else would tell the seed that was drawn.
    if (given.seed === "random") edge.output.err(`seed ${options.seed}\n`);
    if (!edge.interrupt?.signal.aborted || !(error instanceof AdapterFault)) throw error;
    edge.output.err("interrupted before anything was run\n");
    return edge.interrupt.status();
  }
}

/** Runs, applies the policies to the outcome, and reports. */
async function judgeAndReport(
  options: Drawn<RunCommandOptions>,
  edge: RunEdge,
  reporters: readonly Reporter[],
  side: JudgedSide,
): Promise<number> {
  const { output, time, stopped } = edge;
  const { outcome, asked, ...judgedWith } = await side.judge(options, {
    time,
    stopped,
    stopReason: INTERRUPTED,
    onSpawn: (pid) => output.err(`process ${pid} started; no time limit\n`),
    look: (run) => watched(edge, run),
  });
  const { data, gates } = judgedWith;
  const { report: judged, complete } =
    options.updateBaseline || options.updateChoices
      ? await (await import("./gates.ts")).updateGates(outcome, options, judgedWith, output)
      : { report: gatedReport(data.contract, outcome, gates), complete: true };
  const report = { ...judged, asked };
  const { words } = judgedWith;
  if (options.replay === undefined) edge.lastRuns?.write(words, afterRun(edge.lastRuns.read(words), report));
  const context = reportContext(report, data, options);
  const saved = options.saveFailures === undefined || saveFailures(report, options.saveFailures, output);
  const written = (await writeReports(reporters, report, context, output)) && saved && complete;
  return exitStatusOf(report, written, edge);
}

/** What it takes to show how far a run has come. */
type LookingEdge = Pick<RunEdge, "output" | "time" | "every"> & {
  readonly interrupt?: Pick<Interrupt, "signal"> | undefined;
};

/** Does a run, and shows meanwhile how far it has come and what it waits for. */
export async function watched<Outcome>(
  { output, time, interrupt, every = () => () => undefined }: LookingEdge,
  run: (onlooker: Onlooker) => Promise<Outcome>,
): Promise<Outcome> {
  const activity = new Activity(time, interrupt?.signal);
  const progress = new Progress({ output, activity, now: time.now });
  const end = every(TICK_MS, progress.tick);
  try {
    const { onResult, onSearch } = progress;
    const stop = interrupt === undefined ? {} : { interrupt: interrupt.signal };
    return await run({ ...stop, activity, onResult, onSearch });
  } finally {
    end();
    progress.end();
  }
}

/** The run's own exit status, or what cutting it short and losing a report make of a good one. */
function exitStatusOf(
  { results, exitStatus }: GatedReport,
  written: boolean,
  { output, interrupt }: RunEdge,
): number {
  const left = results.filter(({ reason }) => reason === INTERRUPTED).length;
  if (left > 0) {
    output.err(`interrupted: ${left} of ${results.length} were not run\n`);
    return exitStatus === 1 ? exitStatus : (interrupt?.status() ?? UNDECIDED);
  }
  return exitStatus !== 0 || written ? exitStatus : UNWRITTEN;
}
