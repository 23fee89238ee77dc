import type { OperationTime } from "./latencies.ts";

/** Where nobody asks for more, searches are to wait for an implementation no longer than about this, in ms. */
const MOST_SEARCH_MS = 120_000;
/** A search that tries less than this is hardly one. */
const LEAST_SHARE = 1 / 16;

/** What is left out of the searches of a slow implementation. */
export interface SearchShare {
  /** How much of the usual searches is tried: a half, a quarter and so on, so that it seldom differs from run to run. */
  readonly share: number;
  /** What a request was seen to take, in ms: a measure of time, which differs from run to run. */
  readonly requestMs: number;
}

/**
 * How much of the searches an implementation has the time for.
 * @param times what its first requests took
 * @param requests how many the whole of the searches takes
 * @param sideBySideMs in how many ms each was answered where several services were asked at once, if they were
 * @returns undefined where it is all of them
 */
export function searchShare(
  times: readonly OperationTime[],
  requests: number,
  sideBySideMs = Number.POSITIVE_INFINITY,
): SearchShare | undefined {
  const requestMs = usualRequestMs(times);
  if (requestMs === undefined) return undefined;
  const allMs = requests * Math.min(requestMs, sideBySideMs);
  let share = 1;
  while (share > LEAST_SHARE && share * allMs > MOST_SEARCH_MS) share /= 2;
  return share === 1 ? undefined : { share, requestMs: Number(requestMs.toPrecision(2)) };
}

/** What a request usually takes, in ms; undefined where none was made. */
export function usualRequestMs(times: readonly OperationTime[]): number | undefined {
  const measured = ({ requests, amongOthers = 0 }: OperationTime) => requests - amongOthers;
  const asked = times.reduce((sum, time) => sum + measured(time), 0);
  // By medians: a first request may take long for reasons of its own.
  return asked === 0
    ? undefined
    : times.reduce((sum, time) => sum + measured(time) * time.medianMs, 0) / asked;
}
