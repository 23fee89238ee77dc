import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { implementationInfoSchema } from "../../legacy/adapters/implementation-info.schema.ts";
import { protocolSchema } from "../../legacy/adapters/protocol.schema.ts";
import { REPORTERS } from "../../legacy/cli/reporters.ts";
import { loadKitData } from "../../legacy/contract/kit-data.ts";
import { PATHS } from "../../legacy/paths.ts";
import { knownIds, unknownIds } from "./named-ids.ts";
import { commandOptions, unknownOptions } from "./named-options.ts";
import { type Page, pageOf, readPage, remarkOf, userPages } from "./pages.ts";
import { untriedBlocks } from "./untried-blocks.ts";

const PAGES = userPages();
const ALL = [...PAGES, readPage("CONTRIBUTING.md")];
const ids = await knownIds(loadKitData());
const options = await commandOptions();

/** Links of a page that lead nowhere. */
function brokenLinks({ name, links, anchors }: Page): readonly string[] {
  return links
    .filter((link) => !/^https?:/.test(link))
    .filter((link) => {
      const [path = "", anchor] = link.split("#");
      const target = join(dirname(name), path);
      if (path !== "" && !existsSync(join(PATHS.root, target))) return true;
      if (anchor === undefined) return false;
      return !(path === "" ? anchors : readPage(target).anchors).has(anchor);
    });
}

for (const page of ALL) {
  test(`${page.name}: every link leads somewhere, and every id is one`, () => {
    assert.deepEqual(brokenLinks(page), []);
    assert.deepEqual(unknownIds(page, ids), []);
  });
}

test("every script of the package that a page names is there", () => {
  const { scripts } = JSON.parse(readFileSync(join(PATHS.root, "package.json"), "utf8")) as {
    scripts: object;
  };
  for (const { name, codeSpans, blocks } of ALL) {
    const texts = [...codeSpans, ...blocks.map(({ text }) => text)];
    const named = texts.flatMap((text) => [...text.matchAll(/npm run (?:--silent )?([a-z][\w:-]*)/g)]);
    assert.deepEqual(
      named.map(([, script = ""]) => script).filter((script) => !Object.hasOwn(scripts, script)),
      [],
      name,
    );
  }
});

for (const page of PAGES) {
  test(`${page.name}: every option is one of its command, and every block is tried or says why not`, () => {
    assert.deepEqual(unknownOptions(page, options), []);
    assert.deepEqual(untriedBlocks(page), []);
    for (const block of page.blocks) {
      const file = remarkOf(block, "tested by");
      if (file === undefined) continue;
      assert.ok(
        readFileSync(join(PATHS.root, file), "utf8").includes(page.name),
        `${file} knows nothing of it`,
      );
    }
  });
}

test("what is wrong with a page is found", () => {
  const page = pageOf(
    "docs/wrong.md",
    `# A page

[there](nowhere.md), [anchor](#b-page), [other](ci.md#nothing), [good](#a-page), \`CHALLENGE-999\`, \`NO-SUCH-POINT\`,
\`challenge/lifetime/just-past\`, \`challenge/*\`, \`--no-such-option\`, \`merge --runs 3\`, \`npm x --whatever\`

- in a list:

  <!-- not run -->
  \`\`\`sh
  npx launch-draft-conformance list --runs 3 # --not-this
  npx launch-draft-conformance run --command "python3 --not-this" --rums 3
  \`\`\`

\`\`\`js
neverTried();
\`\`\`
`,
  );
  assert.deepEqual(brokenLinks(page), ["nowhere.md", "#b-page", "ci.md#nothing"]);
  assert.deepEqual(unknownIds(page, ids), ["CHALLENGE-999", "NO-SUCH-POINT", "challenge/lifetime/just-past"]);
  assert.deepEqual(unknownOptions(page, options), [
    "any --no-such-option",
    "merge --runs",
    "list --runs",
    "run --rums",
  ]);
  assert.deepEqual(untriedBlocks(page), [
    "docs/wrong.md, A page: neverTried();",
    "docs/wrong.md, A page: npx launch-draft-conformance list --runs 3 # --not-this",
  ]);
});

test("every option of every command is told of somewhere", () => {
  const told = PAGES.flatMap(({ codeSpans, blocks }) => [
    ...codeSpans,
    ...blocks.map(({ text }) => text),
  ]).join("\n");
  const untold = [...options].flatMap(([command, own]) =>
    [...own]
      .filter((option) => option !== "--help" && !new RegExp(`${option}(?![a-z-])`).test(told))
      .map((option) => `${command} ${option}`),
  );
  assert.deepEqual(untold, []);
});

test("the pages name every reporter, message, capability and fact", () => {
  const reports = readPage("docs/reports.md").codeSpans;
  assert.deepEqual(
    REPORTERS.filter((name) => !reports.includes(name)),
    [],
  );
  const protocol = readPage("docs/adapter-protocol.md").codeSpans;
  const { capabilities, facts } = implementationInfoSchema.properties;
  const methods = protocolSchema.$defs.request.oneOf.map(({ properties }) => properties.method.const);
  const names = [...methods, ...Object.keys(capabilities.properties), ...Object.keys(facts.properties)];
  assert.deepEqual(
    names.filter((name) => !protocol.includes(name)),
    [],
  );
});

test("the README is a front door: two screens, with the two commands", () => {
  const text = readFileSync(join(PATHS.root, "README.md"), "utf8");
  assert.ok(text.split("\n").length <= 125, "what is longer belongs into docs/");
  assert.match(text, /^npm ci && npm run conformance .*\nnpm ci && npm test\b/m);
  const pages = PAGES.map(({ name }) => name).filter((name) => name.startsWith("docs/"));
  assert.deepEqual(
    pages.filter((name) => !text.includes(`](${name})`)),
    [],
    "pages that nobody finds",
  );
});
