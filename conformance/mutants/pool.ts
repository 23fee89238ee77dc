import { type ChildProcess, fork } from "node:child_process";
import { join } from "node:path";
import type { Entry } from "./entries.ts";
import type { Judgment } from "./judge.ts";

/** Time limit for one entry, in ms. A mutant may loop forever. */
const TIME_LIMIT_MS = 900_000;

/** What a process is to judge. */
export interface Task {
  readonly id: string;
  /** Number of seeds of properties, if they are to be played. */
  readonly seeds: number | undefined;
  /** Whether the groups of its failures are counted. */
  readonly countsGroups: boolean;
}

/**
 * Judges entries in child processes.
 * @param jobs number of processes
 * @param onJudgment called for each entry, in the order of the entries
 * @throws {Error} if a process cannot start
 */
export async function judgeInProcesses(
  entries: readonly Entry[],
  { jobs, isOfClients, ...mode }: { readonly jobs: number; readonly isOfClients: boolean } & Omit<Task, "id">,
  onJudgment: (entry: Entry, judgment: Judgment) => void,
): Promise<void> {
  const judgments: Judgment[] = [];
  let next = 0;
  let reported = 0;
  const work = async () => {
    let worker: ChildProcess | undefined;
    for (let index = next++; index < entries.length; index = next++) {
      worker ??= await startWorker(isOfClients ? ["--clients"] : []);
      const { seeds, countsGroups } = mode;
      const judgment = await judgeIn(worker, { id: entries[index]?.id ?? "", seeds, countsGroups });
      if (judgment === undefined) {
        worker.kill("SIGKILL");
        worker = undefined;
      }
      judgments[index] = judgment ?? { problems: ["the process ended, or took too long"], violatedRules: 0 };
      for (; judgments[reported] !== undefined; reported++)
        onJudgment(entries[reported] as Entry, judgments[reported] as Judgment);
    }
    worker?.kill();
  };
  await Promise.all(Array.from({ length: Math.min(jobs, entries.length) }, work));
}

function startWorker(args: readonly string[]): Promise<ChildProcess> {
  const worker = fork(join(import.meta.dirname, "worker.ts"), args, {
    execArgv: ["--import", import.meta.resolve("tsx")],
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  return new Promise((resolve, reject) => {
    worker.once("message", () => resolve(worker));
    worker.once("exit", (status) => reject(new Error(`a process ended with exit status ${status}`)));
  });
}

/** Returns the judgment, or undefined if the process ended or exceeded the time limit. */
function judgeIn(worker: ChildProcess, task: Task): Promise<Judgment | undefined> {
  return new Promise((resolve) => {
    const finish = (judgment: Judgment | undefined) => {
      clearTimeout(timer);
      worker.off("message", onMessage).off("exit", onExit);
      resolve(judgment);
    };
    const onMessage = (message: unknown) => finish(message as Judgment);
    const onExit = () => finish(undefined);
    const timer = setTimeout(() => finish(undefined), TIME_LIMIT_MS);
    worker.once("message", onMessage).once("exit", onExit);
    worker.send(task);
  });
}
