import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { OPTIONS } from "../conformance/cli/options.ts";
import { readServiceContract } from "../conformance/contract/contract.ts";
import { ROOT, readPages } from "./docs.ts";

const { rules } = readServiceContract();
const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
const areas = new Set([...rules.keys()].map((id) => id.replace(/-\d+$/, "")));
const pages = readPages();

/** Returns the anchor of a heading, as GitHub makes it. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\w\- ]/g, "")
    .trim()
    .replaceAll(" ", "-");
}

for (const { file, prose, blocks } of pages) {
  test(`${file}: links lead to files and headings`, () => {
    for (const [, target = ""] of prose.matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^https?:/.test(target)) continue;
      const [path = "", anchor] = target.split("#");
      const linked = path === "" ? file : join(dirname(file), path);
      assert.ok(existsSync(join(ROOT, linked)), target);
      if (anchor === undefined) continue;
      const headings = readFileSync(join(ROOT, linked), "utf8").matchAll(/^#+ (.*)$/gm);
      assert.ok([...headings].map(([, text = ""]) => anchorOf(text)).includes(anchor), target);
    }
  });

  test(`${file}: options, rules, and npm scripts exist`, () => {
    const text = [prose, ...blocks.map((block) => block.text)].join("\n");
    const commands = blocks.flatMap((block) => (block.language === "sh" ? block.text.split("\n") : []));
    const own = commands.filter((line) => line.includes("npx launch-draft-conformance")).join("\n");
    const named = [...own.matchAll(/ --([a-z][a-z-]+)/g)].map(([, name = ""]) => name);
    for (const name of named) assert.ok(name === "help" || Object.hasOwn(OPTIONS, name), `--${name}`);
    for (const [id] of text.matchAll(/\b[A-Z]+-\d+\b/g))
      if (areas.has(id.replace(/-\d+$/, ""))) assert.ok(rules.has(id), id);
    for (const [, name = ""] of text.matchAll(/npm run (?:--silent )?([a-z:]+)/g))
      assert.ok(Object.hasOwn(scripts, name), `npm run ${name}`);
  });
}

test("the docs have at most 12,000 words and ten pages", () => {
  const words = pages.flatMap(({ file }) => readFileSync(join(ROOT, file), "utf8").split(/\s+/));
  assert.ok(words.length <= 12_000);
  assert.ok(pages.filter(({ file }) => file.startsWith("docs/")).length <= 10);
});
