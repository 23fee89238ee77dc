import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Job, JobOutcome } from "./job.ts";

const WORKER = fileURLToPath(new URL("worker.ts", import.meta.url));
const TYPESCRIPT = ["--import", import.meta.resolve("tsx")];

/** A service may loop without end; no run of all vectors takes as long as this, on however busy a machine. */
const TIME_LIMIT_MS = 180_000;

/**
 * Gives the jobs to worker processes, one job at a time each.
 * @param onOutcome told of every outcome as it comes, in no certain order
 * @throws where a worker cannot start, with what it wrote on standard error
 */
export async function performAll(
  jobs: readonly Job[],
  workers: number,
  onOutcome: (outcome: JobOutcome) => void,
): Promise<void> {
  const waiting = [...jobs].reverse();
  const lanes = Array.from({ length: Math.min(workers, jobs.length) }, async () => {
    let worker: ChildProcess | undefined;
    try {
      for (let job = waiting.pop(); job !== undefined; job = waiting.pop()) {
        worker ??= await startWorker();
        const outcome = await perform(worker, job);
        if (outcome === undefined) {
          worker.kill("SIGKILL");
          worker = undefined;
        }
        onOutcome(outcome ?? endless(job));
      }
    } finally {
      worker?.kill();
    }
  });
  await Promise.all(lanes);
}

function startWorker(): Promise<ChildProcess> {
  const worker = fork(WORKER, { execArgv: TYPESCRIPT, stdio: ["ignore", "ignore", "inherit", "ipc"] });
  return new Promise((resolve, reject) => {
    worker.once("message", () => resolve(worker));
    worker.once("exit", (code) => reject(new Error(`a worker ended with exit status ${code}`)));
  });
}

/** The outcome of a job; undefined where the worker ended or takes for ever. */
function perform(worker: ChildProcess, job: Job): Promise<JobOutcome | undefined> {
  return new Promise((resolve) => {
    // biome-ignore lint/style/noRestrictedGlobals: a mutant may loop for ever, and only real time ends it
    const limit = setTimeout(() => done(undefined), TIME_LIMIT_MS);
    const ended = () => done(undefined);
    const done = (outcome: JobOutcome | undefined) => {
      clearTimeout(limit);
      worker.off("exit", ended).off("message", done);
      resolve(outcome);
    };
    worker.once("message", done).once("exit", ended);
    worker.send(job);
  });
}

function endless({ kind, id }: Job): JobOutcome {
  const fault = "its process ended, or took too long";
  return kind === "broken"
    ? { kind, outcome: { id, caughtBy: {}, fault } }
    : { kind, outcome: { id, conforms: false, choices: {}, complaints: [fault] } };
}
