// Installs the packed kit into empty projects, as its users do, and uses all that it offers there: imports, types, the
// command, the doors of test runners, and what `init` writes. Runs on the Node that it is started with.
// Usage: install-test.mjs [--lint], which also has the packed file looked at by publint and arethetypeswrong.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { filesIn } from "../build/files-in.mjs";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const NAME = "launch-draft-conformance";
const MIB = 1024 * 1024;
/** What the package may take: unpacked without its fixtures, and with all that is installed with it. */
const MOST = { unpacked: 1.85e6, installed: 30 * MIB, packages: 40 };

const folder = mkdtempSync(join(tmpdir(), "install-test-"));
after(() => rmSync(folder, { recursive: true, force: true }));

// npm and npx run on this Node, and a test file of a project prints for itself.
const { NODE_TEST_CONTEXT: _, NODE_OPTIONS: __, ...inherited } = process.env;
const env = { ...inherited, PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}` };
const outer = Object.keys(env).filter((name) => name.startsWith("npm_"));
for (const name of outer) delete env[name];

/** Runs a program in a folder. */
function run(cwd, program, ...words) {
  const { status, stdout, stderr, error } = spawnSync(program, words, { cwd, env, encoding: "utf8" });
  if (error !== undefined) throw error;
  return { status, stdout, stderr, said: `${program} ${words.join(" ")}\n${stdout}${stderr}` };
}

/** Runs a program that must end with a status, and gives what it printed. */
function must(status, cwd, program, ...words) {
  const ended = run(cwd, program, ...words);
  assert.equal(ended.status, status, ended.said);
  return ended.stdout;
}

const kit = (status, cwd, ...words) => must(status, cwd, join(cwd, "node_modules/.bin", NAME), ...words);

/** A project of some files, in which the kit is installed. */
function project(name, files, from) {
  const path = join(folder, name);
  mkdirSync(path, { recursive: true });
  for (const [file, text] of Object.entries(files)) writeFileSync(join(path, file), text);
  if (from !== undefined)
    cpSync(join(from, "node_modules"), join(path, "node_modules"), {
      recursive: true,
      verbatimSymlinks: true,
    });
  return path;
}

const [packed] = Object.values(
  JSON.parse(
    execFileSync("npm", ["pack", "--json", "--silent", "--pack-destination", folder], {
      cwd: ROOT,
      env,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "inherit"],
    }),
  ),
);
const tarball = join(folder, packed.filename);
const { exports: exported } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
/** Doors that import a runner, which a project brings; they are tried with it elsewhere. */
const OF_RUNNERS = ["./vitest", "./jest"];
/** What can be imported as a program, by its whole name. */
const programs = Object.entries(exported)
  .filter(([path, target]) => typeof target !== "string" && !OF_RUNNERS.includes(path))
  .map(([path]) => `${NAME}${path.slice(1)}`);

const module = project("module", { "package.json": '{ "private": true, "type": "module" }' });
const INSTALL = ["install", "--engine-strict", "--ignore-scripts", "--no-audit", "--no-fund", "--silent"];
must(0, module, "npm", ...INSTALL, tarball);

test("what is packed is lean: no tests, none of the repository's own scripts, nothing twice", () => {
  const paths = packed.files.map(({ path }) => path);
  const strange = paths.filter((path) => /(?:\.test\.|\/testing\/|^scripts\/|^lint\/|^\.ci)/.test(path));
  assert.deepEqual(strange, []);
  const unpacked = packed.files.filter(({ path }) => !path.startsWith("vectors/golden/"));
  const bytes = unpacked.reduce((sum, { size }) => sum + size, 0);
  assert.ok(bytes < MOST.unpacked, `${bytes} bytes without the fixtures`);
  process.stdout.write(`# ${packed.size} bytes packed, ${bytes} unpacked without the fixtures\n`);
});

test("what is installed with it is little", () => {
  const lock = JSON.parse(readFileSync(join(module, "node_modules/.package-lock.json"), "utf8"));
  const packages = Object.keys(lock.packages).length;
  const bytes = filesIn(join(module, "node_modules")).reduce(
    (sum, file) => sum + statSync(join(module, "node_modules", file)).size,
    0,
  );
  assert.ok(packages <= MOST.packages && bytes <= MOST.installed, `${packages} packages, ${bytes} bytes`);
  process.stdout.write(`# ${packages} packages installed, ${(bytes / MIB).toFixed(1)} MiB\n`);
});

