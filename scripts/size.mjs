// Prints the size of the project, with limits: lines of production code, tests, and scripts, words of docs,
// packages, and files that take part in one vector. Usage: node scripts/size.mjs
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

/** Maximum number of lines of each folder of the kit, and of the reference. */
const FOLDERS = {
  "conformance/cli": 1_970,
  "conformance/mutants": 610,
  "conformance/golden": 580,
  "conformance/audit": 700,
  "conformance/clients": 3_350,
  "conformance/report": 2_880,
  "conformance/run": 980,
  "conformance/properties": 1_340,
  "conformance/play": 2_190,
  "conformance/model": 2_530,
  "conformance/judge": 1_530,
  "conformance/recordings": 770,
  "conformance/suite": 1_510,
  "conformance/contract": 1_350,
  "conformance/adapters": 1_790,
  "conformance/data": 1_170,
  reference: 1_500,
};
const LIMITS = {
  lines: 27_290,
  files: 200,
  tests: 10_000,
  scripts: 1_500,
  words: 12_000,
  packages: 25,
  inVector: 45,
};
/** A vector with three requests. */
const VECTOR = "challenge/altered-signature-uses-it-up";

const root = fileURLToPath(new URL("..", import.meta.url));
process.chdir(root);
const sources = execFileSync("git", ["ls-files", "-co", "--exclude-standard"], { encoding: "utf8" })
  .split("\n")
  .filter((file) => /\.[cm]?[jt]s$/.test(file));
const isTest = (file) => /\.test(-d)?\.ts$/.test(file) || /\/testing\//.test(file);
const isProduction = (file) =>
  /^(conformance|reference)\//.test(file) && !isTest(file) && !/\/examples\//.test(file);
const linesOf = (files) =>
  files.reduce((sum, file) => sum + readFileSync(file, "utf8").split("\n").length - 1, 0);

const production = sources.filter(isProduction);
const docs = [
  "README.md",
  "CONTRIBUTING.md",
  "CHANGELOG.md",
  ...readdirSync("docs").map((name) => `docs/${name}`),
];
const words = docs
  .filter((file) => file.endsWith(".md"))
  .flatMap((file) =>
    readFileSync(file, "utf8")
      .split(/\s+/)
      .filter((word) => word !== ""),
  );
const { dependencies, devDependencies } = JSON.parse(readFileSync("package.json", "utf8"));

print("", "now", "limit");
print("production lines", linesOf(production), LIMITS.lines);
print("production files", production.length, LIMITS.files);
print("test lines", linesOf(sources.filter(isTest)), LIMITS.tests);
print(
  "lines in scripts/",
  linesOf(sources.filter((file) => file.startsWith("scripts/") && !isTest(file))),
  LIMITS.scripts,
);
print("words of docs", words.length, LIMITS.words);
print("packages", Object.keys({ ...dependencies, ...devDependencies }).length, LIMITS.packages);
print("files in one vector", filesInVector(), LIMITS.inVector);
process.stdout.write("\nLines of production code by folder:\n");
for (const [folder, limit] of Object.entries(FOLDERS))
  print(folder, linesOf(production.filter((file) => file.startsWith(`${folder}/`))), limit);

function print(name, now, limit) {
  const over = now > limit ? "  over the limit" : "";
  process.stdout.write(`${name.padEnd(26)} ${String(now).padStart(7)} ${String(limit).padStart(7)}${over}\n`);
}

/** Returns the number of files of the kit with a function that runs in one vector (by V8 coverage). */
function filesInVector() {
  const folder = mkdtempSync(join(tmpdir(), "size-"));
  try {
    const command = ["--import", "tsx", "conformance/main.ts", "run", "--reference", "--only", VECTOR];
    execFileSync(process.execPath, command, {
      env: { ...process.env, NODE_V8_COVERAGE: folder },
      stdio: "ignore",
    });
    const scripts = readdirSync(folder).flatMap(
      (name) => JSON.parse(readFileSync(join(folder, name), "utf8")).result,
    );
    const taking = scripts.filter(
      ({ url, functions }) =>
        url.startsWith(pathToFileURL(join(root, "conformance")).href) &&
        !url.includes("/node_modules/") &&
        functions.some(
          ({ functionName, ranges }) =>
            !/^(__name|<static_initializer>)?$/.test(functionName) && ranges[0].count > 0,
        ),
    );
    return new Set(taking.map(({ url }) => url)).size;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
