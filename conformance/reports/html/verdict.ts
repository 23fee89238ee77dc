import type { AuditFacts } from "../../engine/run/report.ts";
import { plain } from "../../plain-text.ts";
import type { GatedReport } from "../../policies/gated-report.ts";
import { auditedText } from "../console.ts";
import { allowUntriedOption, exitNote, gateLines, headlineOf, requiredRules } from "../view.ts";
import { count, counted, sideWords } from "../words.ts";
import { type Html, html, NOTHING, ruleLinks, shownText, trusted } from "./markup.ts";

/** Rules that are named before the rest is counted. */
const MOST_UNTRIED = 12;
const WORDS = {
  conforms: "Conforms",
  "does-not-conform": "Does not conform",
  undecided: "Undecided",
  "selection-passed": "Selection passed",
  "selection-undecided": "Selection undecided",
  "nothing-found": "Nothing found",
  "nothing-judged": "Nothing judged",
} as const;

/** The top of the page: who was judged, the verdict with what it means, the counts, and how it was run. */
export function verdictHtml(report: GatedReport, replay: boolean): Html {
  const { implementation, contract } = report;
  const { name, version, language } = implementation;
  return html`<header class="top">
<p class="kind">Conformance to <strong>${contract}</strong></p>
<h1>${shownText(name, 120)} <span class="version">${shownText(version, 60)}</span>${language === undefined ? undefined : html` <span class="language">${shownText(language, 40)}</span>`}</h1>
${replay ? html`<p class="note">A replay of chosen vectors: no verdict about the whole contract is given.</p>` : bannerHtml(report)}
${totalsHtml(report)}
${factsHtml(report)}
${gatesHtml(report)}
</header>`;
}

function bannerHtml(report: GatedReport): Html {
  return html`<div class="verdict ${headlineOf(report)}"><p class="word">${WORDS[headlineOf(report)]}</p><p>${meaning(report)}</p></div>`;
}

function meaning(report: GatedReport): Html {
  if (report.audit !== undefined) return auditMeaning(report.audit);
  const required = requiredRules(report);
  const selected = report.selection === undefined ? "" : " of the selection";
  const ids = (wanted: string) => required.filter(({ outcome }) => outcome === wanted).map(({ id }) => id);
  const [kept, broken, untried] = [ids("passed"), ids("failed"), ids("untried")];
  const parts = [
    `${count(kept.length)} of ${counted(required.length, "required rule")}${selected} kept`,
    ...(broken.length === 0 ? [] : [`${count(broken.length)} broken`]),
    ...(untried.length === 0 ? [] : [`${count(untried.length)} untried`]),
  ];
  return html`${parts.join(", ")}${exitNote(report)}. ${untriedHtml(report, untried)}${acceptingHtml(report)}`;
}

/** What was recorded, and what it does not tell. */
function auditMeaning(audit: AuditFacts): Html {
  const unknown = audit.unknown.map(
    ({ what, rules, exchanges }) =>
      html`<li><strong>Unknown</strong> of ${counted(exchanges, "exchange")}: ${what}. ${rules.length === 0 ? undefined : html`Not judged there: ${ruleLinks(rules)}`}</li>`,
  );
  return html`${auditedText(audit)}.${unknown.length === 0 ? undefined : html` <ul>${unknown}</ul>`}`;
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

function acceptingHtml(report: GatedReport): Html {
  const option = report.verdict === "undecided" ? allowUntriedOption(report) : undefined;
  return option === undefined ? NOTHING : html` Accepted by <code>${option}</code>.`;
}

function totalsHtml({ totals, results }: GatedReport): Html {
  const known = results.filter((result) => result.known !== undefined).length;
  const tiles = (["failed", "error", "skipped", "passed"] as const).map(
    (outcome) =>
      html`<li class="${outcome}${totals[outcome] === 0 ? " none" : ""}"><strong>${count(totals[outcome])}</strong> ${outcome === "error" ? "errors" : outcome}${outcome === "failed" && known > 0 ? `, ${count(known)} known` : ""}</li>`,
  );
  return html`<ul class="totals" aria-label="Tests by outcome">${tiles}</ul>`;
}

/** What the run was held to besides the contract: what fails it, or changes what counts, is said. */
function gatesHtml(report: GatedReport): Html {
  const lines = gateLines(report);
  if (lines.length === 0) return NOTHING;
  return html`<ul class="gates">${lines.map(({ text, fails }) => html`<li${fails ? trusted(' class="fails"') : undefined}>${fails ? html`<strong>Fails the run:</strong> ` : undefined}<bdi>${text}</bdi></li>`)}</ul>`;
}

function factsHtml(report: GatedReport): Html {
  const { kit, suite, adapter, seed, salt, side, runs, durationMs, search, audit } = report;
  const run: readonly (readonly [string, Html])[] = [
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
  ];
  const facts: readonly (readonly [string, Html])[] = [
    ["Kit", html`${plain(kit.name)} ${plain(kit.version)}`],
    ...(audit === undefined ? run : []),
    ["Time", html`${(durationMs / 1000).toFixed(2)} s`],
  ];
  return html`<dl class="facts">${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}