test("every program is imported by plain Node, and what is data read by its path", () => {
  const text = programs.map((name) => `await import(${JSON.stringify(name)});`).join("\n");
  const data = `
    import { createRequire } from "node:module";
    const require = createRequire(import.meta.url);
    if (require("${NAME}/vectors/golden/happy-path.json").name !== "happy-path") throw new Error("another fixture");
    require.resolve("${NAME}/vectors/contract/openapi.yaml");
    require("${NAME}/package.json");`;
  writeFileSync(join(module, "imports.mjs"), `${text}\n${data}`);
  must(0, module, process.execPath, "imports.mjs");
});

/** A program of a user's, that has something of every export. */
const USER = `
import { attachAdapter, loadKitData, type Report, run } from "${NAME}";
import { exchangesOf, fixture, type Fixture } from "${NAME}/fixtures";
import { conformanceTests } from "${NAME}/node-test";
import { createService } from "${NAME}/reference";

const { status } = createService({ now: () => 0 }).handle({ method: "GET", path: "/v1/platform" });
const flow: Fixture = fixture("happy-path");
const first: number | undefined = exchangesOf(flow)[0]?.response.status;
const target: Parameters<typeof conformanceTests>[0] = { module: "./service.ts" };
export const rules: readonly string[] = [...loadKitData().contract.rules.keys()];
export type Verdict = Report["verdict"];
export { attachAdapter, conformanceTests, first, run, status, target };
`;

test("a consumer's compiler finds no fault in the types, its own library check included", () => {
  const compiler = createRequire(join(ROOT, "package.json")).resolve("typescript/package.json");
  const tsc = join(dirname(compiler), JSON.parse(readFileSync(compiler, "utf8")).bin.tsc);
  const types = "node_modules/@types";
  for (const name of ["node", "../undici-types"])
    cpSync(join(ROOT, types, name), join(module, types, name), { recursive: true });
  writeFileSync(join(module, "user.ts"), USER);
  for (const resolution of ["nodenext", "bundler"]) {
    const options = {
      strict: true,
      noEmit: true,
      target: "es2023",
      types: ["node"],
      skipLibCheck: false,
      moduleResolution: resolution,
      module: resolution === "bundler" ? "esnext" : resolution,
    };
    writeFileSync(
      join(module, "tsconfig.json"),
      JSON.stringify({ compilerOptions: options, files: ["user.ts"] }),
    );
    must(0, module, process.execPath, tsc, "-p", ".");
  }
  const commonJs = project(
    "types",
    {
      "package.json": '{ "private": true }',
      "user.cts": `import { conformanceTests } from "${NAME}/node-test";\nconformanceTests({ module: "./service.ts" });\n`,
    },
    module,
  );
  const options = { strict: true, noEmit: true, target: "es2023", types: ["node"], module: "node16" };
  writeFileSync(
    join(commonJs, "tsconfig.json"),
    JSON.stringify({ compilerOptions: options, files: ["user.cts"] }),
  );
  must(0, commonJs, process.execPath, tsc, "-p", ".");
});

/** A service in TypeScript that needs a loader on every Node. */
const SERVICE = `
enum Kind { Reference }
export { capabilities, createService, facts } from "${NAME}/reference";
export const kind: Kind = Kind.Reference;
`;

