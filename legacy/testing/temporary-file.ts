import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";

/** A directory that goes away with the test; gives its path. */
export function temporaryDirectory(context: TestContext): string {
  const directory = mkdtempSync(join(tmpdir(), "launch-draft-test-"));
  context.after(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** Writes a file into a directory of its own, which goes away with the test; gives its path. */
export function temporaryFile(context: TestContext, name: string, text: string): string {
  const file = join(temporaryDirectory(context), name);
  writeFileSync(file, text);
  return file;
}
