/** Tests the npm package: its contents, and whether each part works without the checkout. */
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { readServiceContract } from "../conformance/contract/contract.ts";
import type { ReportData } from "../conformance/report/data.ts";
import { digestOf } from "../conformance/run/plan.ts";
import { loadKitVectors } from "../conformance/suite/load.ts";
import { buildPackage } from "./package.ts";

const ROOT = join(import.meta.dirname, "..");
const NAME = "launch-draft-conformance";
const folder = mkdtempSync(join(tmpdir(), "package-test-"));
const [own, app] = [join(folder, "package"), join(folder, "app")];
after(() => rmSync(folder, { recursive: true }));

/** The package finds its dependencies, and the application finds the package, as if both were installed. */
before(async () => {
  await buildPackage(own);
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
  mkdirSync(join(app, "node_modules"), { recursive: true });
  symlinkSync(own, join(app, "node_modules", NAME));
  writeFileSync(join(app, "package.json"), '{ "type": "module" }');
});

/** Runs a program in the application. */
function run(program: string, ...args: readonly string[]) {
  const { NODE_OPTIONS: _, NODE_TEST_CONTEXT: __, ...env } = process.env;
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: app, env, encoding: "utf8" });
  return { status, text: stdout + stderr };
}
const kit = (...args: readonly string[]) => run(process.execPath, join(own, "lib/kit/cli.js"), ...args);

