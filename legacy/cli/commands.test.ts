import assert from "node:assert/strict";
import { test } from "node:test";
import { kitVersion } from "../paths.ts";
import { CHANCE } from "./chance.ts";
import { explainCommand } from "./explain-command.ts";
import { type ListOptions, listCommand } from "./list-command.ts";
import type { Output } from "./output.ts";
import { main } from "./program.ts";
import { type RunCommandOptions, runCommand } from "./run-command.ts";

/** An output that keeps what is written. */
function kept(): Output & { readonly said: { out: string; err: string } } {
  const said = { out: "", err: "" };
  const keep = (stream: "out" | "err") => (text: string) => {
    said[stream] += text;
  };
  return {
    said,
    out: keep("out"),
    err: keep("err"),
    color: false,
    width: 100,
    live: false,
  };
}

async function listed(options: Partial<ListOptions>): Promise<string> {
  const output = kept();
  assert.equal(
    await listCommand(
      { rules: false, points: false, properties: false, json: false, only: [], ...options },
      output,
    ),
    0,
  );
  return output.said.out;
}

function explained(id: string): string {
  const output = kept();
  assert.equal(explainCommand(id, output), 0);
  return output.said.out;
}

test("--version tells the kit's version and the contract's", async () => {
  const output = kept();
  const version = kitVersion().replaceAll(".", "\\.");
  const edge = { output } as unknown as Parameters<typeof main>[1];
  assert.equal(await main(["--version"], edge), 0);
  assert.match(
    output.said.out,
    new RegExp(`^launch-draft-conformance ${version}\ncontract partner-preview-1\n$`),
  );
});

test("explain of a rule tells its level, section and vectors", () => {
  assert.match(
    explained("LAUNCH-33"),
    /^LAUNCH-33 {2}A build whose `uri` carries a port.*\n {2}level +required\n {2}section +contract, "Resources.*"\n {2}vectors +\d+\n {4}\S+\/\S+ {2,}\S/,
  );
});

test("explain of a rule that cannot be observed tells why, and counts no vectors", () => {
  const text = explained("SERVICE-7");
  assert.match(text, /^ {2}level +required, not observable from outside$/m);
  assert.match(text, /^ {2}reason +answers look the same/m);
  assert.doesNotMatch(text, /vectors/);
});

test("explain of an open point tells its readings and the reference's choice", () => {
  assert.match(
    explained("CHALLENGE-INSTANT"),
    /^CHALLENGE-INSTANT {2}.*\?\n {2}section .*\n {2}accepted readings\n {4}valid {4}200\n {4}expired {2}401 EXPIRED_OR_USED_CHALLENGE\n {2}reference {3}expired: .*\n {2}vectors +\d+\n {4}\S+\/\S+ {2,}/,
  );
  assert.match(explained("CHALLENGE-INSTANT"), /^ {4}legal\/valid-at-the-instant {2,}valid: \S/m);
  assert.match(explained("BEARER-FORMAT"), /^ {2}vectors +seen in passing, in the answers of others$/m);
});

test("explain of a rule names the properties that try it, and how services break it", () => {
  const text = explained("LAUNCH-18");
  assert.match(text, /^ {2}properties {2}\d+\n {4}property\/texts {2,}\S/m);
  assert.match(text, /^ {2}how a service breaks it\n {4}launch\/\S+ {2,}\S/m);
});

test("explain of a property tells its rules, and of a service of the bank its edits", () => {
  assert.match(
    explained("property/texts"),
    /^property\/texts {2}.*\n {2}tries {7}.*\n {2}cases {7}30 in a usual run; --runs 600 tries more\n {2}rule {8}LAUNCH-16 {6}A build/,
  );
  assert.match(
    explained("property/exhaustive"),
    /\n {2}cases {7}493 in a usual run; --exhaustive 4 tries more\n/,
  );
  assert.match(
    explained("challenge/used-up-by-success-only"),
    /^challenge\/used-up-by-success-only {2}.*\n {2}at {10}legacy\/mutants\/broken\/challenge\.yaml:\d+\n {2}breaks {6}CHALLENGE-23 {2}[\s\S]*\n {2}in reference\/\S+\.ts:\d+\n {4}- .*\n[\s\S]* {4}\+ /,
  );
  assert.match(explained("legal/valid-at-the-instant"), /^ {2}chooses {5}CHALLENGE-INSTANT {2}valid$/m);
});

