import wrapAnsi from "wrap-ansi";
import type { SearchFacts } from "../engine/run/report.ts";
import { CLOCK, RESTART } from "../engine/vectors/need.ts";
import { plainLine } from "../plain-text.ts";
import type { GatedReport } from "../policies/gated-report.ts";
import { errorsText, failuresText, skipsText, waivedText } from "./console-failures.ts";
import { coloursOf, hanging, table } from "./text-layout.ts";
import type { ReportView, RuleReasons } from "./view.ts";
import { durationText, runSeed, sideWords, slowLines, timeLines } from "./words.ts";

/** Prints a report for people at a terminal. Pure. */
export function consoleReport(view: ReportView): string {
  const tests = [heading(view), failuresText(view), waivedText(view), errorsText(view), skipsText(view)];
  if (view.replay) return joined([...tests, recommendations(view), `${view.verdict}\n${counts(view)}`]);
  return joined([
    ...tests,
    areas(view),
    choicesText(view),
    recommendations(view),
    policiesText(view),
    verdict(view),
  ]);
}

function joined(sections: readonly string[]): string {
  return `${sections.filter((section) => section !== "").join("\n\n")}\n`;
}

function heading({ report, implementation }: ReportView): string {
  const { kit, contract, adapter, side, runs } = report;
  const of = `${kit.name} ${kit.version} · contract ${contract}`;
  const searched = side === "client" && runs === 0 ? "" : `, ${runs} runs a property`;
  return `${of} · ${runSeed(report)}${searched}\n${plainLine(implementation, 100)}, ${adapter}`;
}

function policiesText({ policies, color }: ReportView): string {
  const { red } = coloursOf(color);
  return policies.map(({ text, fails }) => (fails ? red(text) : text)).join("\n");
}

function areas({ areas: all }: ReportView): string {
  const rows = all.map(({ title, required, kept, failed, untried, results, points }) => [
    title,
    `${kept}/${required}`,
    failed === 0 ? "" : `${failed} failed`,
    untried === 0 ? "" : `${untried} untried`,
    String(results),
    String(points),
  ]);
  return table(["area", "required rules kept", "", "", "results", "open points"], rows);
}

function choicesText({ report, choices, contract, color, width, verbose }: ReportView): string {
  const { dim, yellow } = coloursOf(color);
  const { seen, unlike, alike } = choices;
  if (seen.length === 0) return "";
  const { own } = sideWords(report);
  const wrapped = (text: string) => wrapAnsi(text, width - 4).replaceAll(/^/gm, "  ");
  const reading = (observed: string) => plainLine(observed, 100);
  const lines = [
    `Observed choices: ${seen.length} of ${report.choices.length} open points seen, ${unlike.length} unlike the ${own}'s`,
  ];
  const { lifetimes = [] } = report;
  if (lifetimes.length > 0)
    lines.push(wrapped(`Measured: ${lifetimes.map(({ told }) => plainLine(told, 100)).join(" · ")}`));
  if (unlike.length > 0) {
    const rows = unlike.map(({ point, observed, reference }) => [point, reading(observed), reference]);
    lines.push(table([`unlike the ${own}`, "observed", own], rows));
  }
  if (!verbose && alike.length > 0)
    lines.push(dim(`  ${alike.length} as the ${own}'s (--verbose lists them)`));
  for (const [area, title] of verbose ? contract.areas : []) {
    const shown = alike.filter(({ point }) => contract.points.get(point)?.area === area);
    const readings = shown.map(({ point, observed }) => `${point} ${yellow(reading(observed))}`);
    if (shown.length > 0) lines.push(wrapped(`${title}: ${readings.join(" · ")}`));
  }
  return lines.join("\n");
}

function recommendations({ report, color, width }: ReportView): string {
  const { yellow } = coloursOf(color);
  const word = "advice";
  return report.advice
    .map(({ rule, message }) => {
      const text = hanging(`${rule}  ${plainLine(message, 300)}`, width, word.length + 2);
      return `${yellow(word)}  ${text}`;
    })
    .join("\n");
}

/** The verdict in the colour that says how good it is. */
function headline({ headline: name, verdict: words, color }: ReportView): string {
  const { bold, ...paints } = coloursOf(color);
  return bold(paints[COLOUR_OF[name]](words));
}

const COLOUR_OF = {
  conforms: "green",
  "does-not-conform": "red",
  undecided: "yellow",
  "selection-passed": "green",
  "selection-undecided": "yellow",
} as const;

function verdict(view: ReportView): string {
  const { report, untried, unobservable } = view;
  const lines = [`${headline(view)}: ${view.kept}${view.exitNote}`, counts(view)];
  if (report.exitStatus !== 0 && report.verdict === "undecided" && untried.length > 0)
    lines.push(untriedText(view));
  if (report.verdict === "conforms" && report.allowedUntried.length > 0)
    lines.push(`  untried, as allowed: ${report.allowedUntried.join(" ")}`);
  return [...lines, ...withReasons("not observable", unobservable)].join("\n");
}

function counts({ report, totals, executed }: ReportView): string {
  const { version, digest } = report.suite;
  return [
    `${totals}; ${executed}, suite ${version} ${digest.slice(0, 12)}, ${durationText(report)}`,
    ...depthLines(report),
    ...timeLines(report),
  ].join("\n");
}

/** How deep the searches looked, and what would look deeper. */
function depthLines({ results, search, slow, runs }: GatedReport): readonly string[] {
  const [found] = results.flatMap(({ looked }) => looked ?? []);
  const exhaustive = search !== undefined && search.ofSequences > 0 ? search : undefined;
  const all = [
    ...(found === undefined
      ? []
      : [
          `at random ${found.sequences} sequences, ${found.requests} requests, ${found.states} states of the model`,
        ]),
    ...(exhaustive === undefined ? [] : [searchText(exhaustive)]),
  ];
  if (all.length === 0) return [];
  const deeper = [
    ...(found === undefined ? [] : [`--runs ${slow?.usualRuns ?? runs * 10}`]),
    ...(exhaustive === undefined ? [] : [`--exhaustive ${exhaustive.depth + (isWhole(exhaustive) ? 1 : 0)}`]),
  ];
  return [`searched ${all.join(";\n         ")}`, ...slowLines(slow), `  deeper: ${deeper.join(", ")}`];
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

function withReasons(word: string, groups: readonly RuleReasons[]): readonly string[] {
  return groups.map(({ reason, ids }) => {
    const rest = ids.length > 12 ? ` and ${ids.length - 12} more` : "";
    return `  ${word}: ${ids.slice(0, 12).join(" ")}${rest}\n${" ".repeat(word.length + 4)}${reason}`;
  });
}

/** Which required rules were not tested, what would let them be, and what would accept it. */
function untriedText({ report, untriedReasons, allowUntried }: ReportView): string {
  const lacking = report.results.some(({ lacks }) =>
    lacks?.some((name) => name === CLOCK || name === RESTART),
  );
  const hint =
    report.adapter === "http" && lacking ? ["  --control-url lets the kit set the clock and restart"] : [];
  const accepting =
    allowUntried === undefined ? [] : ["  to accept untested rules, use", `    ${allowUntried}`];
  return [...withReasons("untried", untriedReasons), ...hint, ...accepting].join("\n");
}
