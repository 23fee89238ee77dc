import type { Writable } from "node:stream";

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

/** A stream that is written to without waiting, and that can be asked later whether all arrived. */
export interface WatchedStream {
  readonly write: (text: string) => void;
  /** Waits for what was written; gives the code of the first error, such as `EPIPE`. */
  readonly lost: () => Promise<string | undefined>;
}

/** Standard output or error that may be closed, or full, at any time: an error is kept, and the program goes on. */
export function watched(stream: Writable): WatchedStream {
  let fault: string | undefined;
  const keep = (error: NodeJS.ErrnoException | null | undefined) => {
    if (error) fault ??= error.code ?? error.message;
  };
  stream.on("error", keep);
  return {
    write: (text) => {
      if (fault === undefined) stream.write(text, keep);
    },
    lost: () =>
      fault === undefined
        ? new Promise((resolve) => {
            stream.write("", (error) => {
              keep(error);
              resolve(fault);
            });
          })
        : Promise.resolve(fault),
  };
}
