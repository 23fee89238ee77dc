import wrapAnsi from "wrap-ansi";
import { lackedBy, namingIn } from "../engine/run/accepts-untried.ts";
import { NOT_SEEN } from "../engine/run/choices.ts";
import type { AuditFacts, SearchFacts } from "../engine/run/report.ts";
import type { RuleReport } from "../engine/run/verdict.ts";
import { CLOCK, RESTART } from "../engine/vectors/need.ts";
import { plainLine } from "../plain-text.ts";
import type { GatedReport } from "../policies/gated-report.ts";
import { errorsText, failuresText, skipsText, waivedText } from "./console-failures.ts";
import { coloursOf, hanging, table } from "./text-layout.ts";
import {
  allowUntriedOption,
  areaRows,
  exitNote,
  gateLines,
  headlineOf,
  headlineText,
  type ReportContext,
  requiredRules,
  untriedRules,
} from "./view.ts";
import { runSeed, sideWords, slowLines, timeLines } from "./words.ts";

/** The report for people at a terminal. Pure: gives the text. */
export function consoleReport(report: GatedReport, options: ReportContext): string {
  const color = coloursOf(options.color);
  const told = [
    heading(report),
    failuresText(report, options),
    waivedText(report, options),
    errorsText(report, options),
    skipsText(report, options),
  ];
  if (report.audit !== undefined)
    return joined([
      heading(report),
      failuresText(report, options),
      waivedText(report, options),
      errorsText(report, options),
      choices(report, options),
      advice(report, options),
      gates(report, color.red),
      ...auditText(report, report.audit, options),
    ]);
  if (options.replay)
    return joined([...told, advice(report, options), `${headlineText(report)}\n${counts(report)}`]);
  return joined([
    ...told,
    areas(report, options),
    choices(report, options),
    advice(report, options),
    gates(report, color.red),
    verdict(report, options),
  ]);
}

function joined(sections: readonly string[]): string {
  return `${sections.filter((section) => section !== "").join("\n\n")}\n`;
}

function heading(report: GatedReport): string {
  const { kit, contract, implementation, adapter, side, runs, audit } = report;
  if (audit !== undefined) {
    const passed = plainLine(`${implementation.name} ${implementation.version}, through the proxy`, 120);
    const whose = adapter === "proxy" ? `${passed}\n` : "";
    return `${kit.name} ${kit.version} · contract ${contract}\n${whose}${auditedText(audit)}`;
  }
  const language = implementation.language === undefined ? "" : ` (${implementation.language})`;
  const name = plainLine(`${implementation.name} ${implementation.version}${language}`, 100);
  const searched = side === "client" && runs === 0 ? "" : `, ${runs} runs a property`;
  return `${kit.name} ${kit.version} · contract ${contract} · ${runSeed(report)}${searched}\n${name}, ${adapter}`;
}

function gates(report: GatedReport, red: (text: string) => string): string {
  return gateLines(report)
    .map(({ text, fails }) => (fails ? red(text) : text))
    .join("\n");
}

function areas(report: GatedReport, { contract }: ReportContext): string {
  const rows = areaRows(report, contract).map(
    ({ title, required, kept, failed, untried, results, points }) => [
      title,
      `${kept}/${required}`,
      failed === 0 ? "" : `${failed} failed`,
      untried === 0 ? "" : `${untried} untried`,
      String(results),
      String(points),
    ],
  );
  return table(["area", "required rules kept", "", "", "results", "open points"], rows);
}

function choices(report: GatedReport, { contract, color, width, verbose }: ReportContext): string {
  const { dim, yellow } = coloursOf(color);
  const seen = report.choices.filter(({ observed }) => observed !== NOT_SEEN);
  if (seen.length === 0) return "";
  const { own } = sideWords(report);
  const differ = seen.filter(({ observed, reference }) => observed !== reference);
  const lines = [
    `Observed choices: ${seen.length} of ${report.choices.length} open points seen, ${differ.length} unlike the ${own}'s`,
  ];
  const { lifetimes = [] } = report;
  if (lifetimes.length > 0) {
    const text = `Measured: ${lifetimes.map(({ told }) => plainLine(told, 100)).join(" · ")}`;
    lines.push(wrapAnsi(text, width - 4).replaceAll(/^/gm, "  "));
  }
  if (differ.length > 0) {
    const rows = differ.map(({ point, observed, reference }) => [point, plainLine(observed, 100), reference]);
    lines.push(table([`unlike the ${own}`, "observed", own], rows));
  }
  const asReference = seen.filter(({ observed, reference }) => observed === reference);
  if (!verbose && asReference.length > 0)
    lines.push(dim(`  ${asReference.length} as the ${own}'s (--verbose lists them)`));
  for (const [area, title] of verbose ? contract.areas : []) {
    const shown = asReference.filter(({ point }) => contract.points.get(point)?.area === area);
    if (shown.length === 0) continue;
    const text = `${title}: ${shown.map(({ point, observed }) => `${point} ${yellow(plainLine(observed, 100))}`).join(" · ")}`;
    lines.push(wrapAnsi(text, width - 4).replaceAll(/^/gm, "  "));
  }
  return lines.join("\n");
}

