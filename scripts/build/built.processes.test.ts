/** What is built does what the sources do, and never in the place of sources that are others. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { pathToFileURL } from "node:url";
import { PATHS } from "../../legacy/paths.ts";
import type { GatedReport } from "../../legacy/policies/gated-report.ts";

const PARTS = ["bin", "legacy", "package-lock.json", "package.json", "reference", "scripts", "tsconfig.json"];

/** A checkout of its own, built, for all tests here: each leaves it as it was but the last, which spoils it. */
function builtCheckout() {
  const folder = mkdtempSync(join(tmpdir(), "built-"));
  after(() => rmSync(folder, { recursive: true }));
  for (const part of [...PARTS, "vectors"])
    cpSync(join(PATHS.root, part), join(folder, part), { recursive: true });
  symlinkSync(join(PATHS.root, "node_modules"), join(folder, "node_modules"));
  // With this variable an inner runner of tests would print for the outer one.
  const { NODE_TEST_CONTEXT: _, NODE_OPTIONS: __, ...env } = process.env;
  const run = (words: readonly string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, words, {
      cwd: folder,
      encoding: "utf8",
      env,
    });
    return { status, stdout, stderr };
  };
  assert.deepEqual(run(["scripts/build.mjs"]), { status: 0, stdout: "", stderr: "" });
  const change = (name: string, changed: (text: string) => string) => {
    const path = join(folder, name);
    const text = readFileSync(path, "utf8");
    assert.notEqual(changed(text), text);
    writeFileSync(path, changed(text));
    return () => writeFileSync(path, text);
  };
  const cli = (...words: readonly string[]) => run(["bin/launch-draft-conformance.mjs", ...words]);
  return { folder, run, cli, change };
}

const { folder, run, cli, change } = builtCheckout();

/** The URL of a program of the checkout, where it is what is run. */
async function programOf(name: string): Promise<string | undefined> {
  const door = await import(new URL("../../bin/door.cjs", import.meta.url).href);
  return door.builtProgram(name, pathToFileURL(`${folder}/`));
}

/** Holds the sources, and what was built of them, to the same report. */
function assertAlike(...words: readonly string[]): GatedReport {
  const file = join(folder, "report.json");
  const [built, sources] = [["bin/launch-draft-conformance.mjs"], ["--import", "tsx", "legacy/cli.ts"]].map(
    (program) => {
      const { status, stderr } = run([...program, "run", ...words, "--reporter", `json=${file}`]);
      const report = JSON.parse(readFileSync(file, "utf8")) as GatedReport;
      const { durationMs: _, time: __, ...rest } = report;
      return { status, stderr, report: rest };
    },
  );
  assert.deepEqual(built, sources);
  return JSON.parse(readFileSync(file, "utf8"));
}

