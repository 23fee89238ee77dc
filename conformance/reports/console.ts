import pc from "picocolors";
import wrapAnsi from "wrap-ansi";
import type { RuleBook } from "../engine/rule-book.ts";
import { NOT_SEEN } from "../engine/run/choices.ts";
import type { SearchFacts } from "../engine/run/report.ts";
import { plainLine } from "../plain-text.ts";
import type { GatedReport } from "../policies/gated-report.ts";
import { areaRows } from "./areas.ts";
import type { ReportContext } from "./context.ts";
import { groupErrors } from "./errors/error-groups.ts";
import { errorText } from "./errors/error-text.ts";
import { exitNote } from "./exit-note.ts";
import { groupFailures, testsOf } from "./failure-groups.ts";
import { failureText } from "./failure-text.ts";
import { gateLines } from "./gates.ts";
import { requiredRules } from "./required-rules.ts";
import { table } from "./table.ts";
import { slowLines, timeLines } from "./time-text.ts";
import { waiver } from "./waiver.ts";

/** Failures shown whole, and shown as a line, before they are only counted. */
const SHOWN_WHOLE = 5;
const SHOWN_AS_LINE = 25;

/** The report for people at a terminal. Pure: gives the text. */
export function consoleReport(report: GatedReport, options: ReportContext): string {
  const color = pc.createColors(options.color);
  const told = [
    heading(report),
    failures(report, options),
    waived(report, options),
    errors(report, options),
    skips(report, color.yellow),
  ];
  if (options.replay) return joined([...told, advice(report, options), counts(report)]);
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

function heading({ kit, contract, implementation, adapter, seed, runs }: GatedReport): string {
  const language = implementation.language === undefined ? "" : ` (${implementation.language})`;
  const name = plainLine(`${implementation.name} ${implementation.version}${language}`, 100);
  return `${kit.name} ${kit.version} · contract ${contract} · seed ${seed}, ${runs} runs a property\n${name}, ${adapter}`;
}

function failures(report: GatedReport, { contract, invocation, color }: ReportContext): string {
  const { red, dim } = pc.createColors(color);
  const groups = groupFailures(report.results.filter((result) => waiver(result) === undefined));
  const whole = groups.slice(0, SHOWN_WHOLE).map((group) => {
    const [{ result, failure }] = group;
    const [first = "", ...rest] = failureText(result, failure, contract, invocation);
    const others = testsOf(group).slice(1);
    const also = others.length === 0 ? [] : [dim(`  likewise  ${firstOf(others)}`)];
    return [red(first), ...rest, ...also].join("\n");
  });
  const lines = groups
    .slice(SHOWN_WHOLE, SHOWN_WHOLE + SHOWN_AS_LINE)
    .map(([{ result, failure }, ...others]) => {
      const also = others.length === 0 ? "" : dim(` and ${others.length} like it`);
      const what = plainLine(`expected ${failure.expected}, got ${failure.got}`, 90);
      return `${red("failed")}  ${result.id}  ${failure.rules.slice(0, 3).join(", ")}  ${what}${also}`;
    });
  const rest = groups.slice(SHOWN_WHOLE + SHOWN_AS_LINE).flat().length;
  const more = rest > 0 ? [dim(`… and ${rest} more; --reporter json=FILE has them all`)] : [];
  return [...whole, [...lines, ...more].join("\n")].filter((part) => part !== "").join("\n\n");
}

/** Failures that do not count, each with the reason. */
function waived(report: GatedReport, { color, verbose }: ReportContext): string {
  const { dim, yellow } = pc.createColors(color);
  const lines = report.results.flatMap((result) => {
    const reason = waiver(result);
    return reason === undefined
      ? []
      : [`${yellow(result.known === undefined ? "later" : "known")}   ${result.id}  ${dim(reason)}`];
  });
  const shown = verbose ? lines : lines.slice(0, SHOWN_AS_LINE);
  const rest = lines.length - shown.length;
  return [...shown, ...(rest > 0 ? [dim(`… and ${rest} more; --verbose lists them`)] : [])].join("\n");
}

function gates(report: GatedReport, red: (text: string) => string): string {
  return gateLines(report)
    .map(({ text, fails }) => (fails ? red(text) : text))
    .join("\n");
}

/** The first few ids, and how many more there are. */
function firstOf(ids: readonly string[]): string {
  return ids.slice(0, 3).join(", ") + (ids.length > 3 ? ` and ${ids.length - 3} more` : "");
}

/** What broke, a block for each cause. */
function errors({ results }: GatedReport, { invocation, color }: ReportContext): string {
  const { red, dim } = pc.createColors(color);
  return groupErrors(results)
    .map((group) => {
      const [result, ...others] = group;
      const [first = "", ...rest] = errorText(result, invocation);
      if (result.breakage === undefined)
        return `${red(first.slice(0, 5))}${first.slice(5)}\n         ${firstOf(group.map(({ id }) => id))}`;
      const also = others.length === 0 ? [] : [dim(`  likewise  ${firstOf(others.map(({ id }) => id))}`)];
      return [red(first), ...rest, ...also].join("\n");
    })
    .join("\n\n");
}

/** Results that were left out, by reason: a reason that many share is said once. */
function skips(report: GatedReport, paint: (text: string) => string): string {
  const byReason = new Map<string, string[]>();
  for (const result of report.results) {
    if (result.outcome !== "skipped") continue;
    const reason = plainLine(result.reason ?? "no reason given", 200);
    byReason.set(reason, [...(byReason.get(reason) ?? []), result.id]);
  }
  return [...byReason]
    .map(([reason, ids]) => `${paint("skipped")}  ${reason}\n         ${firstOf(ids)}`)
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
  const { dim, yellow } = pc.createColors(color);
  const seen = report.choices.filter(({ observed }) => observed !== NOT_SEEN);
  if (seen.length === 0) return "";
  const differ = seen.filter(({ observed, reference }) => observed !== reference);
  const lines = [
    `Observed choices: ${seen.length} of ${report.choices.length} open points seen, ${differ.length} unlike the reference's`,
  ];
  const { lifetimes = [] } = report;
  if (lifetimes.length > 0) {
    const text = `Measured: ${lifetimes.map(({ told }) => plainLine(told, 100)).join(" · ")}`;
    lines.push(wrapAnsi(text, width - 4).replaceAll(/^/gm, "  "));
  }
  if (differ.length > 0) {
    const rows = differ.map(({ point, observed, reference }) => [point, plainLine(observed, 100), reference]);
    lines.push(table(["unlike the reference", "observed", "reference"], rows));
  }
  const asReference = seen.filter(({ observed, reference }) => observed === reference);
  const plainCodes = asReference.filter(({ point }) => isAboutCodes(contract, point));
  for (const [area, title] of contract.areas) {
    const shown = asReference.filter(
      ({ point }) => contract.points.get(point)?.area === area && (verbose || !isAboutCodes(contract, point)),
    );
    if (shown.length === 0) continue;
    const text = `${title}: ${shown.map(({ point, observed }) => `${point} ${yellow(plainLine(observed, 100))}`).join(" · ")}`;
    lines.push(wrapAnsi(text, width - 4).replaceAll(/^/gm, "  "));
  }
  if (!verbose && plainCodes.length > 0) {
    lines.push(
      dim(
        `  and ${plainCodes.length} more about codes and the order of checks, as the reference (--verbose lists them)`,
      ),
    );
  }
  return lines.join("\n");
}

/** Whether every reading of a point is a particular answer: such points are many, and dull where all is as usual. */
function isAboutCodes(contract: RuleBook, point: string): boolean {
  return contract.points.get(point)?.readings.every(({ outcome }) => outcome !== undefined) ?? false;
}

function advice(report: GatedReport, { color }: ReportContext): string {
  const { yellow } = pc.createColors(color);
  return report.advice
    .map(({ rule, message }) => `${yellow("advice")}  ${rule}  ${plainLine(message, 140)}`)
    .join("\n");
}

function verdict(report: GatedReport, { contract, color }: ReportContext): string {
  const { green, red, yellow, bold } = pc.createColors(color);
  const required = requiredRules(report);
  const kept = required.filter(({ outcome }) => outcome === "passed").length;
  const untried = required.filter(({ outcome }) => outcome === "untried");
  const selected = report.selection === undefined ? "" : " of the selection";
  const paint = { conforms: green, "does-not-conform": red, undecided: yellow }[report.verdict];
  const lines = [
    `${bold(paint(report.verdict.replaceAll("-", " ")))}: ${kept} of ${required.length} required rules${selected} kept${exitNote(report)}`,
    counts(report),
  ];
  if (report.verdict === "undecided" && report.shard === undefined && untried.length > 0)
    lines.push(
      untriedText(
        untried.map(({ id }) => id),
        report,
        contract,
      ),
    );
  const { allowedUntried } = report;
  if (report.verdict === "conforms" && allowedUntried.length > 0)
    lines.push(`  untried, as allowed: ${allowedUntried.join(" ")}`);
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
  const all = [...random, ...(search === undefined ? [] : [searchText(search)])];
  if (all.length === 0) return [];
  const deeper = [
    ...(found === undefined ? [] : [`--runs ${slow?.usualRuns ?? runs * 10}`]),
    ...(search === undefined ? [] : [`--exhaustive ${isWhole(search) ? search.depth + 1 : search.depth}`]),
  ];
  return [`searched ${all.join("; ")}`, ...slowLines(slow), `  deeper: ${deeper.join(", ")}`];
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

/** Which required rules were not tried, and what would let them be. */
function untriedText(ids: readonly string[], report: GatedReport, contract: RuleBook): string {
  const why = (id: string) => {
    const result = report.results.find(({ rules, outcome }) => rules.includes(id) && outcome !== "passed");
    return plainLine(result?.reason ?? "no selected vector tries it; run without --only", 120);
  };
  const byReason = new Map<string, string[]>();
  for (const id of ids) byReason.set(why(id), [...(byReason.get(why(id)) ?? []), id]);
  const lines = [...byReason].map(([reason, rules]) => {
    const shown = rules
      .slice(0, 12)
      .map((id) => (contract.rules.has(id) ? id : ""))
      .join(" ");
    return `  untried: ${shown}${rules.length > 12 ? ` and ${rules.length - 12} more` : ""}\n           ${reason}`;
  });
  const lacking = [...byReason.keys()].some((reason) =>
    /\(capability (?:clock|restart)|real clock/.test(reason),
  );
  const hint =
    report.adapter === "http" && lacking ? ["  --control-url lets the kit set the clock and restart"] : [];
  return [...lines, ...hint, "  --allow-untried RULE-ID… accepts named ones"].join("\n");
}
