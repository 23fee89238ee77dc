/** How long requests of one operation took: counts by size, so that those of several runs can be put together. */
export interface OperationTime {
  readonly operation: string;
  readonly requests: number;
  /** Those of them whose time is not known, since others were under way by the same carrier; absent where there are none. */
  readonly amongOthers?: number;
  readonly totalMs: number;
  /** To within a tenth. */
  readonly medianMs: number;
  readonly worstMs: number;
  /** The vector, or the sequence of a property, of the request that took longest, and its step. */
  readonly worstId: string;
  readonly worstStep: string;
  /** How many requests took up to so many ms, by the upper ends of ranges that grow by a fifth. */
  readonly spread: readonly (readonly [upToMs: number, requests: number])[];
}

/** Ranges of durations begin at a hundredth of a millisecond, and each is so many times the one before. */
const LEAST_MS = 0.01;
const GROWTH = 1.2;

interface Measured {
  requests: number;
  amongOthers: number;
  totalMs: number;
  worstMs: number;
  worstId: string;
  worstStep: string;
  readonly spread: number[];
}

/** Measures how long the requests of each operation take. */
export class Latencies {
  readonly #byOperation = new Map<string, Measured>();

  /** Takes note of a request. @param tookMs undefined where that is not known */
  add(operation: string, tookMs: number | undefined, id: string, step: string): void {
    let measured = this.#byOperation.get(operation);
    if (measured === undefined) {
      measured = {
        requests: 0,
        amongOthers: 0,
        totalMs: 0,
        worstMs: -1,
        worstId: id,
        worstStep: step,
        spread: [],
      };
      this.#byOperation.set(operation, measured);
    }
    measured.requests += 1;
    if (tookMs === undefined) {
      measured.amongOthers += 1;
      return;
    }
    measured.totalMs += tookMs;
    const range = rangeOf(tookMs);
    measured.spread[range] = (measured.spread[range] ?? 0) + 1;
    if (tookMs <= measured.worstMs) return;
    measured.worstMs = tookMs;
    measured.worstId = id;
    measured.worstStep = step;
  }

  /** What was measured, the operation that took longest in all first. */
  times(): readonly OperationTime[] {
    const times = [...this.#byOperation].map(
      ([operation, { spread, totalMs, worstMs, amongOthers, ...measured }]) => {
        const counted = spread.flatMap((requests, range) =>
          requests > 0 ? [[upperEnd(range), requests] as const] : [],
        );
        return {
          operation,
          ...measured,
          ...(amongOthers === 0 ? {} : { amongOthers }),
          totalMs: Math.round(totalMs),
          medianMs: medianOf(counted, Math.max(0, worstMs)),
          worstMs: hundredths(Math.max(0, worstMs)),
          spread: counted,
        };
      },
    );
    return slowestFirst(times);
  }
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

/** The times of several runs as those of one. */
export function mergeTimes(all: readonly OperationTime[]): readonly OperationTime[] {
  const merged = new Map<string, OperationTime>();
  for (const time of all) {
    const other = merged.get(time.operation);
    merged.set(time.operation, other === undefined ? time : both(other, time));
  }
  return slowestFirst([...merged.values()]);
}

function both(one: OperationTime, other: OperationTime): OperationTime {
  const counts = new Map(one.spread);
  for (const [upToMs, requests] of other.spread) counts.set(upToMs, (counts.get(upToMs) ?? 0) + requests);
  const spread = [...counts].sort(([a], [b]) => a - b);
  const { amongOthers: _, ...worst } = one.worstMs >= other.worstMs ? one : other;
  const amongOthers = (one.amongOthers ?? 0) + (other.amongOthers ?? 0);
  return {
    ...worst,
    ...(amongOthers === 0 ? {} : { amongOthers }),
    requests: one.requests + other.requests,
    totalMs: one.totalMs + other.totalMs,
    medianMs: medianOf(spread, worst.worstMs),
    spread,
  };
}

function slowestFirst(times: readonly OperationTime[]): readonly OperationTime[] {
  return [...times].sort((one, other) => other.totalMs - one.totalMs);
}

function rangeOf(ms: number): number {
  return ms <= LEAST_MS ? 0 : Math.ceil(Math.log(ms / LEAST_MS) / Math.log(GROWTH));
}

function upperEnd(range: number): number {
  return significant(LEAST_MS * GROWTH ** range);
}

/** The middle of the range that the median falls into. */
function medianOf(spread: OperationTime["spread"], worstMs: number): number {
  const requests = spread.reduce((sum, [, count]) => sum + count, 0);
  let seen = 0;
  const found = spread.find(([, count]) => {
    seen += count;
    return seen >= requests / 2;
  });
  return Math.min(significant((found?.[0] ?? 0) / Math.sqrt(GROWTH)), hundredths(worstMs));
}

function significant(value: number): number {
  return Number(value.toPrecision(3));
}

function hundredths(ms: number): number {
  return Math.round(ms * 100) / 100;
}
