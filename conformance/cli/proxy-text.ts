import type { WrittenRecording } from "../audit/recording-file.ts";
import { displayPath } from "../engine/data/yaml-source.ts";
import { plainLine } from "../plain-text.ts";
import type { WorkDone } from "../proxy/beside.ts";
import type { LatencyCounts } from "../proxy/latency-counts.ts";
import type { Passed } from "../proxy/reverse-proxy.ts";
import { formatLatency } from "../reports/words.ts";

/** Lines of one kind that are told before the rest is only counted. */
const MOST_OF_A_KIND = 3;
const MOST_CHARACTERS = 400;

/** Lines for the screen, of which those of one kind may come by the thousand. */
export class LinesOfAKind {
  readonly #write: (line: string) => void;
  readonly #counts = new Map<string, number>();

  constructor(write: (line: string) => void) {
    this.#write = write;
  }

  tell(kind: string, line: string): void {
    const count = (this.#counts.get(kind) ?? 0) + 1;
    this.#counts.set(kind, count);
    if (count <= MOST_OF_A_KIND) this.#write(`${plainLine(line, MOST_CHARACTERS)}\n`);
    if (count === MOST_OF_A_KIND) this.#write(`  (more like this are counted from here on)\n`);
  }
}

/** What passed, in a few lines. */
export function passedText(passed: Passed, latencies: LatencyCounts): string {
  const { requests, answered, brokenOff, unreachable, notHttp, requestBytes, responseBytes } = passed;
  const parts = [
    `${answered} answered`,
    ...(brokenOff.client > 0 ? [`${brokenOff.client} broken off by the client`] : []),
    ...(brokenOff.service > 0 ? [`${brokenOff.service} broken off by the service`] : []),
    ...(unreachable > 0
      ? [`${unreachable} answered 502 by the proxy, which could not reach the service`]
      : []),
    ...(notHttp > 0 ? [`${notHttp} more were no HTTP`] : []),
  ];
  const lines = [`passed: ${requests} ${requests === 1 ? "request" : "requests"}, ${parts.join(", ")}`];
  if (answered > 0)
    lines.push(
      `  bodies of ${requestBytes} bytes one way, ${responseBytes} the other`,
      `  the service took ${formatLatency(latencies.within(0.5))} at the median, ${formatLatency(latencies.within(0.99))} for 99 of 100, ${formatLatency(latencies.worstMs)} at most`,
    );
  return `${lines.join("\n")}\n`;
}

/** Whether a recording holds all that passed. */
export function isWhole({ end, missed }: WorkDone<WrittenRecording>): boolean {
  return end !== undefined && end.unwritten === undefined && missed === 0;
}

/** What became of a recording, in one line. */
export function recordedText({ end, missed, broke }: WorkDone<WrittenRecording>): string {
  if (end === undefined) return `the recording broke: ${plainLine(broke ?? "", MOST_CHARACTERS)}\n`;
  const { file, exchanges, unwritten } = end;
  const lost = [
    ...(unwritten === undefined
      ? []
      : [`${unwritten.exchanges} more could not be written (${unwritten.fault})`]),
    ...(missed === 0 ? [] : [`${missed} are missing, since it was behind`]),
  ];
  return `recorded: ${[`${exchanges} ${exchanges === 1 ? "exchange" : "exchanges"} in ${displayPath(file)}`, ...lost].join("; ")}\n`;
}
