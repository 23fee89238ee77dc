import { readFileSync } from "node:fs";

/**
 * The processes that this one descends from, nearest first: its parent, and the parent's where the system tells. A package
 * manager has a shell between itself and what it runs, which may outlive it.
 */
export function lineage(parent: number): readonly number[] {
  try {
    // `pid (name) state ppid …`, where the name may hold anything (proc(5)).
    const text = readFileSync(`/proc/${parent}/stat`, "utf8");
    const [, grandparent] = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return [parent, Number(grandparent)];
  } catch {
    return [parent];
  }
}

/**
 * Settles once the processes are others that this one descends from: who started it is gone.
 * @param pause how long it takes until the next look
 */
export async function orphaned(descent: () => readonly number[], pause: () => Promise<void>): Promise<void> {
  const first = descent().join();
  do await pause();
  while (descent().join() === first);
}
