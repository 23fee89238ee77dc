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
import { dirname, join } from "node:path";
import { after, test } from "node:test";
import { DEFAULT_OPTIONS } from "../adapters/protocol.ts";
import { openProgram } from "../adapters/stdio.ts";
import { SERVED_CONTRACT } from "../contract/constants.ts";
import { readServiceContract } from "../contract/contract.ts";
import { readDataFile } from "../data/data-file.ts";
import { valueAt } from "../data/json.ts";
import { DATA_FOLDER } from "../data/kit-files.ts";
import { findSchemaFaults } from "../data/schema-check.ts";
import { textsOf } from "../report/wording.ts";
import { run } from "../run/run.ts";
import { loadKitVectors } from "../suite/load.ts";
import type { Edge } from "./edge.ts";
import { SKELETONS } from "./init.ts";
import { main } from "./main.ts";
import type { Language } from "./options.ts";

const folder = mkdtempSync(join(tmpdir(), "init-test-"));
after(() => rmSync(folder, { recursive: true }));

async function init(...args: readonly string[]) {
  const texts: string[] = [];
  const write = (text: string) => void texts.push(text);
  const interrupted = new AbortController().signal;
  const status = await main(["init", ...args], {
    write,
    writeError: write,
    interrupted,
    release: () => {},
  } as Partial<Edge> as Edge);
  return { status, text: texts.join("") };
}

const contract = readServiceContract();
const suite = loadKitVectors(contract);

/** For each language, the program that runs its skeleton. */
const NEEDS: Readonly<Record<Language, string>> = {
  typescript: "node",
  python: "python3",
  go: "go",
  java: "java",
};

/**
 * For the skeletons that start threads: a text of the skeleton, and a text that responds with the number of
 * threads.
 */
const COUNTED: Readonly<Partial<Record<Language, readonly [string, string]>>> = {
  python: ['return 200, {"mode"', 'return 200, {"count": threading.active_count(), "mode"'],
  go: ['return 200, object{"mode"', 'return 200, object{"count": runtime.NumGoroutine(), "mode"'],
  java: ['"{\\"mode\\"', '"{\\"count\\": " + Thread.activeCount() + ", \\"mode\\"'],
};

/** Returns the options that run a skeleton in a folder. */
function targetIn(folder: string, language: Language) {
  const { file, target } = SKELETONS[language];
  return language === "typescript"
    ? { module: join(folder, file) }
    : { command: `cd '${folder}' && ${target.replace(/^--command "(.*)"$/, "$1")}` };
}

for (const [language, { file }] of Object.entries(SKELETONS) as [Language, { file: string }][]) {
  const isMissing = spawnSync(NEEDS[language], ["version"]).error !== undefined;
  test(`the skeleton in ${language} runs unchanged, and fails tests without an error`, {
    skip: isMissing && `${NEEDS[language]} is not installed`,
  }, async () => {
    const own = join(folder, language);
    const { status, text } = await init(own, "--language", language);
    assert.equal(status, 0);
    assert.match(
      text,
      new RegExp(
        `^Wrote to \\S+: ${file}, .*\\n1\\. Test: .*\\n2\\. .*\\n3\\. .*\\n4\\. .*\\nDocumentation: .*getting-started\\.md\\n$`,
      ),
    );
    const baseline = readDataFile(join(own, "known-failures.yaml")).value;
    assert.deepEqual(findSchemaFaults(baseline, join(DATA_FOLDER, "contract", "baseline.schema.json")), []);
    const { permissions, jobs } = readDataFile(join(own, ".github/workflows/conformance.yml")).value as never;
    assert.deepEqual(permissions, { contents: "read" });
    // The later steps run code of the service, which must not get the token.
    assert.deepEqual(valueAt(jobs, ["conformance", "steps", "0", "with"]), { "persist-credentials": false });
    const adapter = await openProgram({
      ...{ ...DEFAULT_OPTIONS, contract: SERVED_CONTRACT, env: ["GOCACHE"] },
      ...targetIn(own, language),
    });
    // These vectors need raw bodies, restarts, a moved clock, and concurrent requests.
    const only = ["no-execution/**", "platform/**", "json-syntax/**", "routes/**", "in-flight/**"];
    const { results, verdict } = await run(contract, suite, adapter, { selection: { only } });
    await adapter.close();
    assert.equal(verdict.exitStatus, 1);
    const outcomes = new Set(results.map(({ outcome }) => outcome));
    assert.ok(outcomes.has("passed") && outcomes.has("failed") && !outcomes.has("error"));
    const [first] = results.flatMap(({ findings }) => findings);
    assert.equal(first && textsOf(first).expected, "platform: 32 bytes in base58");
  });

  const [platform, counted] = COUNTED[language] ?? [];
  if (platform === undefined || counted === undefined) continue;
  test(`the skeleton in ${language} starts all concurrent requests before any of them continues`, {
    skip: isMissing && `${NEEDS[language]} is not installed`,
  }, async () => {
    const own = join(folder, `${language}-counted`);
    await init(own, "--language", language);
    const text = readFileSync(join(own, file), "utf8");
    assert.ok(text.includes(platform));
    writeFileSync(join(own, file), text.replace(platform, counted));
    const adapter = await openProgram({
      ...{ ...DEFAULT_OPTIONS, contract: SERVED_CONTRACT, env: ["GOCACHE"] },
      ...targetIn(own, language),
    });
    const service = await adapter.start(0);
    const request = { method: "GET", path: "/v1/platform" };
    const responses = await Promise.all(Array.from({ length: 20 }, () => service.handle(request)));
    await adapter.close();
    const counts = responses.map((response) => (response as { body: { count: number } }).body.count);
    assert.ok(Math.max(...counts) >= 20, `at most ${Math.max(...counts)} in flight`);
  });
}