function advice(report: GatedReport, { color, width }: ReportContext): string {
  const { yellow } = coloursOf(color);
  return report.advice
    .map(({ rule, message }) => {
      const told = hanging(`${rule}  ${plainLine(message, 300)}`, width, "advice  ".length);
      return `${yellow("advice")}  ${told}`;
    })
    .join("\n");
}

function verdict(report: GatedReport, { color }: ReportContext): string {
  const { green, red, yellow, bold } = coloursOf(color);
  const required = requiredRules(report);
  const kept = required.filter(({ outcome }) => outcome === "passed").length;
  const selected = report.selection === undefined ? "" : " of the selection";
  const paints = {
    conforms: green,
    "does-not-conform": red,
    undecided: yellow,
    "selection-passed": green,
    "selection-undecided": yellow,
    "nothing-found": green,
    "nothing-judged": yellow,
  };
  const paint = paints[headlineOf(report)];
  const lines = [
    `${bold(paint(headlineText(report)))}: ${kept} of ${required.length} required rules${selected} kept${exitNote(report)}`,
    counts(report),
  ];
  const untried = untriedRules(report).filter((rule) => required.includes(rule));
  if (report.exitStatus !== 0 && report.verdict === "undecided" && untried.length > 0)
    lines.push(untriedText(untried, report));
  const { allowedUntried } = report;
  if (report.verdict === "conforms" && allowedUntried.length > 0)
    lines.push(`  untried, as allowed: ${allowedUntried.join(" ")}`);
  lines.push(...unobservableLines(report));
  return lines.join("\n");
}

function counts(report: GatedReport): string {
  const { totals, suite, durationMs } = report;
  const { passed, failed, skipped, error } = totals;
  const run = `${suite.executed} of ${suite.expected} run, suite ${suite.version} ${suite.digest.slice(0, 12)}`;
  const time = `${(durationMs / 1000).toFixed(2)} s`;
  const lines = [
    `${passed} passed, ${failed} failed, ${skipped} skipped, ${error} error; ${run}, ${time}`,
    ...depthLines(report),
    ...timeLines(report),
  ];
  return lines.join("\n");
}

/** How deep the searches looked, and what would look deeper. */
function depthLines({ results, search, slow, runs }: GatedReport): readonly string[] {
  const looked = results.flatMap(({ looked: found }) => found ?? []);
  const [found] = looked;
  const random =
    found === undefined
      ? []
      : [
          `at random ${found.sequences} sequences, ${found.requests} requests, ${found.states} states of the model`,
        ];
  const all = [...random, ...(isLooked(search) ? [searchText(search)] : [])];
  if (all.length === 0) return [];
  const deeper = [
    ...(found === undefined ? [] : [`--runs ${slow?.usualRuns ?? runs * 10}`]),
    ...(!isLooked(search) ? [] : [`--exhaustive ${isWhole(search) ? search.depth + 1 : search.depth}`]),
  ];
  return [`searched ${all.join(";\n         ")}`, ...slowLines(slow), `  deeper: ${deeper.join(", ")}`];
}

/** Whether a search was begun: it is not where the implementation lacks what it needs. */
function isLooked(search: SearchFacts | undefined): search is SearchFacts {
  return search !== undefined && search.ofSequences > 0;
}

function isWhole({ sequences, leftOut, ofSequences }: SearchFacts): boolean {
  return sequences + leftOut === ofSequences;
}

