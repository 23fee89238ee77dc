import { shellQuote } from "../reports/reproduction-command.ts";

/** What a skeleton consists of, and how the kit is run on it. */
export interface Skeleton {
  /** Folder of the examples that it is copied from. */
  readonly folder: string;
  /** Each file and what it holds. */
  readonly files: Readonly<Record<string, string>>;
  /** Options of `run`, for a skeleton that lies at `path`. */
  readonly runOptions: (path: (file: string) => string) => string;
}

const TYPESCRIPT: Skeleton = {
  folder: "typescript",
  files: {
    "skeleton.ts": "the service, and what the kit must know of it; `run --module` drives it",
    "skeleton-stdio.ts": "the same as a process of its own; `run --command` drives it",
  },
  runOptions: (path) => `--module ${shellQuote(path("skeleton.ts"))}`,
};

/** The skeletons, by what `init --language` calls them. */
export const SKELETONS = {
  ts: TYPESCRIPT,
  typescript: TYPESCRIPT,
  python: {
    folder: "python",
    files: { "skeleton.py": "the service, and the protocol between it and the kit" },
    runOptions: (path) => `--command ${shellQuote(`python3 ${shellQuote(path("skeleton.py"))}`)}`,
  },
} as const satisfies Readonly<Record<string, Skeleton>>;

/** A language in which there is a skeleton. */
export type Language = keyof typeof SKELETONS;

/** All of them. */
export const LANGUAGES: readonly string[] = Object.keys(SKELETONS);
