import type { Failure, Result } from "../../engine/play/result.ts";
import { plain } from "../../plain-text.ts";
import { reproductionCommand } from "../reproduction-command.ts";
import { commandHtml } from "./command.ts";
import { stepHtml } from "./failure.ts";
import { mark, ruleLinks, testAttributes } from "./links.ts";
import { type Html, html, NOTHING } from "./markup.ts";
import type { PageContext } from "./page-context.ts";
import { shown } from "./shown-text.ts";
import { timelineHtml } from "./timeline.ts";

/** A failed test with everything that there is to see about it. */
export function failedTest(result: Result, { contract, invocation }: PageContext, open: boolean): Html {
  const { failures, trace, vector } = result;
  const steps = byStep(failures);
  return html`<details class="test" ${testAttributes(result, contract)}${open ? " open" : ""}>
${headHtml(result)}
<div class="body">
${originHtml(result)}
${knownHtml(result)}
${steps.map((step) => stepHtml(step, contract))}
${timelineHtml(trace, new Set(failures.map(({ step }) => step)))}
${vector === undefined ? NOTHING : html`<h3>As a vector, shrunk</h3><pre tabindex="0">${lines(vector)}</pre>`}
${incidentalHtml(result)}
<h3>Run just this again</h3>
${commandHtml(reproductionCommand(invocation, result.id))}
</div>
</details>`;
}

/** A failed test in a few lines: what is shown once a page holds as much detail as a browser likes. */
export function failedTestInBrief(result: Result, { contract, invocation }: PageContext): Html {
  const { failures } = result;
  return html`<details class="test" ${testAttributes(result, contract)}>
${headHtml(result)}
<div class="body">
${originHtml(result)}
<ul>${failures.slice(0, 3).map(({ rule, step, expected, got }) => html`<li>Step ${plain(step)}, ${ruleLinks([rule])}: expected ${shown(expected, 200)}, got <span class="got">${shown(got, 200)}</span></li>`)}</ul>
<p class="note">Told in brief, to keep the page small: the json report has all of it.</p>
${commandHtml(reproductionCommand(invocation, result.id))}
</div>
</details>`;
}

function headHtml({ id, title, outcome, known, later }: Result): Html {
  return html`<summary>${mark(outcome)}<span class="head"><span class="id">${plain(id)}</span> <span class="title">${shown(title, 300)}</span>${later ? html` <span class="tag">does not count</span>` : undefined}${known === undefined ? undefined : html` <span class="tag">known</span>`}</span></summary>`;
}

function originHtml({ source, rules, kind }: Result): Html {
  const where =
    source === undefined ? html`a ${kind}` : html`<code>${plain(source.file)}:${source.line}</code>`;
  return html`<p class="origin">${where} · tests ${ruleLinks(rules)}</p>`;
}

/** Why it is known to fail. Only a link that leads to a page is made one. */
function knownHtml({ known }: Result): Html {
  if (known === undefined) return NOTHING;
  const { reason, link, expires } = known;
  const shownLink =
    link === undefined
      ? undefined
      : /^https?:\/\//.test(link)
        ? html` <a href="${link}" rel="noreferrer">${shown(link, 200)}</a>`
        : html` ${shown(link, 200)}`;
  return html`<p class="known">Known: ${shown(reason, 400)}${shownLink}${expires === undefined ? undefined : html` <span class="note">until ${plain(expires)}</span>`}</p>`;
}

function byStep(failures: readonly Failure[]): readonly [Failure, ...Failure[]][] {
  const steps = new Map<string, [Failure, ...Failure[]]>();
  for (const failure of failures) {
    const step = steps.get(failure.step);
    if (step === undefined) steps.set(failure.step, [failure]);
    else step.push(failure);
  }
  return [...steps.values()];
}

function incidentalHtml({ incidental }: Result): Html {
  const rules = [...new Set(incidental.flatMap(({ rules }) => rules))];
  if (rules.length === 0) return NOTHING;
  return html`<p class="note">Seen broken on the way, told where it is tested: ${ruleLinks(rules)}</p>`;
}

function lines(text: string): readonly Html[] {
  return text
    .trimEnd()
    .split("\n")
    .map((line) => html`${plain(line)}\n`);
}
