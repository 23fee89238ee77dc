import { type Page, remarkOf } from "./pages.ts";

/** Blocks whose code nothing tries, and that do not say why. */
export function untriedBlocks(page: Page): readonly string[] {
  return page.blocks
    .filter((block) => ["js", "ts", "yaml", "json", "dockerfile"].includes(block.language))
    .filter((block) => !["not run", "tested by", "file"].some((name) => remarkOf(block, name) !== undefined))
    .concat(page.blocks.filter((block) => remarkOf(block, "not run") === ""))
    .map(({ place }) => place);
}
