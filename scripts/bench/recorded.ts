import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { kit, program, runWell } from "./processes.ts";

const OVER_STDIO = fileURLToPath(new URL("services/over-stdio.ts", import.meta.url));
const OVER_HTTP = fileURLToPath(new URL("services/over-http.ts", import.meta.url));

/** The seeded reference as a program for `--command`, and its words. */
export function stdioService(...options: readonly string[]): readonly string[] {
  return program(OVER_STDIO, ...options);
}

/** The words of a program as one text, as `--command` takes them. */
export function asCommand(words: readonly string[]): string {
  return words.map((word) => `'${word}'`).join(" ");
}

/** A server of the seeded reference, with a control URL. */
export interface Served {
  readonly url: string;
  close(): Promise<void>;
}

export async function serveSeeded(...options: readonly string[]): Promise<Served> {
  const [command = "", ...words] = program(OVER_HTTP, ...options);
  const child = spawn(command, words, { stdio: ["ignore", "pipe", "inherit"] });
  const [line] = (await once(createInterface({ input: child.stdout }), "line")) as [string];
  return {
    url: (JSON.parse(line) as { url: string }).url,
    async close() {
      child.kill();
      if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
    },
  };
}

let conversations: Promise<readonly (readonly string[])[]> | undefined;

/** The lines that a default run sends to each program that it starts, recorded once. */
export function linesOfDefaultRun(): Promise<readonly (readonly string[])[]> {
  conversations ??= recordedIn(async (folder) => {
    await runWell(kit("run", "--command", asCommand(stdioService("--record", folder))));
  });
  return conversations;
}

/** Lets something be recorded in files of a folder, and gives the lines of each. */
export async function recordedIn(
  record: (folder: string) => Promise<void>,
): Promise<readonly (readonly string[])[]> {
  const folder = mkdtempSync(join(tmpdir(), "launch-draft-bench-"));
  try {
    await record(folder);
    const files = readdirSync(folder).sort();
    return files.map((name) => readFileSync(join(folder, name), "utf8").split("\n").slice(0, -1));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
