import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { pathToFileURL } from "node:url";
import { conformanceTests } from "./node-test.ts";
import { PATHS } from "./paths.ts";
import { pageFiles } from "./testing/page-files.ts";
import { reference } from "./testing/reference.ts";
import { temporaryDirectory, temporaryFile } from "./testing/temporary-file.ts";

const IMPORTS = `
import { conformanceTests } from ${JSON.stringify(new URL("./node-test.mjs", import.meta.url).href)};
import { tsImport } from ${JSON.stringify(import.meta.resolve("tsx/esm/api"))};
const { createService, facts } = await tsImport(${JSON.stringify(pathToFileURL(PATHS.reference).href)}, import.meta.url);
`;

/** Runs a user's test file in a process of its own, without any loader, and gives what the TAP reporter printed. */
function tapOf(file: string, options: readonly string[] = [], cwd: string = PATHS.root) {
  // With this variable the inner runner would print for the outer one.
  const { NODE_TEST_CONTEXT: _, NODE_OPTIONS: __, ...env } = process.env;
  const words = ["--test", "--test-reporter=tap", ...options, file];
  const { status, stdout } = spawnSync(process.execPath, words, { encoding: "utf8", env, cwd });
  return { status, tap: stdout };
}

/** What the examples judge here: a part of what they would. */
const ONLY = `, only: ["platform", "property/texts"], runs: 2 });`;

/** A user's project with the kit installed, a service in TypeScript, and the test files that docs/api.md has for it. */
function projectOfDocuments(context: TestContext): string {
  const folder = temporaryDirectory(context);
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(PATHS.root, join(folder, "node_modules/launch-draft-conformance"));
  write("package.json", '{ "type": "module" }');
  const reference = JSON.stringify(PATHS.reference);
  write("service.ts", `export * from ${reference};\nexport * as default from ${reference};\n`);
  for (const name of ["conformance.test.mjs", "conformance.test.ts"])
    write(name, (pageFiles("docs/api.md").get(name) ?? "no example").replace(" });", ONLY));
  return folder;
}

