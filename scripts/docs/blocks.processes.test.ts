import { test } from "node:test";
import { userPages } from "./pages.ts";
import { isRun, needsPython, runBlocks } from "./run-blocks.ts";

for (const page of userPages().filter(({ blocks }) => blocks.some(isRun))) {
  test(`the commands of ${page.name} do what it says`, () => runBlocks(page, (block) => !needsPython(block)));
}
