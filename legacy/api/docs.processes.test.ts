import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { PATHS } from "../paths.ts";
import { pageFiles } from "../testing/page-files.ts";
import { temporaryDirectory } from "../testing/temporary-file.ts";

test("what docs/api.md has its reader write does what it says", (context) => {
  const files = pageFiles("docs/api.md");
  const folder = temporaryDirectory(context);
  for (const [name, code] of files) writeFileSync(join(folder, name), code);
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(PATHS.root, join(folder, "node_modules/launch-draft-conformance"));
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  writeFileSync(
    join(folder, "all.mjs"),
    `await import("./judge.mjs");
    console.log("-- stop");
    await import("./stop.mjs");
    console.log("-- reporter");
    const { judge, reportText } = await import("launch-draft-conformance");
    const { default: reporter } = await import("./failures.ts");
    const { default: service } = await import("./service.ts");
    const { report } = judge({ target: { service }, only: ["platform/same-twice"] });
    console.log(await reportText(await report, reporter));
    console.log("-- reporter by name");
    console.log(await reportText(await report, "./failures.ts"));
    `,
  );
  const words = ["--import", import.meta.resolve("tsx"), "all.mjs"];
  const { stdout, stderr } = spawnSync(process.execPath, words, { cwd: folder, encoding: "utf8" });
  assert.equal(stderr, "");
  const [judged = "", stopped = "", reporter = "", byName] = stdout.split(/^-- .*\n/m);
  assert.match(judged, /^failed platform\/same-twice $/m);
  assert.match(judged, /^does-not-conform \{ passed: \d+, failed: \d+, skipped: \d+, error: 0 \}$/m);
  assert.match(judged, /^FAILED {2}platform\//m);
  assert.match(judged, /^ +again .* run --module \.\/service\.ts --only /m);
  assert.match(stopped, /^[A-Z]+-\d+\ntrue\n$/);
  assert.match(reporter, /^broken: platform\/same-twice$/m);
  assert.equal(byName, reporter);
});