test("explain of a vector tells its rules, its needs and its source", async () => {
  const [{ id = "", rules = [] } = {}] = JSON.parse(await listed({ only: ["verify"], json: true })) as {
    readonly id?: string;
    readonly rules?: readonly string[];
  }[];
  const text = explained(id);
  assert.ok(text.startsWith(`${id}  `));
  assert.notEqual(rules.length, 0);
  assert.match(text, /^ {2}at {10}vectors\/suites\/verify\.yaml:\d+$/m);
  for (const rule of rules) assert.match(text, new RegExp(`^ {2}rule {8}${rule} {2,}\\S`, "m"));
  assert.match(text, /^ {2}needs {7}\S/m);
  assert.match(text, new RegExp(`^ {2}- id: ${id.split("/")[1]}\n {4}title: `, "m"));
});

test("what is told of several stands in columns", async () => {
  const starts = (text: string, line: RegExp) =>
    new Set([...text.matchAll(line)].map(([, before = ""]) => before.length));
  assert.equal(starts(await listed({ only: ["verify"] }), /^(verify\/\S+ +)\S.*$/gm).size, 1);
  const point = explained("CODE-BUILD-NAME");
  assert.equal(starts(point, /^( {4}[A-Z_]+ +)400/gm).size, 1);
  assert.equal(starts(point, /^( {4}(?!legal)[a-z-]+\/\S+ +)\S.*$/gm).size, 1);
  assert.equal(starts(point, /^( {4}legal\/\S+ +)\S.*$/gm).size, 1);
});

test("explain of anything else guesses the slip", () => {
  assert.throws(() => explainCommand("LIMTI-1", kept()), {
    name: "UsageError",
    message:
      '"LIMTI-1" is not a rule, open point, vector, property, service or client of the bank (did you mean "LIMIT-1"?); `list` shows them',
  });
});

test("list gives vectors, rules and open points, for people and for programs", async () => {
  assert.match(await listed({ only: ["verify"] }), /^(verify\/\S+ {2,}\S.*\n)+\d+ vectors\n$/);
  assert.match(
    await listed({ rules: true }),
    /^ {2}SERVICE-7 +unobservable( +-)+ +The service works offline/m,
  );
  assert.match(await listed({ points: true }), /\n\d+ open points\n$/);
  assert.match(await listed({ properties: true }), /^ {2}property\/texts +30 +7 +names, symbols.*$/m);
  const properties: readonly object[] = JSON.parse(await listed({ properties: true, json: true }));
  assert.match(await listed({ properties: true }), new RegExp(`\\n${properties.length} properties\\n$`));
  assert.deepEqual(Object.keys(properties[0] ?? {}), ["id", "title", "tries", "rules", "needs", "cases"]);
  const [vector] = JSON.parse(await listed({ only: ["verify"], json: true }));
  assert.deepEqual(Object.keys(vector), ["id", "title", "rules", "source", "needs"]);
  await assert.rejects(() => listed({ only: ["vrefiy"] }), {
    name: "DataError",
    message: "--only: vrefiy matches no vector",
  });
});

const OPTIONS: RunCommandOptions = {
  only: [],
  seed: 1,
  bail: false,
  runs: 0,
  maxWaitMs: 90_000,
  reporter: [],
  allowUntried: [],
  verbose: false,
  jobs: 1,
  timeoutMs: 5_000,
};
const run = (options: Partial<RunCommandOptions>) =>
  runCommand(
    { ...OPTIONS, ...options },
    {
      output: kept(),
      time: { now: () => 0, sleep: async () => {} },
      chance: CHANCE,
      stopped: () => undefined,
    },
  );

for (const [options, message] of [
  [
    { reporter: ["sarif"] },
    /^--reporter sarif: there is no such reporter, package or file; there are console, json/,
  ],
  [
    { allowUntried: ["LIMIT-1", "LIMTI-2"] },
    /^--allow-untried LIMTI-2: there is no such rule \(did you mean "LIMIT-2"\?\)$/,
  ],
  [{ module: "a.ts", command: "b" }, /^give one of --module, --command, not several$/],
] as const) {
  test(`run with ${JSON.stringify(options)} is wrong usage`, async () => {
    await assert.rejects(run(options), { name: "UsageError", message });
  });
}

test("a selection that passes has status 0", async () => {
  assert.equal(await run({ only: ["platform"] }), 0);
});
