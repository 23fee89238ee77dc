import type { SearchProgress } from "../engine/contract.ts";
import type { Output } from "./output.ts";

const CLEAR_LINE = "\r\u001b[K";
const BAR_WIDTH = 30;

/** A line that counts the results, on a terminal only. */
export function resultProgress(output: Output): (result: unknown, done: number, total: number) => void {
  let shown = -1;
  return (_, done, total) => {
    const percent = Math.floor((100 * done) / total);
    if (!output.live || percent === shown) return;
    shown = percent;
    output.err(done === total ? CLEAR_LINE : `\r${done}/${total}`);
  };
}

/** A bar for the exhaustive search, on a terminal only. */
export function searchProgress(output: Output): (progress: SearchProgress) => void {
  return ({ sequences, leftOut, ofSequences, steps, ended }) => {
    if (!output.live) return;
    const played = sequences + leftOut;
    const filled = Math.floor((BAR_WIDTH * played) / Math.max(1, ofSequences));
    const bar = "█".repeat(filled) + "░".repeat(BAR_WIDTH - filled);
    output.err(ended ? CLEAR_LINE : `\r${bar} ${played}/${ofSequences} sequences, ${steps} steps`);
  };
}
