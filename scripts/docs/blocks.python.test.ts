import { test } from "node:test";
import { userPages } from "./pages.ts";
import { isRun, needsPython, runBlocks } from "./run-blocks.ts";

const isWanted = (block: Parameters<typeof isRun>[0]) => isRun(block) && needsPython(block);

for (const page of userPages().filter(({ blocks }) => blocks.some(isWanted))) {
  test(`the commands of ${page.name} that need Python do what it says`, () => runBlocks(page, needsPython));
}
