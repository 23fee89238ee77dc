import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { PATHS } from "../paths.ts";

/** What a command of the kit printed, and how it ended. */
export interface CliOutcome {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Starts the kit's command line as a process of its own, in the root of the project or in `cwd`. */
export function startCli(words: readonly string[], cwd: string = PATHS.root): ChildProcess {
  const bin = join(PATHS.root, "bin/launch-draft-conformance.mjs");
  return spawn(process.execPath, [bin, ...words], {
    cwd,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, NO_COLOR: "1" },
  });
}

/** Runs the kit's command line to its end. */
export async function runCli(words: readonly string[], cwd?: string): Promise<CliOutcome> {
  const child = startCli(words, cwd);
  const [stdout, stderr] = [collect(child.stdout), collect(child.stderr)];
  const [status] = await once(child, "close");
  return { status, stdout: stdout(), stderr: stderr() };
}

function collect(stream: NodeJS.ReadableStream | null): () => string {
  let text = "";
  stream?.on("data", (chunk: Buffer) => {
    text += chunk.toString();
  });
  return () => text;
}
