import type { Target } from "./target.ts";

/** What `judge` is asked for; each option but the target and the signal is one of the command `run`. */
export interface JudgeOptions {
  /** What is judged. There is none by default. */
  readonly target: Target;
  /** Globs over the ids of vectors and properties; all where there is none. A selection gives no verdict. */
  readonly only?: readonly string[];
  /** Seed of all key pairs and random cases; 1 by default. */
  readonly seed?: number | "random";
  /** Sets the key pairs apart from those of other runs; drawn by default where the service outlives the run. */
  readonly salt?: string;
  /** Whether to stop at the first failure. */
  readonly bail?: boolean;
  /** Random cases that each property tries, 60 by default; 0 for none. */
  readonly runs?: number;
  /** Length of the sequences of which every one is tried, 3 by default; 0 for none. */
  readonly exhaustive?: number;
  /** Processes or threads side by side, for a command or a module: 1 by default. */
  readonly jobs?: number;
  /** Time limit for one call: ms, or a text such as `5s`; 5 s by default, 0 for none. */
  readonly timeout?: number | string;
  /** Longest wait on a real clock: ms, or a text such as `90s`, which is the default. */
  readonly maxWait?: number | string;
  /** Required rules, or capabilities (`capability:restart`), of which it is accepted that they are not tried. */
  readonly allowUntried?: readonly string[];
  /** A file of known failures. */
  readonly baseline?: string;
  /** A file of earlier choices, to which the implementation is held. */
  readonly choices?: string;
  /** The frozen set to judge by: `partner-preview-1@VERSION`. */
  readonly suite?: string;
  /** The part of the run to do, `2/3`: `mergeReports` puts the parts together. */
  readonly shard?: string;
  /** A file of vectors to play in place of the kit's own. */
  readonly replay?: string;
  /** Stops the run: what was found until then is reported. */
  readonly signal?: AbortSignal;
}
