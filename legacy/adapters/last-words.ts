import { oneLine } from "./one-line.ts";

/** A line of many languages' crash reports that names the error; other lines around it vary. */
const ERROR_LINE = /^[\w.]*(Error|Exception|panic)\b/;

/** The line of a log that best says why its writer left, after a colon: an error's, or else the last; nothing of an empty one. */
export function lastWords(log: string): string {
  const lines = log.trimEnd().split("\n");
  const line = lines.findLast((candidate) => ERROR_LINE.test(candidate)) ?? lines.at(-1) ?? "";
  return line === "" ? "" : `: ${oneLine(line)}`;
}
