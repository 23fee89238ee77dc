import type { Writable } from "node:stream";

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
