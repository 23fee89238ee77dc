import assert from "node:assert/strict";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { runCli } from "../testing/run-cli.ts";
import { temporaryDirectory, temporaryFile } from "../testing/temporary-file.ts";

for (const [words, message] of [
  [["--module", "a.ts", "--command", "b"], "give one of --module, --command, not both"],
  [["--resident"], "--resident goes with --command"],
  [["--facts", "a.yaml"], "--facts goes with --command: a module exports its facts"],
  [["--update-baseline"], "--update-baseline goes with --baseline FILE, which it writes"],
  [
    ["--shard", "1/2", "--update-choices", "--choices", "a.yaml"],
    "--update-choices goes with merge, not with --shard",
  ],
  [["--only", "no/such"], "--only: no/such matches no vector and no property; `list` shows their ids"],
  [
    ["--allow-untried", "CLIENT-FLOW-99"],
    '--allow-untried CLIENT-FLOW-99: there is no such rule (did you mean "CLIENT-FLOW-1"?)',
  ],
  [["--replay", "no-such.yaml"], "no-such.yaml: cannot be read (ENOENT)"],
] as const) {
  test(`client ${words.join(" ")} is told what is wrong in one line`, async () => {
    assert.deepEqual(await runCli(["client", ...words]), { status: 2, stdout: "", stderr: `${message}\n` });
  });
}

test("a file of facts with a fault is told of", async (context) => {
  const facts = temporaryFile(context, "facts.yaml", "signedBytes: latin1\n");
  const { status, stderr } = await runCli(["client", "--command", "true", "--facts", facts]);
  assert.equal(status, 2);
  assert.equal(
    stderr,
    `${facts}: facts.signedBytes must be one of utf8, hex, base64, sha256, not "latin1"\n`,
  );
});

test("list and explain know clients", async () => {
  const rules = await runCli(["list", "--clients", "--rules"]);
  assert.match(rules.stdout, /^ {2}CLIENT-SECRET-1 +required +\d+ /m);
  const points = await runCli(["list", "--clients", "--points", "--json"]);
  assert.ok(JSON.parse(points.stdout).some(({ id }: { id: string }) => id === "CLIENT-AFTER-429"));
  const vectors = await runCli(["list", "--clients", "--only", "launches/first"]);
  assert.match(vectors.stdout, /^launches\/first .*\n1 vectors\n$/);
  const rule = await runCli(["explain", "CLIENT-SECRET-1"]);
  assert.match(rule.stdout, /^CLIENT-SECRET-1 .*\n {2}judges +clients\n {2}level +required\n/);
  const vector = await runCli(["explain", "launches/first"]);
  assert.match(vector.stdout, /^ {2}- id: first$/m);
  assert.match(rule.stdout, /^ {4}secret\/key-in-header +the secret key is sent in a header: \S/m);
  const broken = await runCli(["explain", "retry/key-of-slugs"]);
  assert.match(broken.stdout, /^ {2}breaks +CLIENT-RETRY-1 /m);
  assert.match(broken.stdout, /^ {2}in legacy\/examples\/clients\/typescript\/client\.ts:\d+\n {4}- /m);
  const legal = await runCli(["explain", "legal/gives-up-at-429"]);
  assert.match(legal.stdout, /^ {2}chooses +CLIENT-AFTER-429 +gives-up$/m);
  const point = await runCli(["explain", "CLIENT-AFTER-429"]);
  assert.match(point.stdout, /^ {4}legal\/gives-up-at-429 +gives-up: \S/m);
  const ofBoth = await runCli(["explain", "challenge/creator-in-hex"]);
  assert.equal(ofBoth.stdout.match(/^challenge\/creator-in-hex {2}/gm)?.length, 2);
  const properties = await runCli(["list", "--clients", "--properties"]);
  assert.match(properties.stdout, /^ {2}property\/client-scripts /m);
  const search = await runCli(["explain", "property/client-scripts"]);
  assert.match(search.stdout, /^property\/client-scripts .*\n {2}tries +/);
  const completed = await runCli(["complete", "--", "client", "--only", "launches/fi"]);
  assert.match(completed.stdout, /^launches\/first$/m);
});

test("init --client writes a skeleton, or the protocol, into an empty place", async (context) => {
  const folder = temporaryDirectory(context);
  for (const [language, file] of [
    ["typescript", "client.ts"],
    ["python", "client.py"],
    ["other", "client-protocol.schema.json"],
  ] as const) {
    const { status, stdout } = await runCli([
      "init",
      "--client",
      "--language",
      language,
      join(folder, language),
    ]);
    assert.equal(status, 0);
    assert.match(stdout, /^next: /m);
    const files = readdirSync(join(folder, language)).sort();
    assert.deepEqual(files, ["README.md", "client-protocol.md", file].sort());
  }
  const again = await runCli(["init", "--client", "--language", "python", join(folder, "python")]);
  assert.equal(again.status, 2);
  const none = await runCli(["init", "--client", "--language", "go", join(folder, "go")]);
  assert.deepEqual(
    [none.status, none.stderr, existsSync(join(folder, "go"))],
    [
      2,
      "there is no skeleton of a client in go, but in typescript and python; --language other writes the protocol\n",
      false,
    ],
  );
});
