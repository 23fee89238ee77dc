import axe, { type AxeResults } from "axe-core";
import type { Page } from "playwright-core";

/** What axe-core has against a page as it stands: each violation with the first element that shows it. */
export async function audit(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  const { violations }: AxeResults = await page.evaluate(
    "axe.run(document, { resultTypes: ['violations'] })",
  );
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.failureSummary} at ${nodes[0]?.html}`);
}
