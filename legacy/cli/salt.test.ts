/** What a run leaves to chance, and what it says of that. */
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { pathToFileURL } from "node:url";
import { PATHS } from "../paths.ts";
import { reference, spoiled } from "../testing/reference.ts";
import { runCli } from "../testing/run-cli.ts";

interface ReferenceHttp {
  serveHttp(service: object, options: object): Promise<{ readonly url: string; close(): Promise<void> }>;
}

/** The options that name a plain server, whose profile is broken. */
async function brokenServer(context: TestContext): Promise<readonly string[]> {
  const { serveHttp }: ReferenceHttp = await import(new URL("http.ts", pathToFileURL(PATHS.reference)).href);
  const broken = spoiled(({ body }) => {
    if (body.publicServer !== undefined) body.publicServer = true;
  });
  const { url, close } = await serveHttp(await broken.createService({ now: () => 0 }), { port: 0 });
  context.after(close);
  const { metadataHosts } = reference.facts as { readonly metadataHosts: readonly string[] };
  return ["--url", url, "--metadata-hosts", ...metadataHosts];
}

const PART = ["--only", "platform/constants/*", "--jobs", "1", "--runs", "0"];
const JSON_REPORT = [...PART, "--reporter", "json"];

async function reportOf(
  words: readonly string[],
): Promise<{ readonly seed: number; readonly salt?: string }> {
  const { stdout, stderr } = await runCli([...words, ...JSON_REPORT]);
  assert.equal(stderr, "");
  return JSON.parse(stdout);
}

test("a server that outlives the run gets a salt of its own each time, which the line to run again leaves out", async (context) => {
  const way = await brokenServer(context);
  const { stdout } = await runCli([...way, ...PART]);
  assert.match(stdout, /^.* · seed 1, salt [0-9a-f]{10}, 0 runs a property\n/);
  const again = /^ +again +(.*)$/m.exec(stdout)?.[1] ?? "";
  assert.match(again, /--seed 1$/);
  const [one, other] = [await reportOf(way), await reportOf(way)];
  assert.match(one.salt ?? "", /^[0-9a-f]{10}$/);
  assert.notEqual(one.salt, other.salt);
  assert.equal((await reportOf([...way, "--salt", "build-17"])).salt, "build-17");
});

test("where every service is fresh there is a salt only where one is asked for", async () => {
  assert.equal((await reportOf([])).salt, undefined);
  assert.equal((await reportOf(["--salt", "build-17"])).salt, "build-17");
});

test("a seed that is left to chance is told", async () => {
  const { stdout } = await runCli(["--seed", "random", ...PART]);
  assert.match(stdout, /^.* · seed \d{1,9}, 0 runs a property\n/);
  const { seed } = await reportOf(["--seed", "random"]);
  assert.ok(Number.isInteger(seed));
  assert.notEqual(seed, (await reportOf(["--seed", "random"])).seed);
});

test("a seed that is left to chance is told where there is no report, too", async () => {
  const { status, stderr } = await runCli(["--seed", "random", "--command", "false", ...PART]);
  assert.equal(status, 3);
  assert.match(stderr, /^seed \d{1,9}\n/);
});

test("what is no seed or salt is wrong usage, and so are parts of a run without a salt in common", async (context) => {
  for (const [words, told] of [
    [["--seed", "any"], "--seed must be a non-negative integer or `random`, got any\n"],
    [
      ["--salt", "a b"],
      "--salt must be 1 to 64 letters, digits and any of . _ : -, such as build-17, got a b\n",
    ],
    [["--salt", ""], "--salt must not be empty\n"],
  ] as const) {
    const { status, stderr } = await runCli(words);
    assert.equal(status, 2);
    assert.equal(stderr, told);
  }
  const shard = await runCli([...(await brokenServer(context)), "--shard", "1/2"]);
  assert.equal(shard.status, 2);
  assert.equal(
    shard.stderr,
    "--shard needs --salt TEXT here, the same for every part: the service outlives the run\n",
  );
});
