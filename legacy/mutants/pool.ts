import { type ChildProcess, fork } from "node:child_process";

/**
 * A worker reads TypeScript, and its memory is cleared seldom and by itself: most of what is made for a job lives as long as
 * the job, and there are as many workers as cores.
 */
const NODE_OPTIONS = [
  "--single-threaded-gc",
  "--min-semi-space-size=64",
  "--max-semi-space-size=64",
  "--import",
  import.meta.resolve("tsx"),
];

/** What there is to do, and who does it. */
export interface Pool<Job, Outcome> {
  /** File of the program that a worker runs: it sends a message when it is ready, and then an outcome for each job. */
  readonly program: string;
  readonly jobs: readonly Job[];
  /** Processes side by side. */
  readonly workers: number;
  /** A service may loop without end: no job takes longer than this, on however busy a machine. */
  readonly timeLimitMs: number;
  /** The outcome of a job whose process ended, or took too long. */
  readonly lost: (job: Job) => Outcome;
  /** Told of every outcome as it comes, in no certain order. */
  readonly onOutcome: (outcome: Outcome) => void;
}

/**
 * Gives the jobs to worker processes, one job at a time each.
 * @throws where a worker cannot start, with what it wrote on standard error
 */
export async function performAll<Job extends object, Outcome>({
  program,
  jobs,
  workers,
  timeLimitMs,
  lost,
  onOutcome,
}: Pool<Job, Outcome>): Promise<void> {
  const waiting = [...jobs].reverse();
  const lanes = Array.from({ length: Math.min(workers, jobs.length) }, async () => {
    let worker: ChildProcess | undefined;
    try {
      for (let job = waiting.pop(); job !== undefined; job = waiting.pop()) {
        worker ??= await startWorker(program);
        const outcome = await perform<Job, Outcome>(worker, job, timeLimitMs);
        if (outcome === undefined) {
          worker.kill("SIGKILL");
          worker = undefined;
        }
        onOutcome(outcome ?? lost(job));
      }
    } finally {
      worker?.kill();
    }
  });
  await Promise.all(lanes);
}

function startWorker(program: string): Promise<ChildProcess> {
  const worker = fork(program, { execArgv: NODE_OPTIONS, stdio: ["ignore", "ignore", "inherit", "ipc"] });
  return new Promise((resolve, reject) => {
    worker.once("message", () => resolve(worker));
    worker.once("exit", (code) => reject(new Error(`a worker ended with exit status ${code}`)));
  });
}

/** The outcome of a job; undefined where the worker ended or takes for ever. */
function perform<Job extends object, Outcome>(
  worker: ChildProcess,
  job: Job,
  timeLimitMs: number,
): Promise<Outcome | undefined> {
  return new Promise((resolve) => {
    // biome-ignore lint/style/noRestrictedGlobals: a mutant may loop for ever, and only real time ends it
    const limit = setTimeout(() => done(undefined), timeLimitMs);
    const ended = () => done(undefined);
    const done = (outcome: Outcome | undefined) => {
      clearTimeout(limit);
      worker.off("exit", ended).off("message", done);
      resolve(outcome);
    };
    worker.once("message", done).once("exit", ended);
    worker.send(job);
  });
}