test("the contents are code, types, data files, and nothing else", () => {
  const packed = execFileSync("npm", ["pack", "--dry-run", "--json", own], { encoding: "utf8", cwd: folder });
  const [{ files, size }] = Object.values(JSON.parse(packed)) as [
    { files: { path: string }[]; size: number },
  ];
  const paths = files.map(({ path }) => path.replace(/chunk-\w+/, "chunk"));
  const skeleton = (name: string) => `conformance/cli/skeletons/${name}`;
  const other = paths.filter((path) => !/^(?:vectors|docs|lib\/types)\//.test(path));
  assert.deepEqual([...new Set(other)].sort(), [
    ...["CHANGELOG.md", "LICENSE", "LICENSES.txt", "README.md"],
    ...["go/service.go", "java/Service.java", "python/service.py"].map(skeleton),
    ...["tests/conformance.sh", "tests/conformance.yml", "tests/known-failures.yaml"].map(skeleton),
    skeleton("typescript/service.ts"),
    "conformance/report/page.css",
    ...["chunk", "cli", "client-host", "index", "module-host", "node-test", "worker"].map(
      (name) => `lib/kit/${name}.js`,
    ),
    "package.json",
    ...["chunk", "golden-service", "serve", "service"].map((name) => `reference/${name}.js`),
  ]);
  const folders = paths.filter((path) => path.startsWith("vectors/")).map((path) => path.split("/")[1]);
  assert.deepEqual([...new Set(folders)].sort(), [
    "client-suites",
    "compiled",
    "contract",
    "coverage.md",
    "golden",
    "golden-flows",
    "suites",
    "tables",
  ]);
  assert.ok(paths.filter((path) => path.startsWith("lib/types/")).every((path) => path.endsWith(".d.ts")));
  assert.ok(size < 1_000_000, `${size} bytes`);
});

test("no page of the package has a link to a missing file, and the README speaks of no checkout", () => {
  const pages = readdirSync(join(own, "docs")).filter((name) => name.endsWith(".md"));
  for (const page of ["README.md", ...pages.map((name) => `docs/${name}`)]) {
    const text = readFileSync(join(own, page), "utf8");
    for (const [, target = ""] of text.matchAll(/\]\(([^)#:]+)/g))
      assert.ok(existsSync(join(own, page, "..", target)), `${page}: ${target}`);
    if (page === "README.md") assert.doesNotMatch(text, /checkout|npm ci/i);
  }
});

test("the command ignores SIGUSR1 before it loads the rest of the kit", () => {
  const text = readFileSync(join(own, "lib/kit/cli.js"), "utf8");
  assert.doesNotMatch(text, /^import .*"\.\//m);
  assert.ok(text.indexOf('process.on("SIGUSR1"') < text.indexOf("import("));
});

test("the manifest has no scripts and no devDependencies, and its dependencies are version ranges", () => {
  const manifest = JSON.parse(readFileSync(join(own, "package.json"), "utf8"));
  assert.equal(manifest.scripts, undefined);
  assert.equal(manifest.devDependencies, undefined);
  for (const range of Object.values(manifest.dependencies)) assert.match(String(range), /^\^\d/);
});

test("the package has the same suite, and its run, golden, explain, and init commands work", () => {
  const judged = kit("run", "--reference", "--only", "platform/**", "--reporter", "json=platform.json");
  const { run: facts, tests }: ReportData = JSON.parse(readFileSync(join(app, "platform.json"), "utf8"));
  assert.match(judged.text, /^No verdict, because only selected tests ran\. .*\n$/);
  const vectors = loadKitVectors(readServiceContract());
  assert.deepEqual(facts.suite, { vectors: vectors.length, digest: digestOf(vectors) });
  assert.deepEqual([judged.status, tests.failed, tests.error], [0, 0, 0]);
  assert.match(kit("golden", "--check").text, /^52 of 52 files match, /);
  assert.match(kit("explain", "platform/same-twice").text, /^ {2}- id: same-twice$/m);
  assert.equal(kit("init", "new").status, 0);
  const red = kit("run", "--module", "new/service.ts", "--bail");
  assert.equal(red.status, 1);
  assert.match(red.text, /^ {2}repeat {5}npx launch-draft-conformance run --module new\/service\.ts/m);
});

test("the shards of a conforming run, on four connections each, are merged into a report that conforms", () => {
  const files = [1, 2].map((index) => `half-${index}.json`);
  for (const [index, file] of files.entries()) {
    const options = ["--runs", "1", "--jobs", "4", "--shard", `${index + 1}/2`];
    assert.equal(kit("run", "--reference", ...options, "--reporter", `json=${file}`).status, 0);
  }
  const { status, text } = kit("merge", ...files);
  assert.equal(status, 0);
  assert.match(text, /^Rules {6}(\d+) of \1 required rules satisfied$/m);
  assert.match(text, /^Tests {6}\d+ passed, 0 failed, \d+ skipped, 0 errors/m);
  assert.match(text, /^Behavior {3}203 of 220 open points observed, as in the reference$/m);
  assert.match(text, /\n\nConforms: every required rule is satisfied; 2 recommendations not followed\.\n$/);
});

test("the package tests a client that is a module, and a client that is a command", () => {
  const example = join(ROOT, "examples/clients/typescript");
  const module = kit("client", "--module", join(example, "client.ts"), "--only", "sign-in/**");
  assert.match(module.text, /^Tests {6}[1-9]\d* passed, 0 failed, 0 skipped, 0 errors/m, module.text);
  const main = `${process.execPath} --import tsx ${join(example, "main.ts")}`;
  const command = kit("client", "--command", main, "--only", "sign-in/proofs");
  assert.match(command.text, /^Tests {6}1 passed, 0 failed, 0 skipped, 0 errors/m, command.text);
});

test("judge and conformanceTests run from the package", () => {
  writeFileSync(
    join(app, "conformance.test.mjs"),
    `import { judge } from "${NAME}";
     import { conformanceTests } from "${NAME}/node-test";
     import * as reference from "${NAME}/reference";
     const { tests } = await judge(reference, { only: ["platform/**"] });
     if (tests.passed === 0 || tests.failed > 0) throw new Error(JSON.stringify(tests));
     conformanceTests(reference, { only: ["session/issued/*", "over-http/chunked"] });`,
  );
  const { status, text } = run(process.execPath, "--test", "--test-reporter=tap", "conformance.test.mjs");
  assert.equal(status, 0, text);
  assert.match(text, /^# skipped 1$/m);
  assert.match(text, /^# fail 0$/m);
  assert.match(text, /ok \d+ - session\/issued\/whole-second$/m);
});

const CONSUMER = `
import { describe, it } from "node:test";
import { defineTests, judge, type JudgeOptions, type Report, type ServiceDefinition } from "${NAME}";
import { conformanceTests } from "${NAME}/node-test";
import * as reference from "${NAME}/reference";
import * as started from "./new/service.ts";
const service: ServiceDefinition = {
  facts: { metadataHosts: ["a.example", "b.example"] },
  createService: ({ now }) => ({ handle: async ({ path }) => ({ status: 200, body: { path, at: now() } }) }),
};
const options: JudgeOptions = { only: ["platform/**"], signal: AbortSignal.timeout(1) };
export const report: Report = await judge(service, options);
// @ts-expect-error a misspelled option
await judge(reference, { onyl: [] });
// @ts-expect-error no service
await judge({});
await judge(started);
defineTests({ describe, it }, { url: "http://127.0.0.1", facts: service.facts });
conformanceTests({ module: new URL("service.ts", import.meta.url) });
`;

test("the types compile under nodenext and bundler resolution, without the packages of the checkout", () => {
  writeFileSync(join(app, "consumer.ts"), CONSUMER);
  for (const [module, resolution] of [
    ["nodenext", "nodenext"],
    ["esnext", "bundler"],
  ] as const) {
    const options = ["--noEmit", "--strict", "--exactOptionalPropertyTypes", "--allowImportingTsExtensions"];
    const types = ["--typeRoots", join(ROOT, "node_modules/@types"), "--types", "node", "--target", "es2022"];
    const args = [...options, ...types, "--module", module, "--moduleResolution", resolution, "consumer.ts"];
    const { status, text } = run(join(ROOT, "node_modules/.bin/tsc"), ...args);
    assert.equal(status, 0, text);
  }
  const installed = Object.keys(JSON.parse(readFileSync(join(own, "package.json"), "utf8")).dependencies);
  const types = readdirSync(join(own, "lib/types"), { recursive: true, encoding: "utf8" });
  for (const file of types.filter((name) => name.endsWith(".d.ts")))
    for (const [, name = ""] of readFileSync(join(own, "lib/types", file), "utf8").matchAll(
      /from "([^."][^"]*)"/g,
    ))
      assert.ok(installed.includes(name), `${file} imports ${name}`);
});
