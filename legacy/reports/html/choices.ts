import type { OpenPoint, RuleBook } from "../../engine/rule-book.ts";
import type { Choice } from "../../engine/run/choices.ts";
import { plain } from "../../plain-text.ts";
import type { GatedReport } from "../../policies/gated-report.ts";
import type { ReportView } from "../view.ts";
import { counted, sideWords } from "../words.ts";
import { ticked } from "./failures.ts";
import { type Html, html, NOTHING, shownText } from "./markup.ts";

/** What the implementation chose where the contract leaves it open, beside the reference: first what differs. */
export function choicesHtml({ report, contract, choices: groups }: ReportView): Html {
  const { side, choices, heldChoices, lifetimes = [] } = report;
  if (choices.length === 0) return NOTHING;
  const was = new Map(heldChoices?.changed.map(({ point, was }) => [point, was]));
  const changed = choices.filter(({ point }) => was.has(point));
  const unchanged = (some: readonly Choice[]) => some.filter(({ point }) => !was.has(point));
  const unlike = unchanged(groups.unlike);
  const { own } = sideWords({ side });
  const open = unlike.length > 0 && unlike.length <= 40;
  return html`<section id="choices" data-section><h2>Observed choices</h2>
<p class="lead">Where the contract leaves a point open, every accepted reading passes. These are the readings that were seen, beside the bundled ${own}’s.</p>
${measured(lifetimes)}
${group("Changed since they were saved", changed, contract, true, was)}
${group(`Unlike the ${own}`, unlike, contract, open)}
${group(`As the ${own}`, unchanged(groups.alike), contract, false)}
${group("Not seen in this run", unchanged(groups.unseen), contract, false)}
</section>`;
}

function measured(lifetimes: NonNullable<GatedReport["lifetimes"]>): Html {
  if (lifetimes.length === 0) return NOTHING;
  const told = lifetimes.map(({ told: text }) => html`<li>${shownText(text, 200)}</li>`);
  return html`<p>Measured, from several instants of a second:</p><ul>${told}</ul>`;
}

function group(
  title: string,
  choices: readonly Choice[],
  contract: RuleBook,
  open: boolean,
  was: ReadonlyMap<string, string> = new Map(),
): Html {
  if (choices.length === 0) return NOTHING;
  return html`<details class="group"${open ? " open" : ""} data-print><summary><span class="head"><span class="title">${title}</span> <span class="count">${counted(choices.length, "point")}</span></span></summary>
<table class="stack" role="table"><thead role="rowgroup"><tr role="row"><th role="columnheader" scope="col">Open point</th><th role="columnheader" scope="col">Observed</th><th role="columnheader" scope="col">Reference</th></tr></thead>
<tbody role="rowgroup">${choices.map((choice) => choiceHtml(choice, contract.points.get(choice.point), was.get(choice.point)))}</tbody></table></details>`;
}

function choiceHtml(
  { point, observed, reference }: Choice,
  known: OpenPoint | undefined,
  was: string | undefined,
): Html {
  const before = was === undefined ? undefined : html`<div class="note">was ${shownText(was, 200)}</div>`;
  return html`<tr role="row" class="choice" id="${point}" data-area="${known?.area}" data-outcome="choice"><th role="rowheader" scope="row"><span class="id">${plain(point)}</span> <span class="question">${ticked(known?.question ?? "")}</span></th><td role="cell" data-label="Observed">${readingsHtml(observed, known)}${before}</td><td role="cell" data-label="Reference">${readingsHtml(reference, known)}</td></tr>\n`;
}

/** One reading or several, each with what it means where its name does not say it. */
export function readingsHtml(
  readings: string,
  point: OpenPoint | undefined,
  strong: boolean = true,
): readonly Html[] {
  return readings.split(" | ").map((id) => {
    const means = point?.readings.find((reading) => reading.id === id)?.means;
    const name = strong ? html`<strong>${shownText(id, 200)}</strong>` : shownText(id, 200);
    return html`<div class="reading">${name}${means === undefined ? undefined : html` <span class="note">${ticked(means)}</span>`}</div>`;
  });
}
