import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

/** A process that is ready for its work. */
export interface Started {
  /** What it said when it was ready. */
  readonly line: string;
  /** Ends it, and settles when it is gone. */
  stop(): Promise<void>;
}

/**
 * Starts Node in a process of its own that says in a line of its standard output when it is ready.
 * @param words the arguments of Node
 * @throws {Error} where it ends before
 */
export async function started(words: readonly string[]): Promise<Started> {
  const child = spawn(process.execPath, words, { stdio: ["ignore", "pipe", "inherit"] });
  const gone = once(child, "close");
  const [line] = await Promise.race([
    once(createInterface({ input: child.stdout }), "line"),
    gone.then(() => {
      throw new Error(`${words.join(" ")} ended before it was ready`);
    }),
  ]);
  return {
    line: String(line),
    async stop() {
      if (child.exitCode === null) child.kill("SIGTERM");
      await gone;
    },
  };
}