test("init writes no workflow into a subfolder of a repository, where it would never run", async () => {
  const repository = mkdtempSync(join(folder, "repository-"));
  mkdirSync(join(repository, ".git"));
  const { text } = await init(join(repository, "Pay Service"));
  assert.match(text, /\n4\. Automate: {3}let the CI of \S+ run Pay Service\/conformance\.sh\.\n/);
  assert.equal(existsSync(join(repository, "Pay Service/.github")), false);
  assert.match(readFileSync(join(repository, "Pay Service/service.ts"), "utf8"), /name: "pay-service"/);
});

test("the script of init uses a kit that is installed in a folder above", async () => {
  const parent = mkdtempSync(join(folder, "parent-"));
  await init(join(parent, "service"));
  const kit = join(parent, "node_modules/.bin/launch-draft-conformance");
  mkdirSync(dirname(kit), { recursive: true });
  writeFileSync(kit, '#!/bin/sh\necho "$@"\n', { mode: 0o755 });
  const args = ["conformance.sh", "--verbose"];
  const text = execFileSync("sh", args, { cwd: join(parent, "service"), encoding: "utf8" });
  assert.equal(text, "run --module service.ts --baseline known-failures.yaml --verbose\n");
});

test("init overwrites no file, and refuses an unknown language", async () => {
  const own = mkdtempSync(join(folder, "own-"));
  assert.equal((await init(own)).status, 0);
  const script = readFileSync(join(own, "conformance.sh"), "utf8");
  assert.match(script, /^set -- run --module service\.ts --baseline known-failures\.yaml "\$@"$/m);
  assert.match(script, /^exec npx --yes --ignore-scripts launch-draft-conformance@\S+ "\$@"\n$/m);
  const again = await init(own);
  assert.equal(again.status, 2);
  assert.match(
    again.text,
    / already has service\.ts, conformance\.sh, known-failures\.yaml, \.github\/\S+; /,
  );
  const manifest = JSON.parse(readFileSync(join(own, "package.json"), "utf8"));
  assert.equal(manifest.type, "module");
  assert.ok(readFileSync(join(own, "service.ts"), "utf8").includes(`name: "${manifest.name}"`));
  const linked = mkdtempSync(join(folder, "linked-"));
  symlinkSync(join(folder, "elsewhere"), join(linked, "conformance.sh"));
  assert.match((await init(linked)).text, / already has conformance\.sh; /);
  assert.equal(existsSync(join(folder, "elsewhere")), false);
  for (const [path, message] of [
    [".github", ".github is a link out of the folder; remove the link"],
    [".github/workflows", "workflows is a link out of the folder; remove the link"],
  ] as const) {
    const other = mkdtempSync(join(folder, "other-"));
    mkdirSync(dirname(join(other, path)), { recursive: true });
    symlinkSync(folder, join(other, path));
    const refused = await init(other);
    assert.deepEqual([refused.status, refused.text.endsWith(`${message}\n`)], [2, true], refused.text);
    assert.deepEqual(readdirSync(other), [".github"]);
    rmSync(join(other, path));
    writeFileSync(join(other, path), "");
    assert.match((await init(other)).text, new RegExp(`${path} is not a folder; choose another folder\n$`));
    assert.deepEqual(readdirSync(other), [".github"]);
  }
  assert.match((await init(own, "--language", "rust")).text, /^--language must be one of typescript, python/);
});
