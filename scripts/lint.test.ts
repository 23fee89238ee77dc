import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type TestContext, test } from "node:test";
import { PATHS } from "../legacy/paths.ts";
import { temporaryDirectory } from "../legacy/testing/temporary-file.ts";

/** Where text would stand, and the text; any number of samples may stand in a file called x. */
type Sample = readonly [file: string, text: string];

const IMPORT = "lint/style/noRestrictedImports";
const GLOBAL = "lint/style/noRestrictedGlobals";
const MEMBER = "plugin";
const CYCLE = "lint/suspicious/noImportCycles";

/** What the project's rules say of samples, one list of rules for each. All are looked at in one go, side by side. */
function rulesBroken(context: TestContext, samples: readonly Sample[]): readonly (readonly string[])[] {
  const folder = temporaryDirectory(context);
  for (const part of ["biome.json", "lint"])
    cpSync(join(PATHS.root, part), join(folder, part), { recursive: true });
  const files = samples.map(([file], index) => file.replace(/\bx(?=\.(?:test\.)?ts$)/, `x${index}`));
  for (const [index, [, text]] of samples.entries()) {
    const path = join(folder, files[index] ?? "");
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `${text}\n`);
  }
  const biome = join(PATHS.root, "node_modules/.bin/biome");
  const words = ["lint", "--vcs-enabled=false", "--reporter=json", "--max-diagnostics=none", "."];
  const { stdout } = spawnSync(biome, words, { cwd: folder, encoding: "utf8" });
  const { diagnostics } = JSON.parse(stdout) as {
    readonly diagnostics: readonly {
      readonly category: string;
      readonly location: { readonly path: string };
    }[];
  };
  return files.map((file) =>
    diagnostics.filter(({ location }) => location.path === file).map(({ category }) => category),
  );
}

function assertRules(context: TestContext, samples: readonly Sample[], expected: readonly string[]): void {
  const found = rulesBroken(context, samples);
  for (const [index, [file, text]] of samples.entries())
    assert.deepEqual(found[index], expected, `${file}: ${text}`);
}

const imports = (path: string) => `import "${path}";`;

test("a folder imports none but those below it", (context) => {
  const samples: readonly Sample[] = [
    ["legacy/engine/x.ts", imports("../contract/partner-preview.ts")],
    ["legacy/engine/play/x.ts", imports("../../contract/partner-preview.ts")],
    ["legacy/engine/play/x.ts", 'import type { A } from "../../contract/operations.ts";\nexport type B = A;'],
    ["legacy/engine/play/x.ts", 'export * from "../../reports/json.ts";'],
    ["legacy/engine/play/x.ts", 'await import("../../paths.ts");'],
    ["legacy/engine/play/x.ts", imports("../../adapters/in-process.ts")],
    ["legacy/engine/play/x.ts", imports("../../newcomer/x.ts")],
    ["legacy/adapters/x.ts", imports("../engine/run/run.ts")],
    ["legacy/contract/x.ts", imports("../cli/output.ts")],
    ["legacy/contract/judge/x.ts", imports("../../reports/json.ts")],
    ["legacy/contract/judge/x.ts", imports("../../adapters/in-process.ts")],
    ["legacy/contract/properties/arbitrary/x.ts", imports("../../../policies/gated-report.ts")],
    ["legacy/contract/properties/arbitrary/x.ts", imports("../../../testing/reference.ts")],
    ["legacy/policies/x.ts", imports("../reports/json.ts")],
    ["legacy/reports/x.ts", imports("../contract/kit-data.ts")],
    ["legacy/reports/html/x.ts", imports("../../mutants/breaks.ts")],
    ["legacy/golden/x.ts", imports("../mutants/breaks.ts")],
    ["legacy/mutants/x.ts", imports("../cli/output.ts")],
    ["legacy/mutants/hidden/x.ts", imports("../../testing/reference.ts")],
    ["legacy/cli/x.ts", imports("../testing/reference.ts")],
    ["legacy/cli/x.ts", imports("../../reference/service.ts")],
    ["legacy/newcomer/x.ts", imports("../../reference/service.ts")],
    ["legacy/newcomer/x.ts", imports("../paths.ts")],
    ["legacy/newcomer/x.ts", imports("../engine/run/run.ts")],
    ["legacy/newcomer/inner/x.ts", imports("../../engine/run/run.ts")],
    ["legacy/examples/typescript/x.ts", imports("../../adapters/adapter.ts")],
    ["legacy/index.ts", imports("./cli/output.ts")],
    ["reference/x.ts", imports("../legacy/paths.ts")],
  ];
  assertRules(context, samples, [IMPORT]);
});

