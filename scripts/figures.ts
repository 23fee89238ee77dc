/** Prints how large the production code is, by folder, and how its files import each other. */

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";

/** A folder's row of the table. */
interface Row {
  files: number;
  lines: number;
  testFiles: number;
  testLines: number;
  oneImporter: number;
}

const ROOTS = ["legacy", "reference"];
/** Not production code: helpers of tests, and implementations that are judged. */
const ASIDE = /\/(?:testing|examples|strangers)\//;
const TEST = /\.test(?:-d)?\.ts$/;
const IMPORT = /(?:from|import)\s*\(?\s*"(\.[^"]+\.ts)"/g;
const EXPORT = /^export (?:async )?(?:abstract )?(?:function|class|const|interface|type|enum) (\w+)/gm;
/** A file that has fewer lines and one importer belongs in that importer. */
const SMALL = 30;

const listed = execFileSync("git", ["ls-files", "-co", "--exclude-standard", ...ROOTS], { encoding: "utf8" });
const sources = new Map(
  listed
    .split("\n")
    .filter((file) => file.endsWith(".ts") && !ASIDE.test(file))
    .map((file) => [file, readFileSync(file, "utf8")]),
);
const production = [...sources.keys()].filter((file) => !TEST.test(file));
const imports = new Map(production.map((file) => [file, importsOf(file)]));
const importers = new Map<string, string[]>();
for (const [file, targets] of imports)
  for (const target of targets) importers.set(target, [...(importers.get(target) ?? []), file]);

const rows = new Map<string, Row>();
for (const [file, text] of sources) {
  const row = rowOf(dirname(file));
  const lines = text.split("\n").length - 1;
  if (TEST.test(file)) {
    row.testFiles += 1;
    row.testLines += lines;
    continue;
  }
  row.files += 1;
  row.lines += lines;
  if (importers.get(file)?.length === 1) row.oneImporter += 1;
}

const all = [...rows.values()];
const sum = (value: (row: Row) => number) => all.reduce((total, row) => total + value(row), 0);
const homonyms = exportedHomonyms();
const small = production.filter(
  (file) => importers.get(file)?.length === 1 && (sources.get(file)?.split("\n").length ?? 0) <= SMALL,
);
const lines = [
  "| folder | files | lines | one importer | test files | test lines |",
  "|---|---:|---:|---:|---:|---:|",
  ...[...rows]
    .sort(([one], [other]) => one.localeCompare(other))
    .map(
      ([folder, row]) =>
        `| ${folder} | ${row.files} | ${row.lines} | ${row.oneImporter} | ${row.testFiles} | ${row.testLines} |`,
    ),
  `| all | ${sum((row) => row.files)} | ${sum((row) => row.lines)} | ${sum((row) => row.oneImporter)} | ${sum(
    (row) => row.testFiles,
  )} | ${sum((row) => row.testLines)} |`,
  "",
  `files of fewer than ${SMALL} lines with one importer: ${small.length}${small.map((file) => `\n  ${file}`).join("")}`,
  `exported names defined in more than one file: ${homonyms.length}${homonyms.map((line) => `\n  ${line}`).join("")}`,
  `files in an import circle: ${circular().length}`,
];
process.stdout.write(`${lines.join("\n")}\n`);

function rowOf(folder: string): Row {
  const row = rows.get(folder) ?? { files: 0, lines: 0, testFiles: 0, testLines: 0, oneImporter: 0 };
  rows.set(folder, row);
  return row;
}

function importsOf(file: string): ReadonlySet<string> {
  const text = sources.get(file) ?? "";
  const targets = [...text.matchAll(IMPORT)].map(([, path = ""]) => normalize(join(dirname(file), path)));
  return new Set(targets.filter((target) => sources.has(target) && target !== file));
}

function exportedHomonyms(): readonly string[] {
  const places = new Map<string, string[]>();
  for (const file of production)
    for (const [, name = ""] of (sources.get(file) ?? "").matchAll(EXPORT))
      places.set(name, [...new Set([...(places.get(name) ?? []), file])]);
  return [...places]
    .filter(([, files]) => files.length > 1)
    .map(([name, files]) => `${name}: ${files.join(", ")}`);
}

/** Files from which a way of imports leads back to themselves. */
function circular(): readonly string[] {
  return production.filter((file) => {
    const reached = new Set<string>();
    const waiting = [...(imports.get(file) ?? [])];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (next === file) return true;
      if (reached.has(next)) continue;
      reached.add(next);
      waiting.push(...(imports.get(next) ?? []));
    }
    return false;
  });
}
