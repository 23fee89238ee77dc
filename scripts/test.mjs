// Runs every *.test.ts of the project under node:test. Node 20 takes no glob for --test, so the files are listed here.
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";

const roots = ["conformance", "reference", "scripts"];
const named = process.argv.slice(2);
const files = roots
  .flatMap((root) => readdirSync(root, { recursive: true }).map((name) => join(root, String(name))))
  .filter((file) => file.endsWith(".test.ts"))
  .filter((file) => named.length === 0 || named.some((part) => file.includes(part)))
  .sort();
if (files.length === 0) {
  process.stderr.write(`no test file matches ${named.join(" ")}\n`);
  process.exit(2);
}
const { status } = spawnSync(process.execPath, ["--import", "tsx", "--test", ...files], { stdio: "inherit" });
process.exit(status ?? 1);
