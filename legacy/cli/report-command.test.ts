import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { Ajv2020 } from "ajv/dist/2020.js";
import { PATHS } from "../paths.ts";
import type { GatedReport } from "../policies/gated-report.ts";
import { runCli } from "../testing/run-cli.ts";
import { vectorText } from "../testing/run-vectors.ts";
import { temporaryDirectory, temporaryFile } from "../testing/temporary-file.ts";
import { REPORTERS } from "./reporters.ts";

const folder = temporaryDirectory({ after } as never);
/** Options by which every reporter writes a file of its own, named after it. */
const everyReporter = (to: string) =>
  REPORTERS.flatMap((name) => ["--reporter", `${name}=${join(folder, `${to}.${name}`)}`]);
const written = (to: string, name: string) => readFileSync(join(folder, `${to}.${name}`), "utf8");

/** What a selection has none of, neither when it is run nor when it is told anew. */
const VERDICTS: ReadonlySet<string> = new Set(["badge"]);
const service = join(PATHS.root, "legacy/testing/services/hostile-text.ts");
const only = ["--only", "platform/*", "property/texts", "challenge/usable*", "over-http/another-scheme/*"];
const ran = await runCli(["--module", service, "--runs", "3", ...only, ...everyReporter("run")]);

test("what a service did is told anew by every reporter as the run told it", async () => {
  assert.equal(ran.status, 1, ran.stderr);
  const report = join(folder, "run.json");
  const told = await runCli(["report", report, ...everyReporter("told")]);
  assert.deepEqual([told.status, told.stderr], [0, ran.stderr]);
  assert.equal(told.stdout, ran.stdout);
  for (const name of REPORTERS.filter((one) => !VERDICTS.has(one)))
    assert.equal(written("told", name), written("run", name), name);
  assert.match(
    written("told", "console"),
    /^ {2}again .* --module \S+hostile-text\.ts --only \S+ --seed 1$/m,
  );
});

test("it ends with 0, or with --exit-status as the run ended", async () => {
  const report = join(folder, "run.json");
  assert.equal((await runCli(["report", report, "--reporter", "dot"])).status, 0);
  assert.equal((await runCli(["report", report, "--reporter", "dot", "--exit-status"])).status, 1);
  const lost = await runCli(["report", report, "--reporter", `html=${folder}`]);
  assert.deepEqual(
    [lost.status, lost.stderr],
    [2, `${folder}: the html report could not be written (EISDIR)\n`],
  );
});

test("a replay, and a merged run, are told as such", async (context) => {
  const vectors = temporaryFile(context, "suite.yaml", vectorText("- platform:\n  expect: 401 UNAUTHORIZED"));
  const replayed = join(folder, "replayed.json");
  const replay = await runCli(["replay", vectors, "--reporter", `json=${replayed}`]);
  assert.equal(replay.status, 1, replay.stderr);
  assert.equal((await runCli(["report", replayed])).stdout, replay.stdout);

  const parts = await Promise.all(
    ["1/2", "2/2"].map(async (shard) => {
      const file = join(folder, `part-${shard[0]}.json`);
      await runCli([
        "--module",
        service,
        "--runs",
        "0",
        ...only.slice(0, 2),
        "--shard",
        shard,
        "--reporter",
        `json=${file}`,
      ]);
      return file;
    }),
  );
  const file = join(folder, "merged.json");
  const merged = await runCli(["merge", ...parts, "--reporter", `json=${file}`]);
  const told = await runCli(["report", file, "--exit-status"]);
  assert.deepEqual([told.status, told.stdout], [merged.status, merged.stdout]);
  assert.match(told.stdout, /^ {2}again .* --module \S+hostile-text\.ts /m);
});

test("every json report keeps the schema as Ajv's strict mode reads it, of a part, a selection or a file replayed as well", async () => {
  const undecided = join(folder, "undecided.json");
  const few = ["--only", "platform/constants", "--runs", "0", "--shard", "1/2"];
  assert.equal((await runCli([...few, "--reporter", `json=${undecided}`])).status, 0);
  const schema = JSON.parse(readFileSync(PATHS.reportSchema, "utf8"));
  const validate = new Ajv2020({ strict: true, allErrors: true }).compile<GatedReport>(schema);
  const kinds = new Set<string>();
  for (const name of ["run", "told", "replayed", "part-1", "part-2", "merged", "undecided"]) {
    const report: GatedReport = JSON.parse(readFileSync(join(folder, `${name}.json`), "utf8"));
    validate(report);
    assert.equal(validate.errors, null, name);
    for (const kind of ["shard", "selection"]) if (kind in report) kinds.add(kind);
    kinds.add(report.verdict);
  }
  assert.deepEqual([...kinds].sort(), ["does-not-conform", "selection", "shard", "undecided"]);
});

test("what is no report is one line and status 2", async () => {
  const half = join(folder, "half.json");
  writeFileSync(half, written("run", "json").slice(0, 5_000));
  const compared = join(folder, "compared.json");
  const both = [join(folder, "run.json"), join(folder, "told.json")];
  await runCli(["compare", ...both, "--reporter", `json=${compared}`]);
  for (const [file, why] of [
    [half, /no JSON \(/],
    [compared, /no report of this kit/],
    [join(folder, "run.junit"), /no JSON \(/],
    ["/nowhere/run.json", /cannot be read \(ENOENT\)/],
    ["/dev/zero", /is a device, not a regular file/],
  ] as const) {
    const { status, stdout, stderr } = await runCli(["report", file]);
    assert.deepEqual([status, stdout, stderr.split("\n").length], [2, "", 2], stderr);
    assert.match(stderr, why);
  }
});
