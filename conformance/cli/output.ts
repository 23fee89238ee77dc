/** Where commands write, and what the terminal can do: handed in, so that commands can be tested without a process. */
export interface Output {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  readonly color: boolean;
  readonly width: number;
  /** Whether progress may be drawn and redrawn. */
  readonly live: boolean;
  /**
   * Waits until all that `out` was given is written.
   * @returns the code of the error (`ENOSPC`, `EPIPE`) that kept some of it from being written; undefined where all was
   */
  readonly lost?: () => Promise<string | undefined>;
}

/** Why what was left is not run, after Ctrl-C. */
export const INTERRUPTED = "not run: interrupted (Ctrl-C)";
