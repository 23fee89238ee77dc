import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";

/** Writes a module for one test into a directory of its own, which goes away with the test; gives its path. */
export function moduleFile(context: TestContext, name: string, source: string): string {
  const directory = mkdtempSync(join(tmpdir(), "launch-draft-module-"));
  context.after(() => rmSync(directory, { recursive: true, force: true }));
  const file = join(directory, name);
  writeFileSync(file, source);
  return file;
}
