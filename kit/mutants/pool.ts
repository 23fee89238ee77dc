import { type ChildProcess, fork } from "node:child_process";
import { join } from "node:path";
import type { Judgment } from "./judge.ts";

/** Time limit for one entry, in ms. A mutant may loop forever. */
const TIME_LIMIT_MS = 900_000;

/**
 * Judges entries in child processes.
 * @param ids IDs of the entries
 * @param jobs number of processes
 * @param onJudgment called for each entry, in the order of the IDs
 * @throws if a process cannot start
 */
export async function judgeInProcesses(
  ids: readonly string[],
  jobs: number,
  onJudgment: (id: string, judgment: Judgment) => void,
): Promise<void> {
  const judgments = new Map<string, Judgment>();
  let reported = 0;
  let next = 0;
  const report = (id: string, judgment: Judgment) => {
    judgments.set(id, judgment);
    for (let first = ids[reported] ?? ""; judgments.has(first); first = ids[reported] ?? "") {
      onJudgment(first, judgments.get(first) as Judgment);
      judgments.delete(first);
      reported += 1;
    }
  };
  const work = async () => {
    let worker: ChildProcess | undefined;
    try {
      for (let id = ids[next++]; id !== undefined; id = ids[next++]) {
        worker ??= await startWorker();
        const judgment = await judgeIn(worker, id);
        if (judgment === undefined) {
          worker.kill("SIGKILL");
          worker = undefined;
        }
        report(id, judgment ?? { problems: ["the process ended, or took too long"], found: 0 });
      }
    } finally {
      worker?.kill();
    }
  };
  await Promise.all(Array.from({ length: Math.min(jobs, ids.length) }, work));
}

function startWorker(): Promise<ChildProcess> {
  const worker = fork(join(import.meta.dirname, "worker.ts"), {
    execArgv: ["--import", import.meta.resolve("tsx")],
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  return new Promise((resolve, reject) => {
    worker.once("message", () => resolve(worker));
    worker.once("exit", (status) => reject(new Error(`a process ended with exit status ${status}`)));
  });
}

/** Returns the judgment, or undefined if the process ended or exceeded the time limit. */
function judgeIn(worker: ChildProcess, id: string): Promise<Judgment | undefined> {
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
    worker.send(id);
  });
}
