import type { Recorded, Recording } from "../engine/audit/recorded.ts";

/** So many items of a file may stand in another order than that in which they began. */
const MOST_HELD = 4_096;

/** A file that is being read: its next items, the earliest first. */
interface Reading {
  readonly iterator: Iterator<Recorded>;
  readonly held: Recorded[];
  /** The latest that a clock of the service showed so far. */
  latestClockMs: number;
  ended: boolean;
}

/**
 * Puts recordings of one service together in the order in which requests began, whatever the order of the files. Of each
 * file no more is held than it takes to bring those into order which are written as they end.
 */
export function* inOrder(recordings: readonly Recording[]): Generator<Recorded, void, undefined> {
  const readings = recordings.map(({ items }): Reading => {
    const reading = {
      iterator: items[Symbol.iterator](),
      held: [],
      latestClockMs: Number.NEGATIVE_INFINITY,
      ended: false,
    };
    fill(reading);
    return reading;
  });
  for (let next = earliest(readings); next !== undefined; next = earliest(readings)) {
    const item = next.held.shift();
    if (item === undefined) return;
    yield item;
    if (next.held.length < MOST_HELD / 2) fill(next);
  }
}

function fill(reading: Reading): void {
  const { iterator, held } = reading;
  while (!reading.ended && held.length < MOST_HELD) {
    const { done, value } = iterator.next();
    if (done) reading.ended = true;
    else if (startsAnew(value, reading)) held.push(value);
    else insert(held, value);
    if (!done)
      reading.latestClockMs = Math.max(reading.latestClockMs, value.clockMs ?? Number.NEGATIVE_INFINITY);
  }
}

/** Whether a restart is that of another service, whose clock has not come as far: it stays behind what stands before it. */
function startsAnew({ kind, clockMs }: Recorded, { latestClockMs }: Reading): boolean {
  return kind === "restart" && clockMs !== undefined && clockMs <= latestClockMs;
}

/** Behind all that began no later: most come in order. */
function insert(held: Recorded[], item: Recorded): void {
  let place = held.length;
  while (place > 0 && (held[place - 1]?.startedMs ?? 0) > item.startedMs) place -= 1;
  if (place === held.length) held.push(item);
  else held.splice(place, 0, item);
}

function earliest(readings: readonly Reading[]): Reading | undefined {
  let best: Reading | undefined;
  for (const reading of readings) {
    const [first] = reading.held;
    if (first !== undefined && first.startedMs < (best?.held[0]?.startedMs ?? Number.POSITIVE_INFINITY))
      best = reading;
  }
  return best;
}
