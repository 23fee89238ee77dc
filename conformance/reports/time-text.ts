import type { TimeFacts } from "../engine/run/activity.ts";
import type { Report, SlowFacts } from "../engine/run/report.ts";
import { plainLine } from "../plain-text.ts";
import { sideWords } from "./side-words.ts";
import { formatLatency, formatPlace, formatSeconds } from "./time-words.ts";

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
      if (amongOthers === requests) return `${sent}, none sent alone`;
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
  return [`  ${were} played once more: the service was too slow, or stood still, the first time`];
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
