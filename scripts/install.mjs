// Packs the kit, installs the packed file into an empty folder as its users do, and uses it there: what it exports, the command,
// and the tests of node:test.
// Usage: install.mjs
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const { name, exports } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));

const folder = mkdtempSync(join(tmpdir(), "install-"));
const project = join(folder, "project");
const { NODE_OPTIONS: _, ...inherited } = process.env;
const env = Object.fromEntries(Object.entries(inherited).filter(([key]) => !key.startsWith("npm_")));

/** Runs a program in the project, which must end with a status, and gives what it printed. */
function must(status, program, ...words) {
  const ended = spawnSync(program, words, { cwd: project, env, encoding: "utf8" });
  if (ended.error !== undefined) throw ended.error;
  if (ended.status === status) return ended.stdout;
  const line = [program, ...words].join(" ");
  throw new Error(`${line}: status ${ended.status}, not ${status}\n${ended.stdout}${ended.stderr}`);
}

const kit = (status, ...words) => must(status, join("node_modules/.bin", name), ...words);

/** A check, with its time. */
function check(what, perform) {
  const startedMs = performance.now();
  perform();
  process.stdout.write(`${what}: ${((performance.now() - startedMs) / 1000).toFixed(1)} s\n`);
}

try {
  let packed;
  mkdirSync(project);
  const write = (file, text) => writeFileSync(join(project, file), text);
  check("packed, without tests or scripts", () => {
    const words = ["pack", "--json", "--silent", "--pack-destination", folder];
    const stdio = ["ignore", "pipe", "inherit"];
    [packed] = Object.values(
      JSON.parse(execFileSync("npm", words, { cwd: ROOT, env, encoding: "utf8", stdio })),
    );
    const strange = packed.files.filter(({ path }) =>
      /\.test\.|\/testing\/|^(?:scripts|lint|\.ci)\//.test(path),
    );
    if (strange.length > 0) throw new Error(`packed: ${strange.map(({ path }) => path).join(", ")}`);
  });
  check("installed into an empty folder", () => {
    write("package.json", '{ "private": true, "type": "module" }');
    const quiet = ["--prefer-offline", "--ignore-scripts", "--no-audit", "--no-fund", "--silent"];
    must(0, "npm", "install", ...quiet, join(folder, packed.filename));
  });
  check("every export is imported", () => {
    const programs = Object.entries(exports).filter(([, target]) => typeof target !== "string");
    const imports = programs.map(([path]) => `await import("${name}${path.slice(1)}");\n`);
    write("imports.mjs", imports.join(""));
    must(0, process.execPath, "imports.mjs");
    must(0, process.execPath, "--print", `require.resolve("${name}/vectors/contract/openapi.yaml")`);
  });
  check("the reference is judged, and a new skeleton is red", () => {
    kit(0, "--version");
    kit(0, "run", "--only", "platform", "challenge");
    kit(0, "init", "adapter");
    kit(1, "run", "--module", "adapter/skeleton.ts", "--only", "platform", "--bail");
  });
  check("node:test runs the vectors as tests", () => {
    const test = `import { describe, it } from "node:test";
import { createService, facts } from "${name}/reference";
import { defineTests } from "${name}";
defineTests({ describe, it }, { createService, facts, only: ["platform"] });
`;
    write("a.test.mjs", test);
    const told = must(0, process.execPath, "--test", "--test-reporter=tap", "a.test.mjs");
    if (!/ok \d+ - platform\/same-twice$/m.test(told)) throw new Error(`no test of a vector:\n${told}`);
  });
} finally {
  rmSync(folder, { recursive: true });
}
