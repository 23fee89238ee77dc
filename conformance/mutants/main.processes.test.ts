/** Tests the command `mutants` as a process, on a copy of the kit. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";

const ROOT = join(import.meta.dirname, "..", "..");
const folder = mkdtempSync(join(tmpdir(), "mutants-test-"));
after(() => rmSync(folder, { recursive: true }));

test("an error in a vector is reported once, before a mutant is judged", () => {
  for (const name of ["conformance", "reference", "vectors", "package.json", "tsconfig.json"])
    cpSync(join(ROOT, name), join(folder, name), { recursive: true });
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
  const file = join(folder, "vectors", "suites", "platform.yaml");
  writeFileSync(file, readFileSync(file, "utf8").replace("    rules:", "    rulez:"));
  const args = ["--import", "tsx", "conformance/mutants/main.ts", "platform/*"];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: "utf8" });
  assert.equal(status, 2);
  assert.equal(stdout, "");
  assert.match(stderr, /^(?:vectors\/suites\/platform\.yaml:\d+:\d+: .*\n){2}$/);
  assert.match(stderr, /unknown key "rulez"; did you mean "rules"\?/);
});
