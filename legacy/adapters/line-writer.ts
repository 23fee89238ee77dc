import type { Writable } from "node:stream";

/** Lines that wait for each other at the most: the reader is to begin while the rest is still being made. */
const MOST_LINES = 8;

/** Writes lines to a stream, those of one turn of the event loop together. What it takes no more is lost. */
export function lineWriter(output: Writable): (line: string) => void {
  let waiting = "";
  let lines = 0;
  const flush = () => {
    if (lines > 0 && output.writable) output.write(waiting);
    waiting = "";
    lines = 0;
  };
  return (line) => {
    if (lines === 0) setImmediate(flush);
    waiting += `${line}\n`;
    lines += 1;
    if (lines === MOST_LINES) flush();
  };
}