test("the command judges a service in TypeScript, and tells what it knows", () => {
  writeFileSync(join(module, "service.ts"), SERVICE);
  assert.match(
    kit(0, module, "--version"),
    /^launch-draft-conformance \d+\.\d+\.\d+\ncontract \S+\nsuite \S+@\d/,
  );
  assert.match(kit(0, module, "run", "--module", "service.ts", "--only", "platform"), /selection passed/);
  const suite = /suite (\S+)/.exec(kit(0, module, "--version"))?.[1];
  kit(0, module, "run", "--suite", suite, "--only", "platform", "--jobs", "2");
  const reports = ["json", "html", "junit", "tap", "github"].flatMap((name) => [
    "--reporter",
    `${name}=report.${name}`,
  ]);
  kit(0, module, "run", "--only", "platform", "property/texts", "--runs", "2", ...reports);
  kit(0, module, "compare", "report.json", "report.json");
  for (const words of [["--rules"], ["--points"], ["--properties"], ["--only", "platform"]])
    assert.ok(kit(0, module, "list", ...words).length > 100, words.join(" "));
  for (const id of ["CHALLENGE-23", "challenge/bad-proof-uses-it-up", "challenge/used-up-by-success-only"])
    assert.match(kit(0, module, "explain", id), /CHALLENGE-23/);
  assert.match(kit(0, module, "golden", "--check"), /^\d+ fixtures are as they were$/m);
  kit(0, module, "golden", "recorded", "--module", "service.ts");
  const flows = readdirSync(join(module, "recorded")).length;
  assert.ok(flows > 10, `${flows} recorded`);
});

test("the door of node:test opens for ES modules, for CommonJS and for TypeScript in a package of no type", () => {
  const options = '{ module: "service.ts", only: ["platform"] }';
  writeFileSync(
    join(module, "a.test.mjs"),
    `import { conformanceTests } from "${NAME}/node-test";\nconformanceTests(${options});\n`,
  );
  const commonJs = project(
    "common-js",
    {
      "service.ts": SERVICE,
      "a.test.cjs": `require("${NAME}/node-test").conformanceTests(${options});\n`,
      "b.test.ts": `import { conformanceTests } from "${NAME}/node-test";\nconformanceTests(${options} as object);\n`,
    },
    module,
  );
  must(0, commonJs, "npm", "init", "-y", "--silent");
  for (const [cwd, words] of [
    [module, ["a.test.mjs"]],
    [commonJs, ["a.test.cjs"]],
    [commonJs, ["--import", "tsx", "b.test.ts"]],
  ]) {
    const told = must(
      0,
      cwd,
      process.execPath,
      ...words.slice(0, -1),
      "--test",
      "--test-reporter=tap",
      words.at(-1),
    );
    assert.match(told, /ok \d+ - platform\/same-twice$/m);
    assert.match(told, /^# pass [1-9]\d*$/m);
  }
});

test("init writes every language into a folder that npm init made, and the kit finds the skeleton red", () => {
  const made = project("made", {}, module);
  must(0, made, "npm", "init", "-y", "--silent");
  const help = kit(0, made, "init", "--help");
  const languages = [
    ...(/choices: ([^)]*?)(?:, default|\))/s.exec(help)?.[1] ?? "").matchAll(/"([^"]+)"/g),
  ].map(([, name]) => name);
  assert.ok(languages.length > 1, help);
  for (const language of languages) {
    assert.match(kit(0, made, "init", "--language", language, language), /^wrote /m);
    assert.ok(existsSync(join(made, language, "README.md")), language);
  }
  assert.match(
    kit(1, made, "run", "--module", "ts/skeleton.ts", "--runs", "0", "--exhaustive", "0"),
    /does not conform/,
  );
});

test("a package of which something was cut off says so in one line", () => {
  const cut = project("cut", {}, module);
  const prepared = join(cut, "node_modules", NAME, "dist/lib/prepared");
  truncateSync(join(prepared, "validate-responses.cjs.br"), 1000);
  const { status, stderr } = run(cut, join(cut, "node_modules/.bin", NAME), "run", "--only", "platform");
  assert.equal(status, 2, stderr);
  assert.match(
    stderr,
    /^\S*prepared: something in it is missing or was changed; install the package again\n$/,
  );
});

test("the packed file is as other tools want it", { skip: !process.argv.includes("--lint") }, () => {
  const linters = fileURLToPath(new URL("linters", import.meta.url));
  if (!existsSync(join(linters, "node_modules")))
    must(0, linters, "npm", "ci", "--silent", "--ignore-scripts");
  const bin = join(linters, "node_modules/.bin");
  must(0, folder, join(bin, "publint"), "run", tarball, "--strict");
  must(0, folder, join(bin, "attw"), tarball, "--profile", "esm-only");
});
