import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { writeWhole } from "../write-file.ts";
import type { LastRun } from "./last-run.ts";

const PACKAGE = "launch-draft-conformance";
/** Names the folder; where it is set, runs are remembered in CI, too. */
const OWN_FOLDER = "LAUNCH_DRAFT_CACHE";

/** More runs than this are not remembered: the oldest go. */
const MOST_RUNS = 100;

/** Where the program runs, as far as it decides where a run is remembered. */
export interface Surroundings {
  readonly environment: NodeJS.ProcessEnv;
  /** The working directory. */
  readonly cwd: string;
}

/** The last run of each implementation, in a small file each: by the folder and the words that name it on a command line. */
export class LastRuns {
  readonly #folder: string;
  readonly #writes: boolean;
  readonly #cwd: string;

  constructor({ environment, cwd }: Surroundings) {
    this.#folder = join(cacheFolder(environment, cwd), "last-run");
    this.#writes = environment[OWN_FOLDER] !== undefined || !isCi(environment);
    this.#cwd = cwd;
  }

  /** The last run of an implementation; undefined where none is remembered. */
  read(words: readonly string[]): LastRun | undefined {
    try {
      const value = JSON.parse(readFileSync(this.#file(words), "utf8")) as unknown;
      return isLastRun(value) ? value : undefined;
    } catch {
      // None was written, or not all of it.
      return undefined;
    }
  }

  /** Remembers a run; what cannot be written is not remembered. */
  write(words: readonly string[], run: LastRun): void {
    if (!this.#writes) return;
    try {
      mkdirSync(this.#folder, { recursive: true });
      writeWhole(this.#file(words), `${JSON.stringify(run)}\n`);
      this.#forgetOldest();
    } catch {
      // A folder that takes no files is no reason for a run to fail.
    }
  }

  #forgetOldest(): void {
    const files = readdirSync(this.#folder).map((name) => join(this.#folder, name));
    if (files.length <= MOST_RUNS) return;
    const ages = files.map((file) => ({ file, ms: statSync(file).mtimeMs })).sort((a, b) => b.ms - a.ms);
    for (const { file } of ages.slice(MOST_RUNS)) rmSync(file, { force: true });
  }

  #file(words: readonly string[]): string {
    const key = createHash("sha256").update(JSON.stringify([this.#cwd, ...words]));
    return join(this.#folder, `${key.digest("hex").slice(0, 16)}.json`);
  }
}

/** Where runs are remembered: beside the installed packages, as is usual, or in the user's cache. */
export function cacheFolder(environment: NodeJS.ProcessEnv, cwd: string): string {
  const own = environment[OWN_FOLDER];
  if (own) return own;
  const packages = join(cwd, "node_modules");
  if (existsSync(packages)) return join(packages, ".cache", PACKAGE);
  return join(environment["XDG_CACHE_HOME"] || join(homedir(), ".cache"), PACKAGE);
}

function isCi({ CI }: NodeJS.ProcessEnv): boolean {
  return CI !== undefined && CI !== "" && CI !== "false";
}

function isLastRun(value: unknown): value is LastRun {
  const { seed, runs, failed } = (value ?? {}) as Partial<Record<keyof LastRun, unknown>>;
  const isCount = (one: unknown) => Number.isSafeInteger(one) && (one as number) >= 0;
  return (
    isCount(seed) && isCount(runs) && Array.isArray(failed) && failed.every((id) => typeof id === "string")
  );
}
