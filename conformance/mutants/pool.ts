import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Entry } from "./entries.ts";
import type { Problems } from "./judge.ts";

/** Time limit for one entry, in ms. A mutant may loop forever. */
const TIME_LIMIT_MS = 900_000;

/** The task of a process. */
export interface Task {
  readonly id: string;
  /** Number of seeds of properties, if they are to be played on a variant. */
  readonly seeds: number | undefined;
}

export interface PoolOptions extends Omit<Task, "id"> {
  /** Number of processes. */
  readonly jobs: number;
  readonly isOfClients: boolean;
}

/** Judges entries in child processes. @param onJudged called for each entry when it is judged */
export async function judgeInProcesses(
  entries: readonly Entry[],
  { jobs, isOfClients, seeds }: PoolOptions,
  onJudged: (entry: Entry, problems: Problems) => void,
): Promise<void> {
  const waiting = [...entries];
  const work = async () => {
    let worker: ChildProcess | undefined;
    for (let entry = waiting.shift(); entry !== undefined; entry = waiting.shift()) {
      worker ??= startWorker(isOfClients);
      const problems = await judgeIn(worker, { id: entry.id, seeds });
      if (problems === undefined) {
        worker.kill("SIGKILL");
        worker = undefined;
      }
      onJudged(entry, problems ?? ["the process ended, or took too long"]);
    }
    worker?.kill();
  };
  await Promise.all(Array.from({ length: Math.min(jobs, entries.length) }, work));
}

function startWorker(isOfClients: boolean): ChildProcess {
  return fork(join(import.meta.dirname, "worker.ts"), isOfClients ? ["--clients"] : [], {
    execArgv: ["--import", import.meta.resolve("tsx")],
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
}

/** Returns the problems of an entry, or undefined if the process ended or exceeded the time limit. */
async function judgeIn(worker: ChildProcess, task: Task): Promise<Problems | undefined> {
  const judged = new AbortController();
  const signal = AbortSignal.any([judged.signal, AbortSignal.timeout(TIME_LIMIT_MS)]);
  worker.send(task);
  try {
    const exit = once(worker, "exit", { signal }).then(() => []);
    const [problems] = await Promise.race([once(worker, "message", { signal }), exit]);
    return problems;
  } catch {
    return undefined;
  } finally {
    judged.abort();
  }
}