test("what is built gives the report of the sources, through every door", async (context) => {
  for (const name of ["cli.js", "node-test.js"]) assert.ok(await programOf(name), name);

  await context.test("of the reference, a property included", () => {
    const only = ["platform", "challenge/bad-proof-uses-it-up", "property/texts"].flatMap((id) => [
      "--only",
      id,
    ]);
    const { results } = assertAlike(...only, "--runs", "2");
    assert.ok(results.length > 10 && results.every(({ outcome }) => outcome === "passed"));
  });
  await context.test("of a run that threads share, over a module of TypeScript that is wrong", () => {
    const service = `import * as reference from ${JSON.stringify(join(folder, "reference/service.ts"))};
      export const { facts } = reference;
      export function createService(options: { now: () => number }) {
        const service = reference.createService(options);
        return { handle: (call) => call.path.startsWith("/v1/auth/")
          ? { status: 401, body: { code: "INVALID_PROOF" } } : service.handle(call) };
      }`;
    writeFileSync(join(folder, "wrong.ts"), service);
    const only = ["--only", "platform", "challenge", "verify"];
    const { results } = assertAlike("--module", "wrong.ts", "--jobs", "2", "--runs", "0", ...only);
    assert.ok(results.length > 100 && results.some(({ outcome }) => outcome === "failed"));
  });
  await context.test("of a module of plain JavaScript", () => {
    const none = '{ status: 404, body: { code: "NO_EXECUTION_ENDPOINT", productionApproved: false } }';
    const facts = '{ metadataHosts: ["a.example", "b.example"] }';
    writeFileSync(
      join(folder, "none.mjs"),
      `export const facts = ${facts};\nexport const createService = () => ({ handle: () => (${none}) });\n`,
    );
    const { results } = assertAlike("--module", "none.mjs", "--only", "platform");
    assert.ok(results.every(({ outcome }) => outcome === "failed"));
  });
  await context.test("in files of tests", () => {
    const options = '{ module: "none.mjs", only: ["platform"] }';
    const texts = {
      "a.test.mjs": `import { conformanceTests } from "./legacy/node-test.mjs"; conformanceTests(${options});\n`,
      "a.test.cjs": `require("./legacy/node-test.cjs").conformanceTests(${options});\n`,
    };
    for (const [name, text] of Object.entries(texts)) {
      writeFileSync(join(folder, name), text);
      const { stdout } = run(["--test", "--test-reporter=tap", name]);
      assert.match(stdout, /^ {8}not ok \d+ - platform\/same-twice$/m);
      assert.match(stdout, /^# tests [1-9]\d+$/m);
    }
  });
  await context.test("of the commands that run nothing", () => {
    for (const words of [
      ["explain", "CHALLENGE-23"],
      ["explain", "challenge/used-up-by-success-only"],
      ["list", "--rules"],
      ["golden", "--check"],
    ]) {
      const told = cli(...words);
      assert.deepEqual(told, run(["--import", "tsx", "legacy/cli.ts", ...words]), words.join(" "));
      assert.equal(told.status, 0, told.stderr);
    }
  });
});

test("what is built never stands in the place of sources that are others", async (context) => {
  const title = "every answer about the profile is the same";

  await context.test("a suite that was edited is seen at the next start, and so is its fault", () => {
    const back = change("vectors/suites/platform.yaml", (text) =>
      text.replace(/title: .*/, `title: ${title}`),
    );
    assert.match(cli("list", "--only", "platform").stdout, new RegExp(title));
    back();
    assert.doesNotMatch(cli("list", "--only", "platform").stdout, new RegExp(title));
    const mended = change("vectors/suites/platform.yaml", (text) => text.replace("rules:", "rule:"));
    const { status, stderr } = cli("list");
    assert.equal(status, 2);
    assert.match(stderr, /^vectors\/suites\/platform\.yaml:\d+:\d+: .*"rule".*\n$/);
    mended();
  });
  await context.test("a new suite is seen", () => {
    const file = join(folder, "vectors/suites/new.yaml");
    const suite = readFileSync(join(folder, "vectors/suites/platform.yaml"), "utf8");
    writeFileSync(file, suite.replace(/^suite: .*/m, "suite: new"));
    assert.match(cli("list", "--only", "new").stdout, /^new\/same-twice/m);
    rmSync(file);
  });
  await context.test("a rule, and a service of the bank, that were edited are seen", () => {
    const rules = change("vectors/contract/rules.yaml", (text) => text.replace("A proof that fails", title));
    assert.match(cli("list", "--rules", "--json").stdout, new RegExp(title));
    rules();
    const bank = change("legacy/mutants/broken/challenge.yaml", (text) =>
      text.replace("id: used-up-by-success-only", "id: used-up-by-success-alone"),
    );
    assert.equal(cli("explain", "challenge/used-up-by-success-alone").status, 0);
    bank();
  });
  await context.test("a source that was edited is seen at the next start", async () => {
    const back = change("legacy/cli/program.ts", (text) =>
      text.replace("Judges implementations", "Looks at them"),
    );
    assert.match(cli("--help").stdout, /Looks at them/);
    assert.equal(await programOf("cli.js"), undefined);
    back();
    assert.doesNotMatch(cli("--help").stdout, /Looks at them/);
  });
  await context.test("a program that was cut short, and prepared data that was, spoil nothing", async () => {
    truncateSync(join(folder, "dist/prepared/suites.json"), 1000);
    truncateSync(join(folder, "dist/prepared/validate-responses.cjs"), 1000);
    assert.notEqual(await programOf("cli.js"), undefined);
    assert.equal(cli("run", "--only", "platform").status, 0);
    truncateSync(join(folder, "dist/cli.js"), 1000);
    assert.equal(cli("--help").status, 0);
  });
});
