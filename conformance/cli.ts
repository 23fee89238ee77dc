/** The edge of the program: its streams, the clock and the signals of its process. */
import { setTimeout as sleep } from "node:timers/promises";
import { INTERRUPTED, type Output } from "./cli/output.ts";
import { main } from "./cli/program.ts";
import { watched } from "./cli/standard-output.ts";

const standardOutput = watched(process.stdout);
const output: Output = {
  out: standardOutput.write,
  err: watched(process.stderr).write,
  lost: standardOutput.lost,
  color: process.stdout.isTTY === true && process.env["NO_COLOR"] === undefined,
  width: Math.max(60, Math.min(process.stdout.columns ?? 110, 160)),
  live: process.stderr.isTTY === true && process.env["CI"] === undefined,
};
const time = { now: () => Date.now(), sleep: (ms: number) => sleep(ms) };
const leave = process.exit.bind(process);
const interrupt: { reason?: string; judging?: true } = {};

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.on(signal, () => {
    const first = interrupt.reason === undefined;
    interrupt.reason = INTERRUPTED;
    if (first && interrupt.judging) {
      output.err(
        "interrupted: what is under way is finished, then reported; once more leaves without a report\n",
      );
    } else if (!first || process.listenerCount(signal) === 1) {
      leave(signal === "SIGINT" ? 130 : 143);
    }
  });
}

process.exitCode = await main(process.argv.slice(2), {
  output,
  time,
  beginRun: () => {
    interrupt.judging = true;
    return () => interrupt.reason;
  },
  stop: stopSignal,
});
await output.lost?.();
// What a reporter's package leaves running must not keep the program.
setTimeout(() => process.exit(), 1_000).unref();

/** Settles at the first request to stop. */
function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
  });
}