/** Asserts that an example ran with a filter which one vector passes. */
function assertOneShown({ status, tap }: ReturnType<typeof tapOf>): void {
  assert.equal(status, 0, tap);
  assert.match(tap, /^# Subtest: partner-preview-1$/m);
  assert.match(tap, /^ {4}# Subtest: platform$/m);
  assert.match(tap, /^ {8}ok \d+ - platform\/same-twice$/m);
  assert.match(tap, /^# pass 1$/m);
}

const PATTERN = "--test-name-pattern=platform/same-twice$";

test("the example for node:test makes a test of each vector, by its id, in a suite, and --test-name-pattern chooses", (context) => {
  assertOneShown(tapOf("conformance.test.mjs", [PATTERN], projectOfDocuments(context)));
});

test("the example for vitest needs no more of vitest than node:test has", (context) => {
  const project = projectOfDocuments(context);
  const file = join(project, "conformance.test.ts");
  const example = readFileSync(file, "utf8");
  assert.match(example, /^import \{ describe, it \} from "vitest";$/m);
  writeFileSync(file, example.replace('"vitest"', '"node:test"'));
  assertOneShown(tapOf(file, [PATTERN, "--import", import.meta.resolve("tsx")], project));
});

test("whatever an implementation does is told as what it is", async (context) => {
  const skeleton = JSON.stringify(join(PATHS.examples, "typescript/skeleton.ts"));
  const file = temporaryFile(
    context,
    "user.test.mjs",
    `${IMPORTS}
    conformanceTests({ module: ${skeleton}, only: ["platform/same-twice"] });

    const capabilities = { restart: false };
    conformanceTests({ createService, facts, capabilities, only: ["platform/after-a-restart", "platform/same-twice"] });

    const throwing = (options) => {
      const service = createService(options);
      let profiles = 0;
      return { handle(request) {
        if (request.method === "GET" && ++profiles === 2) throw new Error("boom");
        return service.handle(request);
      } };
    };
    conformanceTests({ createService: throwing, facts, only: ["platform/constants", "platform/same-twice"] });

    conformanceTests({ command: "exit 3", only: ["platform/constants"] });

    const wrong = (options) => {
      const service = createService(options);
      return { handle(request) {
        const { status, body } = service.handle(request);
        return { status, body: "publicServer" in body ? { ...body, publicServer: true } : body };
      } };
    };
    conformanceTests({ createService: wrong, facts, only: ["platform/same-twice"] });

    conformanceTests({ service: { createService: wrong, facts }, only: ["property/universal"], runs: 3 });
    conformanceTests({ createService, facts, only: ["property/universal", "property/uris"], runs: 3, exhaustive: 1 });
    `,
  );
  const { status, tap } = tapOf(file);
  assert.equal(status, 1);
  const [, failing = "", lacking = "", throwing = "", unable = "", onTheWay = "", searched = "", found = ""] =
    tap.split(/^# Subtest: partner-preview-1$/m);

  await context.test("a failure is the kit's own text, with how to run just that test", () => {
    assert.match(failing, /^ {8}not ok 1 - platform\/same-twice$/m);
    assert.match(failing, /^ +FAILED {2}platform\/same-twice {3}.*platform\.yaml:\d+, step 1$/m);
    assert.match(failing, /^ +got {7}200 \{"mode":"OFFLINE_PROTOTYPE","productionApproved":false\}$/m);
    assert.match(failing, /^ +again {5}with the option only: \["platform\/same-twice"\]$/m);
    assert.match(failing, /platform\.yaml:\d+:1\)$/m);
  });
  await context.test("what it lacks is skipped with the reason", () => {
    assert.match(lacking, /^ +ok \d - platform\/after-a-restart # SKIP needs a service of its own/m);
    assert.match(lacking, /^ +ok \d - platform\/same-twice$/m);
    assert.match(lacking, /^ok \d - partner-preview-1$/m);
  });
  await context.test("a call that throws is an error of that test, and the next goes on", () => {
    assert.match(throwing, /error: 'handle threw: boom'/);
    assert.equal(throwing.match(/^ {8}not ok /gm)?.length, 1);
    assert.equal(throwing.match(/^ {8}ok \d - platform\//gm)?.length, 3);
  });
  await context.test("one that cannot be run is one error, and no test passes", () => {
    assert.match(unable, /error: 'the adapter exited with status 3'/);
    assert.equal(unable.match(/^ {8}not ok /gm)?.length, 1);
    assert.equal(unable.match(/^ {8}ok \d - platform\/.*$/gm)?.length, 2);
    assert.equal(unable.match(/# SKIP not run: the implementation could not be run$/gm)?.length, 3);
  });
  await context.test(
    "a rule seen broken by no vector that is about it fails the last test and the outermost suite",
    () => {
      assert.match(onTheWay, /^ {8}ok 1 - platform\/same-twice$/m);
      assert.match(onTheWay, /^ {8}not ok 1 - rules that no test above is about$/m);
      assert.match(onTheWay, /^not ok \d - partner-preview-1$/m);
      assert.match(onTheWay, /^ +PLATFORM-7 /m);
    },
  );
  await context.test("a property is a test, with its counterexample", () => {
    assert.match(searched, /^ {8}not ok 1 - property\/universal$/m);
    assert.match(searched, /^ +as a vector$/m);
    assert.match(found, /^ {8}ok 1 - property\/universal$/m);
    assert.match(found, /^ {8}ok 2 - property\/uris$/m);
  });
});

test("no implementation, and a pattern that chooses nothing, are refused at once", () => {
  for (const [options, message] of [
    [undefined, "conformanceTests: give one of module, command, url, service or createService"],
    [{}, "conformanceTests: give one of module, command, url, service or createService"],
    [
      { url: "http://127.0.0.1:1", module: "a.ts" },
      "conformanceTests: target: give one of module, url, not several",
    ],
    [{ modul: "a.ts" }, 'conformanceTests: there is no option modul (did you mean "module"?)'],
    [{ module: "a.ts", bail: true }, "conformanceTests: there is no option bail"],
    [{ ...reference, own: 1, sed: 2 }, 'conformanceTests: there is no option sed (did you mean "seed"?)'],
    [{ module: "a.ts", runs: -1 }, "conformanceTests: runs must be a non-negative integer, got -1"],
  ] as const) {
    assert.throws(() => conformanceTests(options as never), { name: "UsageError", message });
  }
  assert.throws(() => conformanceTests({ url: "http://127.0.0.1:1", only: ["nothing/*"] }), {
    name: "DataError",
    message: "--only: nothing/* matches no vector and no property; `list` shows their ids",
  });
});

test("the package exports the door and the library", async () => {
  const commonJs: unknown = createRequire(import.meta.url)("launch-draft-conformance/node-test");
  assert.equal(typeof (commonJs as { conformanceTests?: unknown }).conformanceTests, "function");
  const library = await import("launch-draft-conformance");
  assert.equal(typeof library.run, "function");
});