test("clocks, chance, timers and the process are for the edges", (context) => {
  const members = [
    "Date.now();",
    "[0].map(Date.now);",
    "export const now = new Date();",
    "Math.random();",
    "process.exit(1);",
    'process.stdout.write("");',
    'process.stderr.write("");',
    imports("node:timers"),
    imports("node:timers/promises"),
    'await import("node:timers/promises");',
    imports("node:perf_hooks"),
  ];
  const inner = ["engine/play", "contract/judge", "reports/html", "policies", "golden", "mutants", "cli"];
  const everywhere = (text: string) =>
    inner.map((folder): Sample => [`legacy/${folder}/x.ts`, text]).concat([["reference/x.ts", text]]);
  assertRules(context, members.flatMap(everywhere), [MEMBER]);
  const globals = [
    "performance.now();",
    "setTimeout(() => {});",
    "setInterval(() => {}, 1);",
    "setImmediate(() => {});",
  ];
  assertRules(context, globals.flatMap(everywhere), [GLOBAL]);
  assertRules(context, everywhere('console.log("");'), ["lint/suspicious/noConsole"]);
});

test("files import each other in no circle, not even of types", (context) => {
  const folder = "legacy/engine/play";
  const samples: readonly Sample[] = [
    [`${folder}/a.ts`, 'import type { B } from "./b.ts";\nexport type A = B | 1;'],
    [`${folder}/b.ts`, 'import type { A } from "./a.ts";\nexport type B = A | 2;'],
  ];
  assertRules(context, samples, [CYCLE]);
});

test("an honest file breaks no rule", (context) => {
  const edge = 'setTimeout(() => process.exit(1), Date.now());\nimport "node:timers/promises";';
  const samples: readonly Sample[] = [
    ["legacy/engine/x.ts", imports("../adapters/adapter.ts")],
    ["legacy/engine/play/x.ts", `${imports("../../adapters/adapter.ts")}\n${imports("../run/run.ts")}`],
    ["legacy/engine/play/x.ts", "export const epoch = new Date(0).toISOString();"],
    ["legacy/engine/play/x.test.ts", `${imports("../../contract/kit-data.ts")}\n${edge}`],
    ["legacy/testing/x.ts", `${imports("../contract/kit-data.ts")}\n${edge}`],
    ["legacy/contract/judge/x.ts", `${imports("../../engine/contract.ts")}\n${imports("../operations.ts")}`],
    ["legacy/newcomer/inner/x.ts", imports("../x.ts")],
    ["legacy/reports/html/x.ts", imports("../../policies/gated-report.ts")],
    ["legacy/mutants/hidden/x.ts", imports("../../contract/kit-data.ts")],
    ["legacy/cli/x.ts", `${imports("../mutants/breaks.ts")}\n${imports("../golden/fixture.ts")}`],
    ["legacy/adapters/x.ts", edge],
    ["scripts/x.ts", `${imports("../legacy/testing/reference.ts")}\n${edge}`],
    ["legacy/index.ts", imports("./engine/run/run.ts")],
    ["reference/x.ts", imports("./state.ts")],
  ];
  assertRules(context, samples, []);
});
