/** The doors of test runners that the project itself does not have, in a project that has installed the packed kit. */
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";
import { PATHS } from "../../conformance/paths.ts";
import { pageFiles } from "../../conformance/testing/page-files.ts";
import { temporaryDirectory } from "../../conformance/testing/temporary-file.ts";
import { programIn } from "../program-in.ts";

const RUNNERS = fileURLToPath(new URL(".", import.meta.url));

/** The reference, in TypeScript, with a profile that claims a public server, and without requests in flight together. */
const SERVICE = `
import { createService as reference, facts } from ${JSON.stringify(PATHS.reference)};

interface Call { readonly path: string }

export default {
  facts,
  capabilities: { concurrency: false },
  createService(options: { now: () => number }) {
    const service = reference(options);
    return {
      handle(call: Call) {
        const { status, body } = service.handle(call as never);
        return { status, body: call.path === "/v1/platform" ? { ...body, publicServer: true } : body };
      },
    };
  },
};
`;
const ONLY = `, only: ["platform", "in-flight", "property/universal"], runs: 2 });`;

/** A project that has installed the runners and the packed kit, and has a service. */
function projectOf(context: TestContext): string {
  const project = temporaryDirectory(context);
  const packages = join(project, "node_modules");
  const kit = join(packages, "launch-draft-conformance");
  mkdirSync(kit, { recursive: true });
  programIn(RUNNERS, "vitest");
  for (const name of readdirSync(join(RUNNERS, "node_modules")))
    symlinkSync(join(RUNNERS, "node_modules", name), join(packages, name));
  const packing = ["pack", "--ignore-scripts", "--silent", "--pack-destination", project];
  const [file = ""] = execFileSync("npm", packing, { cwd: PATHS.root, encoding: "utf8" }).trim().split("\n");
  execFileSync("tar", ["xzf", join(project, file), "--strip-components=1", "-C", kit]);
  // Its own packages, and what is built of it where the packed file leaves that to the building.
  symlinkSync(join(PATHS.root, "node_modules"), join(kit, "node_modules"));
  if (!existsSync(join(kit, "dist")))
    cpSync(join(PATHS.root, "dist"), join(kit, "dist"), { recursive: true });
  writeFileSync(join(project, "package.json"), '{ "type": "module" }');
  writeFileSync(join(project, "service.ts"), SERVICE);
  return project;
}

/** The test file that docs/api.md has for a runner, for a part of what it would judge. */
function example(name: string): string {
  const code = pageFiles("docs/api.md").get(name) ?? "";
  assert.ok(code.includes(" });"), `docs/api.md has no ${name}`);
  return code.replace(" });", ONLY);
}

interface Ended {
  readonly fullName: string;
  readonly title: string;
  readonly status: string;
  readonly failureMessages: readonly string[];
}

/** Runs a test file by a runner that reports as jest does, and gives its tests. */
function run(project: string, runner: string, words: readonly string[], file: string, code: string) {
  writeFileSync(join(project, file), code);
  const { NODE_OPTIONS: _, ...env } = process.env;
  const program = join(project, "node_modules/.bin", runner);
  const output = spawnSync(program, words, { cwd: project, encoding: "utf8", env });
  const { testResults } = JSON.parse(output.stdout.slice(output.stdout.indexOf("{"))) as {
    readonly testResults: readonly {
      readonly assertionResults: readonly Ended[];
      readonly message: string;
    }[];
  };
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
  return { tests, message: testResults[0]?.message ?? "", status: output.status };
}

/** Every vector and property is a test: one that passes, one that fails by the kit's own text, one that is skipped. */
function holdsOf(tests: readonly Ended[], again: RegExp, skipped: string): void {
  const of = (id: string) => tests.find(({ title }) => title === id || title.startsWith(`${id} (`));
  assert.ok(tests.length > 30, `${tests.length} tests`);
  const passed = of("platform/same-twice");
  assert.deepEqual(
    [passed?.status, passed?.fullName.trim()],
    ["passed", "partner-preview-1 platform platform/same-twice"],
  );
  const failed = of("platform/constants/whole-second");
  assert.equal(failed?.status, "failed");
  const text = failed?.failureMessages.join("\n") ?? "";
  assert.match(
    text,
    /FAILED {2}platform\/constants\/whole-second .*platform\.yaml:\d+, step 1\n {2}PLATFORM-7 /,
  );
  assert.match(text, /\n {2}differs {3}publicServer: true, not false\n/);
  assert.match(text, again);
  assert.match(text, /\n +at .*platform\.yaml:\d+:1/);
  const property = of("property/universal");
  assert.equal(property?.status, "failed");
  assert.match(property?.failureMessages.join("\n") ?? "", /\n {2}as a vector\n/);
  assert.match(of("in-flight/builds-of-two-keys")?.status ?? "", /^(?:skipped|pending)$/);
  assert.ok(
    tests.some(({ title }) => title.startsWith("in-flight/builds-of-two-keys") && title.endsWith(skipped)),
  );
}

test("other test runners have a test of every vector and property", async (context) => {
  const project = projectOf(context);
  await context.test("vitest: the example of docs/api.md, with a service in TypeScript", () => {
    const file = "conformance.test.ts";
    const { tests, status } = run(project, "vitest", ["run", "--reporter=json", file], file, example(file));
    assert.equal(status, 1);
    holdsOf(tests, /\n {2}again {5}run this file with -t 'platform\/constants\/whole-second\$'/, "");
  });
  await context.test(
    "jest: the example of docs/api.md, with a service in TypeScript and nothing set up",
    () => {
      const file = "conformance.test.cjs";
      const { tests, status } = run(
        project,
        "jest",
        ["--json", `--testMatch=**/${file}`],
        file,
        example(file),
      );
      assert.equal(status, 1);
      holdsOf(
        tests,
        /\n {2}again {5}conformanceTests\(\{ …, only: \["platform\/constants\/whole-second"\] \}\)/,
        "(needs requests that are in flight together (capability concurrency))",
      );
    },
  );
  await context.test("jest: what is wrong about the options is one line", () => {
    const file = "wrong.test.cjs";
    const code = example("conformance.test.cjs").replace("module:", "modul:");
    const { message } = run(project, "jest", ["--json", `--testMatch=**/${file}`], file, code);
    assert.match(message, /conformanceTests: there is no option modul \(did you mean "module"\?\)/);
  });
});
