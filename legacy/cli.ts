/** The edge of the program: its streams, the clock, the signals and the end of its process. */
import { closeSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { CHANCE } from "./cli/chance.ts";
import { LastRuns } from "./cli/last-run.ts";
import { lineage, orphaned } from "./cli/lineage.ts";
import { INTERRUPTED, type Output, watched } from "./cli/output.ts";
import { main } from "./cli/program.ts";
import { MACHINE_TIME } from "./machine-time.ts";

/** Polling interval for the end of the parent process, in ms. */
const LOOK_EVERY_MS = 500;

const standardOutput = watched(process.stdout);
const output: Output = {
  out: standardOutput.write,
  err: watched(process.stderr).write,
  lost: standardOutput.lost,
  color: process.stdout.isTTY === true && process.env["NO_COLOR"] === undefined,
  width: Math.max(60, Math.min(process.stdout.columns ?? 110, 160)),
  live: process.stderr.isTTY === true && process.env["CI"] === undefined,
};
/** npx, `timeout` and similar programs forward a Ctrl-C that the terminal has sent already: that is one request. */
const SAME_KEY_MS = 300;
const EXIT_STATUS = { SIGINT: 130, SIGTERM: 143 } as const;
const interrupt: { reason?: string; judging?: true; status?: number; atMs?: number } = {};
const interrupted = new AbortController();
const leave = process.exit.bind(process);

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.on(signal, () => {
    const first = interrupt.reason === undefined;
    const nowMs = MACHINE_TIME.now();
    interrupt.atMs ??= nowMs;
    interrupt.reason = INTERRUPTED;
    interrupt.status ??= EXIT_STATUS[signal];
    interrupted.abort(INTERRUPTED);
    if (first && interrupt.judging) {
      output.err("interrupted: reporting partial results; press Ctrl-C again to quit without a report\n");
    } else if (first ? process.listenerCount(signal) === 1 : nowMs - interrupt.atMs >= SAME_KEY_MS) {
      leave(EXIT_STATUS[signal]);
    }
  });
}

// Node would open its inspector, through which whoever sent the signal could write the verdict.
process.on("SIGUSR1", () => {});

/** Exit status of a run that did not end by itself: something in its process ended it, or nothing was left to wait for. */
const CUT_OFF = 3;
let status: number | undefined;
process.exitCode = CUT_OFF;
process.on("exit", (code) => {
  if (status === undefined && (code === 0 || code === CUT_OFF))
    process.stderr.write("the process exited before a verdict was reached\n");
  // Only the verdict may end the process with 0.
  if (code === 0) process.exitCode = status ?? CUT_OFF;
});

status = await main(process.argv.slice(2), {
  output,
  time: MACHINE_TIME,
  chance: CHANCE,
  beginRun: () => {
    interrupt.judging = true;
    return () => interrupt.reason;
  },
  running: {
    lastRuns: new LastRuns({ environment: process.env, cwd: process.cwd() }),
    interrupt: { signal: interrupted.signal, status: () => interrupt.status ?? 0 },
    every: (ms, tick) => {
      const timer = setInterval(tick, ms);
      return () => clearInterval(timer);
    },
  },
  stop: stopSignal,
});
process.exitCode = status;
await output.lost?.();
// Work that a reporter's package leaves running must not keep the process alive.
setTimeout(() => process.exit(), 1_000).unref();

/** Settles at the first request to stop, or when the package manager that started this process is gone without a signal. */
function stopSignal(): Promise<void> {
  const asked = new Promise<void>((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
    // A terminal that is closed ends what runs in it; nohup has led it elsewhere, and what it keeps alive is not to end.
    if (process.stderr.isTTY)
      process.once("SIGHUP", () => {
        // Node would set right at its end a terminal that is gone, and abort over it.
        process.once("exit", closeStreams);
        resolve();
      });
  });
  if (process.env["npm_execpath"] === undefined) return asked;
  const pause = () => sleep(LOOK_EVERY_MS, undefined, { ref: false });
  return Promise.race([asked, orphaned(() => lineage(process.ppid), pause)]);
}

function closeStreams(): void {
  for (const descriptor of [0, 1, 2]) {
    try {
      closeSync(descriptor);
    } catch {
      // It is closed.
    }
  }
}
