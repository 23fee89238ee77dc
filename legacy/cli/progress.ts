import type { SearchProgress } from "../engine/contract.ts";
import type { Activity } from "../engine/run/activity.ts";
import { plainLine } from "../plain-text.ts";
import { formatPlace } from "../reports/words.ts";
import type { Output } from "./output.ts";

const CLEAR_LINE = "\r\u001b[K";
const BAR_WIDTH = 30;

/** Interval at which a line on a terminal is redrawn, in ms. */
export const TICK_MS = 1_000;
const TICKS_OF_A_LINE = 10;
/** An answer that takes this long is waited for, rather than on its way. */
const LONG_MS = 2_000;

export interface ProgressOptions {
  readonly output: Pick<Output, "err" | "live" | "width">;
  /** What the run is at. */
  readonly activity: Activity;
  readonly now: () => number;
}

/** Shows how far a run has come, and what it waits for: on a terminal in one line, elsewhere in a line now and then. */
export class Progress {
  readonly #options: ProgressOptions;
  #count = "";
  #percent = -1;
  #ticks = 0;
  #drawn = false;

  constructor(options: ProgressOptions) {
    this.#options = options;
  }

  /** Takes note of a result. */
  readonly onResult = (_: unknown, done: number, total: number): void => {
    const percent = Math.floor((100 * done) / total);
    this.#count = done === total ? "" : `${done}/${total}`;
    if (percent === this.#percent) return;
    this.#percent = percent;
    this.#draw(this.#count);
  };

  /** Takes note of how far the exhaustive search has come. */
  readonly onSearch = ({ sequences, leftOut, ofSequences, steps, ended }: SearchProgress): void => {
    const played = sequences + leftOut;
    const filled = Math.floor((BAR_WIDTH * played) / Math.max(1, ofSequences));
    const bar = "█".repeat(filled) + "░".repeat(BAR_WIDTH - filled);
    this.#draw(ended ? "" : `${bar} ${played}/${ofSequences} sequences, ${steps} steps`);
  };

  /** To be called every {@link TICK_MS}. */
  readonly tick = (): void => {
    this.#ticks += 1;
    const waiting = this.#waiting();
    if (waiting === undefined) {
      this.#ticks = 0;
      return;
    }
    const { output } = this.#options;
    const text = [this.#count, `waiting, ${waiting}`].filter((part) => part !== "").join("  ");
    if (output.live) this.#draw(text);
    else if (this.#ticks % TICKS_OF_A_LINE === 0) output.err(`${text}\n`);
  };

  /** Takes the line away. */
  end(): void {
    this.#draw("");
  }

  #draw(text: string): void {
    const { output } = this.#options;
    if (!output.live || (text === "" && !this.#drawn)) return;
    this.#drawn = text !== "";
    output.err(`${CLEAR_LINE}${plainLine(text, output.width - 1)}`);
  }

  /** What is waited for, after "waiting,"; undefined where nothing is, or not for long. */
  #waiting(): string | undefined {
    const { activity, now } = this.#options;
    const { oldestCall, waits } = activity;
    if (oldestCall !== undefined && now() - oldestCall.sinceMs >= LONG_MS) {
      const { operation, id, step, sinceMs } = oldestCall;
      const place = formatPlace(id, step);
      return `${seconds(now() - sinceMs)} so far: for an answer to ${operation}${place === "" ? "" : ` (${place})`}`;
    }
    const { longest, count } = waits;
    if (longest !== undefined && longest.untilMs > now()) {
      const more = count === 1 ? "" : `, and ${count - 1} more`;
      return `${seconds(longest.untilMs - now())} left: ${longest.for}${more}`;
    }
    return undefined;
  }
}

function seconds(ms: number): string {
  return `${Math.ceil(ms / 1000)} s`;
}
