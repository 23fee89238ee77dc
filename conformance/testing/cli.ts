import { execFile } from "node:child_process";
import { join } from "node:path";
import { PATHS } from "../paths.ts";

/** What a run of the command line came to. */
export interface CliResult {
  readonly status: number;
  readonly out: string;
  readonly err: string;
}

/** Runs the command line in a process of its own, without a terminal. */
export function cli(...words: readonly string[]): Promise<CliResult> {
  const main = join(PATHS.root, "conformance/cli.ts");
  const { npm_lifecycle_event: _, FORCE_COLOR: __, ...environment } = process.env;
  const options = { cwd: PATHS.root, env: environment, maxBuffer: 64 * 1024 * 1024 };
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      ["--import", "tsx", main, ...words],
      options,
      (_error, out, err) => resolve({ status: child.exitCode ?? -1, out, err }),
    );
  });
}
