// Runs the project's test files under node:test, many in one process: see test-lanes.mjs. What a file `x.alone.test.ts`
// does to its process would disturb others, so it has one to itself.
// Usage: test.mjs [--KIND] [PART…]: runs the files of one kind (x.KIND.test.ts), by default those of none (x.test.ts), which need Node
// alone. Processes start many processes, the others need Python, Chromium, or the tool chains of several languages.
// A part keeps the files whose path contains it.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { dealt, writeLanes } from "./test-lanes.mjs";

const words = process.argv.slice(2);
const KINDS = ["processes", "python", "browser", "languages"];
const kind = KINDS.find((name) => words.includes(`--${name}`)) ?? "node";
const parts = words.filter((word) => !word.startsWith("--"));
// The code of legacy/ does not change any more: its tests run if a part names them.
const roots = [
  "conformance",
  ...(parts.some((part) => part.startsWith("legacy")) ? ["legacy"] : []),
  "reference",
  "scripts",
];
const files = roots
  .filter((root) => existsSync(root))
  .flatMap((root) => readdirSync(root, { recursive: true }).map((name) => join(root, String(name))))
  .filter((file) => file.endsWith(".test.ts") && !file.includes("node_modules") && kindOf(file) === kind)
  .filter((file) => parts.length === 0 || parts.some((part) => file.includes(part)))
  .sort();
if (files.length === 0) {
  process.stderr.write(`no test file matches ${parts.join(" ")}\n`);
  process.exit(2);
}
const processors = availableParallelism();
const folder = mkdtempSync(join(tmpdir(), "test-lanes-"));
try {
  const alone = files.filter((file) => file.endsWith(".alone.test.ts"));
  const together = files.filter((file) => !alone.includes(file));
  const lanes = writeLanes(folder, dealt(together, processors));
  // node --test leaves a core idle unless told; these tests wait more than they compute.
  const options = ["--import", "tsx", "--test", `--test-concurrency=${processors}`];
  const { status } = spawnSync(process.execPath, [...options, ...lanes, ...alone], { stdio: "inherit" });
  process.exitCode = status ?? 1;
} finally {
  rmSync(folder, { recursive: true });
}

/** Kind of a test file by its name, such as `x.browser.test.ts`; "node" for a mere `x.test.ts`. */
function kindOf(file) {
  return KINDS.find((name) => file.endsWith(`.${name}.test.ts`)) ?? "node";
}
