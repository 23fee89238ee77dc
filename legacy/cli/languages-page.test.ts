import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { PATHS } from "../paths.ts";
import { SKELETONS, type Skeleton } from "./skeletons.ts";

test("the page on languages has a row for each skeleton, and no other", () => {
  const page = readFileSync(join(PATHS.root, "docs/languages.md"), "utf8");
  const rows = page.split("\n").filter((line) => line.startsWith("| "));
  const skeletons = [...new Set<Skeleton>(Object.values(SKELETONS))];
  const expected = skeletons.map((skeleton) => {
    const { title, needs = "nothing", build, concurrency, tried } = skeleton;
    const names = Object.entries<Skeleton>(SKELETONS).filter(([, one]) => one === skeleton);
    const called = names.map(([name]) => `\`${name}\``).join(", ");
    const built = build === undefined ? "not at all" : `\`${build}\``;
    return `| ${[title, called, needs, built, concurrency, tried].join(" | ")} |`;
  });
  assert.deepEqual(rows.slice(1), expected);
});

test("the tools that the page names are those which the script installs", () => {
  const page = readFileSync(join(PATHS.root, "docs/languages.md"), "utf8");
  const script = readFileSync(join(PATHS.root, "scripts/language-tools.sh"), "utf8");
  const installed = [...script.matchAll(/^need \S+ (\S+)$/gm)].map(([, name]) => name);
  assert.ok(installed.length > 0);
  assert.ok(page.includes(`\`${installed.join(" ")}\``));
});
