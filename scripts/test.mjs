// Runs the project's test files with node:test. Usage: test.mjs [--KIND] [PART…]
// Without a KIND, runs the files x.test.ts, which need only Node; with a KIND, the files x.KIND.test.ts. A
// PART selects files whose path contains it. Runs one process per processor, since each loads the suite once.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const words = process.argv.slice(2);
const kind = words.find((word) => word.startsWith("--"))?.slice(2) ?? "";
const parts = words.filter((word) => !word.startsWith("--"));
const roots = ["conformance", "reference", "scripts"];
const suffix = new RegExp(`^[^.]*${kind === "" ? "" : `\\.${kind}`}\\.test\\.ts$`);
const files = roots
  .flatMap((root) => readdirSync(root, { recursive: true, withFileTypes: true }))
  .filter((entry) => suffix.test(entry.name) && !entry.parentPath.includes("node_modules"))
  .map((entry) => join(entry.parentPath, entry.name))
  .filter((file) => parts.length === 0 || parts.some((part) => file.includes(part)));
if (files.length === 0) {
  process.stderr.write(`no test file matches ${words.join(" ")}\n`);
  process.exit(2);
}
// Large files tend to take longest, so they are divided equally among the processes.
files.sort((one, other) => statSync(other).size - statSync(one).size || (one < other ? -1 : 1));
const count = Math.min(availableParallelism(), files.length);
const folder = mkdtempSync(join(tmpdir(), "tests-"));
try {
  const lists = Array.from({ length: count }, (_, index) => {
    const list = join(folder, `part-${index + 1}.mjs`);
    const own = files.filter((_, place) => place % count === index);
    const imports = own.map(
      (file) => `await import(${JSON.stringify(pathToFileURL(resolve(file)).href)});\n`,
    );
    writeFileSync(list, imports.join(""));
    return list;
  });
  const options = ["--import", "tsx", "--test", `--test-concurrency=${availableParallelism()}`];
  process.exitCode = spawnSync(process.execPath, [...options, ...lists], { stdio: "inherit" }).status ?? 1;
} finally {
  rmSync(folder, { recursive: true });
}
