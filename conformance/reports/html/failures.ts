import type { Result } from "../../engine/play/result.ts";
import type { GatedReport } from "../../policies/gated-report.ts";
import { failedTest, failedTestInBrief } from "./failed-test.ts";
import { type Html, html, NOTHING } from "./markup.ts";
import type { PageContext } from "./page-context.ts";
import { counted } from "./words.ts";

/** Characters of markup that failures told whole may take: beyond it a page opens slowly and helps nobody. */
const MOST_DETAIL = 3_000_000;

/** Every failed test, the first of them open; after them those that the user knows of. */
export function failuresHtml({ results }: GatedReport, context: PageContext): Html {
  const failed = results.filter(({ outcome }) => outcome === "failed");
  const fresh = failed.filter(({ known }) => known === undefined);
  const known = failed.filter((result) => result.known !== undefined);
  let length = 0;
  const told = (result: Result, index: number) => {
    if (length > MOST_DETAIL) return failedTestInBrief(result, context);
    const test = failedTest(result, context, result.known === undefined && index === 0);
    length += test.length;
    return test;
  };
  return html`${sectionHtml("failures", "Failed tests", `${counted(fresh.length, "test")} failed, each with what was sent, what came back and how to run it again.`, fresh.map(told))}
${sectionHtml("known", "Known failures", `${counted(known.length, "test")} failed as the baseline says. They do not fail the run; they do not conform either.`, known.map(told))}`;
}

function sectionHtml(id: string, title: string, lead: string, tests: readonly Html[]): Html {
  if (tests.length === 0) return NOTHING;
  return html`<section id="${id}" data-section><h2>${title}</h2>
<p class="lead">${lead} <button type="button" data-open="#${id} details.test" hidden>Open all</button></p>
${tests}
</section>`;
}
