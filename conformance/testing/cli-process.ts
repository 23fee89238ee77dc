import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { PATHS } from "../paths.ts";

/** Starts the kit's command line as a process of its own, in the root of the project: from the sources, whatever was built. */
export function startCli(words: readonly string[]): ChildProcess {
  const cli = join(PATHS.root, "conformance/cli.ts");
  return spawn(process.execPath, ["--import", "tsx", cli, ...words], {
    cwd: PATHS.root,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, NO_COLOR: "1" },
  });
}
