import { oneLine } from "../adapters/one-line.ts";
import type { Finding } from "../contract/audit/finding.ts";

/** A finding as it is told on the screen at once; all of it stands in the report. */
export interface FindingLine {
  readonly rule: string;
  readonly line: string;
}

/** Characters of what was expected, and of what came: the report has all of it. */
const MOST = 120;

/** A finding in one line: when, which request, what is wrong, and which earlier requests show it. */
export function findingLine({ rules, seen, because, expected, got }: Finding): FindingLine {
  const { source, exchange, moment } = seen;
  const [rule = ""] = rules;
  const { method, path } = exchange.request;
  const at = new Date(moment.earliest).toISOString().slice(11, -1);
  const others = because.filter((one) => one !== seen).map((one) => one.source.line);
  const shownBy = others.length === 0 ? "" : `; see ${plural("request", others)}`;
  return {
    rule,
    line: `${rule}  ${at} request ${source.line}, ${method} ${oneLine(path, 80)}: expected ${oneLine(expected, MOST)}, got ${oneLine(got, MOST)}${shownBy}`,
  };
}

function plural(word: string, numbers: readonly number[]): string {
  return `${word}${numbers.length === 1 ? "" : "s"} ${numbers.join(", ")}`;
}
