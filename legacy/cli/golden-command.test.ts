import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { AdapterFault } from "../adapters/adapter.ts";
import { DataError } from "../engine/data/data-error.ts";
import { PATHS } from "../paths.ts";
import { golden } from "../testing/golden/kit-fixtures.ts";
import { runCli } from "../testing/run-cli.ts";
import { temporaryDirectory, temporaryFile } from "../testing/temporary-file.ts";
import { CHANCE } from "./chance.ts";
import { type GoldenCommandOptions, goldenCommand } from "./golden-command.ts";
import { UsageError } from "./usage-error.ts";

const DEFAULTS: GoldenCommandOptions = { check: false, verbose: false, jobs: 1, timeoutMs: 60_000 };
const COUNT = golden.fixtures.length;
const retry = golden.fixtures.findIndex(({ name }) => name === "retry");

/** Runs the command in this process; gives its status and what it wrote. */
async function command(options: Partial<GoldenCommandOptions>) {
  const written = { out: "", err: "" };
  const output = {
    out: (text: string) => {
      written.out += text;
    },
    err: (text: string) => {
      written.err += text;
    },
    color: false,
    width: 110,
    live: false,
  };
  const time = { now: () => 0, sleep: async () => {} };
  const status = await goldenCommand({ ...DEFAULTS, ...options }, { output, time, chance: CHANCE });
  return { status, ...written };
}

/** A folder with the kit's fixtures, to spoil. */
function copyOfFixtures(context: TestContext): string {
  const folder = temporaryDirectory(context);
  for (const name of readdirSync(PATHS.golden)) {
    writeFileSync(join(folder, name), readFileSync(join(PATHS.golden, name)));
  }
  return folder;
}

function spoil(folder: string, name: string, from: string, to: string): void {
  const path = join(folder, name);
  const text = readFileSync(path, "utf8");
  assert.ok(text.includes(from));
  writeFileSync(path, text.replace(from, to));
}

/** A module that is the reference under another name, with one thing changed about its answers. */
function moduleOf(context: TestContext, change: string, exports = ""): string {
  return temporaryFile(
    context,
    "service.mjs",
    `import * as reference from ${JSON.stringify(PATHS.reference)};
export const { facts } = reference;
export const implementation = { name: "changed reference", version: "1" };
${exports}
export function createService(options) {
  const service = reference.createService(options);
  return { handle(call) { const { status, body } = service.handle(call); ${change} return { status, body }; } };
}
`,
  );
}

test("the kit's fixtures are those that the reference gives, to the byte, on this Node", async () => {
  assert.deepEqual(await runCli(["golden", "--check"]), {
    status: 0,
    stdout: `${COUNT} fixtures are as they were\n`,
    stderr: "",
  });
});

test("written over older ones, they are the same files, and those of former flows are gone", async (context) => {
  const folder = copyOfFixtures(context);
  spoil(folder, "index.json", '"file": "retry.json"', '"file": "old-retry.json"');
  spoil(folder, "happy-path.json", '"reserveLamports": 1000000', '"reserveLamports": 7');
  writeFileSync(join(folder, "old-retry.json"), "{}");
  writeFileSync(join(folder, "notes.txt"), "mine");
  const check = await command({ directory: folder, check: true });
  assert.equal(check.status, 1);
  assert.equal(
    check.out,
    `${join(folder, "happy-path.json")}: step 4, response.body.cost.reserveLamports: was 7, is 1000000
${join(folder, "index.json")}: fixtures.${retry}.file: was "old-retry.json", is "retry.json"
${join(folder, "old-retry.json")}: no flow makes it any more
3 files drifted
`,
  );
  const { status, out } = await command({ directory: folder });
  assert.equal(status, 0);
  assert.equal(out, `${COUNT} fixtures of launch-draft-reference written to ${folder}\n`);
  assert.deepEqual(readdirSync(folder).sort(), [...readdirSync(PATHS.golden), "notes.txt"].sort());
  for (const name of readdirSync(PATHS.golden)) {
    assert.equal(readFileSync(join(folder, name), "utf8"), readFileSync(join(PATHS.golden, name), "utf8"));
  }
});

test("a module's fixtures hold its own values, mark what differs in every run, and match when replayed on it", async (context) => {
  const change = `if (body.nextGate) body.nextGate = "ASK_AGAIN";
    if (body.termsStatus) body.visits = ++visits;`;
  const module = moduleOf(context, change, "let visits = 0;");
  const folder = temporaryDirectory(context);
  assert.equal((await command({ module, directory: folder })).status, 0);
  const { steps } = JSON.parse(readFileSync(join(folder, "happy-path.json"), "utf8"));
  assert.equal(steps[3].response.body.nextGate, "ASK_AGAIN");
  const varies = ({ matchers }: { readonly matchers: readonly { pointer: string; varies: string }[] }) =>
    Object.fromEntries(matchers.map((matcher) => [matcher.pointer, matcher.varies]));
  assert.equal(varies(steps[0])["/visits"], "run");
  assert.equal(varies(steps[3])["/nextGate"], "implementation");
  spoil(folder, "happy-path.json", '"ASK_AGAIN"', '"ASK"');
  spoil(folder, "retry.json", "demonstration alone", "demonstration  alone");
  const { status, out } = await command({ module, directory: folder, check: true });
  assert.equal(status, 1);
  assert.deepEqual(out.replaceAll(`${folder}/`, "").split("\n"), [
    'happy-path.json: step 4, nextGate: was "ASK", is "ASK_AGAIN"',
    "retry.json: its bytes are not those of the index (sha256)",
    `${COUNT - 2} of ${COUNT} fixtures match, 2 drifted, 0 not replayed; 0 answers differ as they may`,
    "",
  ]);
});

test("wrong usage and bad folders are one line each", async (context) => {
  const empty = temporaryDirectory(context);
  const other = temporaryDirectory(context);
  writeFileSync(join(other, "index.json"), '{"mine": true}');
  const usage = async (options: Partial<GoldenCommandOptions>) => {
    const error = await command(options).catch((thrown: unknown) => thrown);
    assert.ok(error instanceof UsageError || error instanceof DataError, String(error));
    assert.doesNotMatch(error.message, /\n/);
    return error.message;
  };
  const module = PATHS.reference;
  assert.match(await usage({ module }), /^name the folder/);
  assert.match(await usage({ verbose: true }), /^--verbose goes with --check/);
  assert.match(await usage({ check: true, directory: empty }), /: there are no fixtures$/);
  assert.match(
    await usage({ check: true, directory: empty, module }),
    /index\.json: cannot be read \(ENOENT\)$/,
  );
  assert.match(await usage({ directory: other }), /index\.json: no golden file: /);
  assert.match(await usage({ module, url: "http://127.0.0.1:1", directory: empty }), /^give one of/);
});

test("an implementation that cannot be run is a fault of its own, and no drift", async () => {
  const missing = command({ check: true, module: "no-such-file.ts" });
  await assert.rejects(missing, (error) => {
    assert.ok(error instanceof AdapterFault);
    assert.equal(error.message, "no-such-file.ts: no such file");
    return true;
  });
});
