/** Words that several reports share: numbers with their nouns, times, seeds, the sides of the contract. */

import type { TimeFacts } from "../engine/run/activity.ts";
import type { Report, SlowFacts } from "../engine/run/report.ts";
import { plainLine } from "../plain-text.ts";

const NUMBER = new Intl.NumberFormat("en");

/** A number as people read it: `1,316`. */
export function count(number: number): string {
  return NUMBER.format(number);
}

/** A number with the word for it: `1 test`, `1,316 tests`. */
export function counted(number: number, one: string, many = `${one}s`): string {
  return `${count(number)} ${number === 1 ? one : many}`;
}

/** Where a request belongs: a vector, or what came before the first, and its step where it has one. */
export function formatPlace(id: string, step: string): string {
  return [id, step === "" ? "" : `step ${step}`].filter((part) => part !== "").join(", ");
}

/** A time in seconds, with as many digits as matter: `41 s`, `6.1 s`, `0.02 s`. */
export function formatSeconds(ms: number): string {
  const seconds = ms / 1000;
  if (seconds >= 10 || Number.isInteger(seconds)) return `${Math.round(seconds)} s`;
  return `${seconds.toFixed(seconds >= 0.1 ? 1 : 2)} s`;
}

/** How long a request took: in ms below a second. */
export function formatLatency(ms: number): string {
  if (ms >= 1000) return formatSeconds(ms);
  if (ms < 0.01) return "under 0.01 ms";
  return `${ms >= 100 ? Math.round(ms) : Number(ms.toPrecision(2))} ms`;
}

/** What a run's people and cases come from, in words: `seed 1`, or `seed 1, salt 4f1c`. */
export function runSeed({ seed, salt }: { readonly seed: number; readonly salt?: string }): string {
  return salt === undefined ? `seed ${seed}` : `seed ${seed}, salt ${salt}`;
}

/** What a report calls the two sides of the contract, by the side that was judged. */
export interface SideWords {
  /** What was judged. */
  readonly judged: string;
  /** What readings of open points are shown beside. */
  readonly own: string;
  /** What may break under a test. */
  readonly breaks: string;
}

/** The words of a report about services or clients. */
export function sideWords({ side }: { readonly side?: Report["side"] | undefined }): SideWords {
  return side === "client"
    ? { judged: "client", own: "example", breaks: "The client" }
    : { judged: "service", own: "reference", breaks: "The adapter or the implementation" };
}

/** Operations that are told before the rest is left to the json report. */
const MOST_OPERATIONS = 3;

/** Times that are so much longer than the run are those of several threads. */
const SURELY_MORE = 1.2;

/** Of a report, what tells of its time. */
type Timed = Pick<Report, "time" | "durationMs" | "side">;

/** What the time of a run went on, and which operations took most of it. */
export function timeLines({ time, durationMs, side }: Timed): readonly string[] {
  if (time === undefined) return [];
  const slowest = time.operations
    .slice(0, MOST_OPERATIONS)
    .map(({ operation, requests, amongOthers = 0, medianMs, worstMs, worstId, worstStep }) => {
      const sent = `  ${operation.padEnd(9)} ${requests} requests`;
      if (amongOthers === requests) return `${sent}, all concurrent`;
      const alone = amongOthers === 0 ? "" : `, of ${requests - amongOthers} sent alone:`;
      return `${sent}${alone || ","} median ${formatLatency(medianMs)}, worst ${formatLatency(worstMs)} (${plainLine(formatPlace(worstId, worstStep), 90)})`;
    });
  return [
    `time: ${timeParts(time, durationMs, side).join(", ")}`,
    `  ${requestsText(time, side)}`,
    ...slowest,
    ...againLines(time),
  ];
}

/** How many requests were sent, and what for, in words. */
export function requestsText({ requests }: TimeFacts, side: Report["side"]): string {
  const { asked, preparing, floods, searches, measuring } = requests;
  const total = Object.values(requests).reduce((sum, count) => sum + count, 0);
  if (side === "client") return `${total} requests of the client`;
  const parts = [
    `${asked} asked`,
    `${preparing} to prepare`,
    `${floods} to fill stores`,
    `${searches} of searches`,
    `${measuring} to measure`,
  ];
  return `${total} requests: ${parts.join(", ")}`;
}

function againLines({ playedAgain: vectors }: TimeFacts): readonly string[] {
  if (vectors === 0) return [];
  const were = vectors === 1 ? "1 vector was" : `${vectors} vectors were`;
  return [`  ${were} repeated: the service was too slow or did not respond the first time`];
}

/** Why less was searched than usual. */
export function slowLines(slow: SlowFacts | undefined): readonly string[] {
  if (slow === undefined) return [];
  const { share, requestMs, usualRuns } = slow;
  return [
    `  only 1/${Math.round(1 / share)} of the usual search: a request takes ${formatLatency(requestMs)}, and all of it would take too long; --runs ${usualRuns} tries it`,
  ];
}

/** What the time of a run went on, each part in words. */
export function timeParts(
  { serviceMs, clockMs, kitMs }: TimeFacts,
  durationMs: number,
  side: Report["side"],
): readonly string[] {
  const together = serviceMs + clockMs + kitMs > durationMs * SURELY_MORE;
  return [
    `${formatSeconds(serviceMs)} waiting for the ${sideWords({ side }).judged}`,
    ...(clockMs === 0 ? [] : [`${formatSeconds(clockMs)} waiting for the clock`]),
    `${formatSeconds(kitMs)} the kit's own work`,
    ...(together ? ["all threads and parts together"] : []),
  ];
}

/** How long a run took: `1.50 s`. */
export function durationText({ durationMs }: Pick<Report, "durationMs">): string {
  return `${(durationMs / 1000).toFixed(2)} s`;
}
