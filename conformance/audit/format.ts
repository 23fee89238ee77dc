/** Formats audits for people. */

import type { Contract } from "../contract/contract.ts";
import { groupBy, show } from "../data/json.ts";
import { plural } from "../data/text.ts";
import { KINDS, LOST, placeText, type Recording } from "../recordings/recording.ts";
import { textsOf } from "../report/wording.ts";
import type { Audit, RecordedEvent } from "./audit.ts";

/** Maximum number of findings to show for one rule. */
const MAX_SHOWN = 3;
/** Largest share of the exchanges with the service that may be undecided, without a finding. */
const MAX_UNDECIDED = 0.5;

/** Returns why an audit without findings shows nothing about the service, or undefined. */
export function doubtOf({ whole, partial, parts, notDecided, kinds }: Audit): string | undefined {
  const lost = [...kinds].reduce((sum, [kind, number]) => sum + (LOST.has(kind) ? number : 0), 0);
  const served = whole + partial + lost;
  if (served === 0) return "no exchange has a path of the contract; name the base URL with --base-url";
  // Without a body, most of a request is unknown.
  const decided = Math.max(0, whole + partial - (parts.get("body") ?? 0) - notDecided);
  if (served - decided <= MAX_UNDECIDED * served) return undefined;
  return `${served - decided} of ${plural(served, "exchange")} with the service are not decided`;
}

/** Formats an audit for people, without escaping recorded text. The last line is the conclusion. */
export function formatAudit(
  result: Audit,
  recording: Recording,
  contract: Contract,
  isVerbose = false,
): readonly string[] {
  const { findings } = result;
  const byRule = groupBy(findings, ({ rules: [id = ""] }) => id);
  const sections = [...byRule].flatMap(([id, ofRule]) => {
    const shown = ofRule.slice(0, MAX_SHOWN);
    const { statement = "", section = "" } = contract.rules.get(id) ?? {};
    const more = ofRule.length - MAX_SHOWN;
    return [
      `FOUND  ${id}: ${statement.trim()} (contract, ${section})`,
      ...shown.flatMap((finding) => {
        const { expected, got } = textsOf(finding);
        return [
          `  place     ${describe(finding.event)}`,
          `  expected  ${expected}`,
          `  got       ${got}`,
          ...finding.because.map((other) => `  because   ${describe(other)}`),
        ];
      }),
      ...(more > 0 ? [`  and ${more} more`] : []),
      "",
    ];
  });
  const doubt = doubtOf(result);
  const found =
    findings.length > 0
      ? `${plural(findings.length, "finding")} about ${plural(byRule.size, "rule")}`
      : doubt === undefined
        ? "No violation found"
        : `Undecided: ${doubt}`;
  const notes = [...notesOf(result, recording), ...ruleLines(result, isVerbose)];
  return [...sections, ...notes, `${found} (${formatCounts(result)}).`];
}

function notesOf({ gateway, parts, notDecided }: Audit, { notes, isComplete }: Recording): readonly string[] {
  const lines = [...notes];
  const unknown = [...parts].map(([part, number]) => `the ${part} of ${plural(number, "request")}`);
  if (gateway !== undefined)
    lines.push(
      `${gateway}: the response is not one of the contract, so a gateway sent it; it is not judged.`,
    );
  if (unknown.length > 0)
    lines.push(`Not recorded: ${unknown.join(", ")}. Responses that depend on it are not judged.`);
  if (notDecided > 0)
    lines.push(
      `Not decided: ${plural(notDecided, "exchange")}, because of an earlier violation or too many possible states, as without durations.`,
    );
  if (!isComplete)
    lines.push(
      "The recording may be incomplete, so a refusal that a missing exchange can explain is not reported.",
    );
  return lines;
}

/** Formats how many exchanges tested each rule. */
function ruleLines({ rules }: Audit, isVerbose: boolean): readonly string[] {
  const numbers = [...new Set(rules.values())].sort((one, other) => other - one);
  const named = numbers.map((number) => {
    const ids = [...rules].flatMap(([id, count]) => (count === number ? [id] : []));
    return `Tested by ${plural(number, "exchange")}: ${ids.sort().join(", ")}.`;
  });
  if (isVerbose) return named;
  return rules.size === 0 ? [] : [`Rules tested: ${rules.size}; --verbose lists them with their exchanges.`];
}

/** Formats the numbers of exchanges, as in `37 exchanges: 20 judged, 17 preflights`. */
function formatCounts({ exchanges, whole, partial, notDecided, kinds }: Audit): string {
  const decided = Math.max(0, whole - notDecided);
  const numbers = [
    `${decided} judged`,
    ...(partial > 0 ? [`${partial} judged in part`] : []),
    ...(whole > decided ? [`${whole - decided} not decided`] : []),
    ...[...kinds].map(([kind, number]) => `${number} ${KINDS[kind][number === 1 ? 0 : 1]}`),
  ];
  return `${plural(exchanges, "exchange")}: ${numbers.join(", ")}`;
}

/** Formats a recorded item in one line. */
export function describe({ event, item }: RecordedEvent): string {
  const place = placeText(item.place);
  if (event.kind === "restart") return `${place}: restart`;
  const { request, status, body } = event.exchange;
  const answer = status === undefined ? "no response" : [status, body["code"]].filter(Boolean).join(" ");
  const key = request.idempotencyKey === undefined ? "" : `, key ${show(request.idempotencyKey)}`;
  return `${place}: ${request.method} ${request.path}${key}: ${answer}`;
}
