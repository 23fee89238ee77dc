import { oneLine } from "../adapters/one-line.ts";
import type { Finding } from "../contract/audit/findings.ts";
import type { NeglectedDuty } from "../contract/client/traffic/client-duties.ts";

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
  return {
    rule,
    line: `${rule}  ${at} request ${source.line}, ${method} ${oneLine(path, 80)}: expected ${oneLine(expected, MOST)}, got ${oneLine(got, MOST)}${shownBy(others)}`,
  };
}

/** A duty that a client neglects, in one line. */
export function dutyLine({ violation, turn, because, creator }: NeglectedDuty): FindingLine {
  const { rule, message, expected, got } = violation;
  const { source, atMs, request } = turn;
  const at = new Date(atMs).toISOString().slice(11, -1);
  const whose = creator === undefined ? "" : ` for ${oneLine(creator, 44)}`;
  const others = because.map((one) => one.source.line);
  // Where it is told of one of these, it is counted among them.
  const numbered = (text: string) =>
    oneLine(text, MOST).replace(/\brequest (\d+)\b/g, (whole, place) => {
      const number = [...others, source.line][Number(place) - 1];
      return number === undefined ? whole : `request ${number}`;
    });
  return {
    rule,
    line: `${rule}  ${at} request ${source.line}, ${request.method} ${oneLine(request.target, 80)}${whose}: ${oneLine(message, MOST)}: expected ${numbered(expected)}, got ${numbered(got)}${shownBy(others)}`,
  };
}

function shownBy(numbers: readonly number[]): string {
  if (numbers.length === 0) return "";
  return `; see request${numbers.length === 1 ? "" : "s"} ${numbers.join(", ")}`;
}
