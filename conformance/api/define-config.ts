import type { JudgeOptions } from "./judge-options.ts";
import type { ServiceTarget, Target } from "./target.ts";

/** Options of `run` that a target of a configuration file may have. Paths count from the folder of the file. */
export interface TargetOptions
  extends Pick<
    JudgeOptions,
    | "only"
    | "seed"
    | "salt"
    | "bail"
    | "runs"
    | "exhaustive"
    | "jobs"
    | "timeout"
    | "maxWait"
    | "allowUntried"
    | "baseline"
    | "choices"
    | "suite"
  > {
  /** `NAME` or `NAME=FILE`, as `--reporter` takes them. */
  readonly reporters?: readonly string[];
  /** What is under test, a file or `NAME@sha256:HEX`, for the reporter `in-toto`. */
  readonly subject?: string;
  /** Folder into which the counterexamples of failed properties are written. */
  readonly saveFailures?: string;
  /** Whether reports tell everything. */
  readonly verbose?: boolean;
  /** Globs over files: `--watch` judges again when one of them is saved. */
  readonly restartOn?: readonly string[];
}

/** A way to reach an implementation, as a file names it: a module by its path. */
export type InFile<Way> = Way extends { readonly module: string | URL }
  ? Omit<Way, "module"> & { readonly module: string }
  : Way;

/** An implementation, and how it is judged. */
export type TargetConfig = InFile<Exclude<Target, Pick<ServiceTarget, "service">>> & TargetOptions;

/** What `launch-draft.config.{ts,mts,js,mjs}` exports by default, and `launch-draft.config.json` holds. */
export interface Config {
  /** Implementations by their names: `run NAME` judges one, `run` alone the only one or the one that is named `default`. */
  readonly targets: Readonly<Record<string, TargetConfig>>;
}

/**
 * Gives a configuration back as it is; the compiler checks it on the way.
 *
 * @example
 * export default defineConfig({ targets: { default: { module: "./service.ts", baseline: "known.yaml" } } });
 */
export function defineConfig(config: Config): Config {
  return config;
}
