import { plain } from "../../plain-text.ts";
import type { GatedReport } from "../../policies/gated-report.ts";
import type { ReportView } from "../view.ts";
import { count, counted, durationText, sideWords } from "../words.ts";
import { type Html, html, NOTHING, ruleLinks, shownText, trusted } from "./markup.ts";

/** Rules that are named before the rest is counted. */
const MOST_UNTRIED = 12;

/** The top of the page: who was judged, the verdict with what it means, the counts, and how it was run. */
export function verdictHtml(view: ReportView): Html {
  const { implementation, contract } = view.report;
  const { name, version, language } = implementation;
  return html`<header class="top">
<p class="kind">Conformance to <strong>${contract}</strong></p>
<h1>${shownText(name, 120)} <span class="version">${shownText(version, 60)}</span>${language === undefined ? undefined : html` <span class="language">${shownText(language, 40)}</span>`}</h1>
${view.replay ? html`<p class="note">A replay of chosen vectors: no verdict about the whole contract is given.</p>` : bannerHtml(view)}
${totalsHtml(view.report)}
${factsHtml(view.report)}
${policiesHtml(view)}
</header>`;
}

function bannerHtml(view: ReportView): Html {
  const word = view.verdict.replace(/^./, (first) => first.toUpperCase());
  return html`<div class="verdict ${view.headline}"><p class="word">${word}</p><p>${meaning(view)}</p></div>`;
}

function meaning({ report, required, kept, exitNote, allowUntried }: ReportView): Html {
  const { broken, untried } = required;
  const parts = [
    kept,
    ...(broken.length === 0 ? [] : [`${count(broken.length)} broken`]),
    ...(untried.length === 0 ? [] : [`${count(untried.length)} untried`]),
  ];
  const accepting =
    report.verdict === "undecided" && allowUntried !== undefined
      ? html` To accept untested rules, use <code>${allowUntried}</code>.`
      : NOTHING;
  return html`${parts.join(", ")}${exitNote}. ${untriedHtml(report, untried)}${accepting}`;
}

/** Which rules were not tried, where that is what the verdict hangs on, or what the user accepts. */
function untriedHtml(
  { verdict, exitStatus, totals, allowedUntried, side }: GatedReport,
  untried: readonly string[],
): Html {
  const allowed =
    allowedUntried.length === 0 ? NOTHING : html`Untried, as allowed: ${ruleLinks(allowedUntried)}`;
  if (verdict === "conforms" && untried.length === 0)
    return html`Every one that can be seen from outside was tried.`;
  if (verdict !== "undecided" || (exitStatus === 0 && untried.length > 0)) return allowed;
  const why = totals.error > 0 ? `${sideWords({ side }).breaks} broke. ` : "";
  if (untried.length === 0) return html`${why}Nothing was seen broken in what was run. ${allowed}`;
  const rest = untried.length - MOST_UNTRIED;
  return html`${why}Nothing was seen broken, but these were not tried: ${ruleLinks(untried.slice(0, MOST_UNTRIED))}${rest > 0 ? `and ${rest} more. ` : ""}${allowed}`;
}

function totalsHtml({ totals, results }: GatedReport): Html {
  const known = results.filter((result) => result.known !== undefined).length;
  const tiles = (["failed", "error", "skipped", "passed"] as const).map(
    (outcome) =>
      html`<li class="${outcome}${totals[outcome] === 0 ? " none" : ""}"><strong>${count(totals[outcome])}</strong> ${outcome === "error" ? "errors" : outcome}${outcome === "failed" && known > 0 ? `, ${count(known)} known` : ""}</li>`,
  );
  return html`<ul class="totals" aria-label="Tests by outcome">${tiles}</ul>`;
}

/** Results of what the run is held to in addition to the contract. */
function policiesHtml({ policies }: ReportView): Html {
  if (policies.length === 0) return NOTHING;
  return html`<ul class="gates">${policies.map(({ text, fails }) => html`<li${fails ? trusted(' class="fails"') : undefined}>${fails ? html`<strong>Fails the run:</strong> ` : undefined}<bdi>${text}</bdi></li>`)}</ul>`;
}

function factsHtml(report: GatedReport): Html {
  const { kit, suite, adapter, seed, salt, side, runs, search } = report;
  const facts: readonly (readonly [string, Html])[] = [
    ["Kit", html`${plain(kit.name)} ${plain(kit.version)}`],
    [
      "Suite",
      html`${plain(suite.version)} <code title="${suite.digest}">${suite.digest.slice(0, 12)}</code>, ${count(suite.executed)} of ${counted(suite.expected, "test")} run`,
    ],
    ["Reached by", html`${plain(adapter)}`],
    [
      "Seed",
      html`${String(seed)}${side === "client" && runs === 0 ? undefined : html`, ${counted(runs, "run")} a property`}`,
    ],
    ...(salt === undefined ? [] : ([["Salt", html`${plain(salt)}`]] as const)),
    ...(search === undefined || search.ofSequences === 0
      ? []
      : ([
          [
            "Search",
            html`${counted(search.sequences, "sequence")} of ${search.depth}, ${count(search.steps)} steps in ${(search.durationMs / 1000).toFixed(1)} s`,
          ],
        ] as const)),
    ["Time", html`${durationText(report)}`],
  ];
  return html`<dl class="facts">${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}