function searchText(search: SearchFacts): string {
  const { depth, sequences, leftOut, ofSequences, steps, durationMs } = search;
  const rate = Math.round((1000 * steps) / Math.max(1, durationMs));
  const tried =
    isWhole(search) && leftOut === 0 ? "every sequence" : `${sequences} of ${ofSequences} sequences`;
  const room = leftOut === 0 ? "" : ` (${leftOut} more with a step left out)`;
  return `${tried} of ${depth}${room}, ${steps} steps in ${(durationMs / 1000).toFixed(1)} s, ${rate} steps a second`;
}

/** Rules and why nothing was seen of them, each reason once. */
function withReasons(word: string, rules: readonly RuleReport[], report: GatedReport): readonly string[] {
  const naming = namingIn(report.results);
  const groups = new Map<string, { readonly reason: string; readonly ids: string[] }>();
  for (const rule of rules) {
    const results = naming(rule);
    const said = rule.reason ?? results.find(({ outcome }) => outcome !== "passed")?.reason;
    const reason = plainLine(said ?? "no selected vector tries it; run without --only", 200);
    // What waits for an hour and what waits for a day lacks the same.
    const key = (rule.reason === undefined && lackedBy(results)?.join(" ")) || reason;
    const group = groups.get(key) ?? { reason, ids: [] };
    group.ids.push(rule.id);
    groups.set(key, group);
  }
  return [...groups.values()].map(({ reason, ids }) => {
    const rest = ids.length > 12 ? ` and ${ids.length - 12} more` : "";
    return `  ${word}: ${ids.slice(0, 12).join(" ")}${rest}\n${" ".repeat(word.length + 4)}${reason}`;
  });
}

/** Which required rules nobody can see broken without a fact that the implementation does not state. */
function unobservableLines(report: GatedReport): readonly string[] {
  const hidden = report.rules.filter(
    ({ level, outcome, results }) => level === "required" && outcome === "unobservable" && results.length > 0,
  );
  return withReasons("not observable", hidden, report);
}

/** Which required rules were not tried, what would let them be, and what would accept it. */
function untriedText(untried: readonly RuleReport[], report: GatedReport): string {
  const lacking = report.results.some(({ lacks }) =>
    lacks?.some((name) => name === CLOCK || name === RESTART),
  );
  const hint =
    report.adapter === "http" && lacking ? ["  --control-url lets the kit set the clock and restart"] : [];
  const option = allowUntriedOption(report);
  const accepting = option === undefined ? [] : ["  what is untried is accepted by", `    ${option}`];
  return [...withReasons("untried", untried, report), ...hint, ...accepting].join("\n");
}

/** What was recorded, on one line. */
export function auditedText({ exchanges, judged, restarts, complete }: AuditFacts): string {
  const parts = [
    `${countedPlain(exchanges, "exchange")} recorded`,
    `${judged} judged`,
    ...(restarts === 0 ? [] : [`${countedPlain(restarts, "restart")} marked`]),
    complete ? "nothing missing between them" : "anything may have happened besides",
  ];
  return parts.join(", ");
}

/** What a recording does not tell, and what was found in it. */
function auditText(
  report: GatedReport,
  audit: AuditFacts,
  { color, width }: ReportContext,
): readonly string[] {
  const { green, red, yellow, bold, dim } = coloursOf(color);
  const unknown = audit.unknown.map(({ what, rules, exchanges }) => {
    const told = hanging(
      `${plainLine(what, 200)}: ${countedPlain(exchanges, "exchange")}`,
      width,
      "unknown  ".length,
    );
    const notJudged = hanging(`not judged there: ${rules.join(" ")}`, width, "unknown  ".length);
    const about = rules.length === 0 ? "" : `\n         ${dim(notJudged)}`;
    return `${yellow("unknown")}  ${told}${about}`;
  });
  const headline = headlineOf(report);
  const paint = headline === "does-not-conform" ? red : headline === "nothing-found" ? green : yellow;
  const broken = report.results.filter(({ outcome }) => outcome === "failed").length;
  const found =
    audit.findings === 0
      ? `in ${countedPlain(audit.judged, "exchange")}`
      : `${countedPlain(audit.findings, "finding")} against ${countedPlain(broken, "rule")}, in ${countedPlain(audit.judged, "exchange")}`;
  return [unknown.join("\n"), `${bold(paint(headlineText(report)))}: ${found}${exitNote(report)}`];
}

function countedPlain(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? "" : "s"}`;
}
