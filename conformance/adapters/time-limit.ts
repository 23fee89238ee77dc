/** Default time limit of a run, in ms. A service that answers each request in 0.4 s is tested in this time. */
export const MAX_DURATION_MS = 7_200_000;

/** Maximum delay of a timer, in ms. */
const MAX_DELAY_MS = 2 ** 31 - 1;

/** Reason of a signal that aborts at a time limit. */
export class TimeLimitReached extends Error {}

/**
 * Performs work that may not take longer than a time limit.
 * @param limitMs time limit in ms; 0 for none
 * @param signal a signal of the caller, which also ends the work
 * @param work gets a signal that aborts when the work must end
 * @param after calls a function after a time in ms, and returns a function that prevents the call
 */
export async function withTimeLimit<Value>(
  limitMs: number,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<Value>,
  after: (ms: number, callback: () => void) => () => void = afterTimeout,
): Promise<Value> {
  const limit = new AbortController();
  const reason = new TimeLimitReached(`it reached its time limit of ${limitMs / 1000} s (--max-duration)`);
  const stop = limitMs === 0 ? undefined : after(Math.min(limitMs, MAX_DELAY_MS), () => limit.abort(reason));
  try {
    return await work(signal === undefined ? limit.signal : AbortSignal.any([signal, limit.signal]));
  } finally {
    stop?.();
  }
}

function afterTimeout(ms: number, callback: () => void): () => void {
  const timer = setTimeout(callback, ms);
  return () => clearTimeout(timer);
}
