import type { Writable } from "node:stream";

/** Lines that wait for each other at the most: the reader is to begin while the rest is still being made. */
const MOST_LINES = 8;

/**
 * Writes lines to a stream: the first of a turn of the event loop at once, so that the other side can begin, and those
 * that follow in that turn a few at a time. What is written to a stream that takes no more is lost.
 */
export function lineWriter(output: Writable): (line: string) => void {
  let waiting = "";
  let lines = 0;
  let inTurn = false;
  const flush = () => {
    if (lines > 0 && output.writable) output.write(waiting);
    waiting = "";
    lines = 0;
  };
  const endTurn = () => {
    inTurn = false;
    flush();
  };
  return (line) => {
    waiting += `${line}\n`;
    lines += 1;
    if (inTurn && lines < MOST_LINES) return;
    flush();
    if (inTurn) return;
    inTurn = true;
    setImmediate(endTurn);
  };
}
