import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { PATHS } from "./paths.ts";

const run = promisify(execFile);

interface ReferenceServer {
  serveReference(options: object): Promise<{ url: string; close(): Promise<void> }>;
}

/** The TypeScript under "What does a client do?" in docs/fixtures.md, as it stands. */
function walkThrough(): string {
  const page = readFileSync(join(PATHS.root, "docs/fixtures.md"), "utf8");
  const [, section = ""] = page.split("\n## What does a client do?\n");
  const [, code] = /```ts\n(.*?)```/s.exec(section) ?? [];
  assert.ok(code !== undefined, "the page has no walk-through");
  return code;
}

/** Writes the walk-through where it finds the packages that the project has installed; gives its path. */
function walkThroughFile(context: TestContext): string {
  const cache = join(PATHS.root, "node_modules/.cache");
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, "walk-through-"));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "client.mts");
  writeFileSync(file, walkThrough());
  return file;
}

test("the client of the documents goes from the profile to a decoded draft in some thirty lines", async (context) => {
  const { serveReference }: ReferenceServer = await import(pathToFileURL(PATHS.referenceServer).href);
  const server = await serveReference({ host: "127.0.0.1", port: 0, control: false, now: () => Date.now() });
  context.after(() => server.close());
  const lines = walkThrough()
    .split("\n")
    .filter((line) => line !== "");
  assert.ok(lines.length <= 35, `${lines.length} lines`);
  const { stdout, stderr } = await run(process.execPath, ["--import", "tsx", walkThroughFile(context)], {
    cwd: PATHS.root,
    env: { ...process.env, LAUNCH_DRAFT_URL: server.url, NO_COLOR: "1" },
  });
  assert.equal(stderr, "");
  assert.match(stdout, /^\{\n( {2}'?[1-9A-HJ-NP-Za-km-z]{32,44}'?: null,?\n){2}\} hash as stated\n$/);
});

test("the client of the documents passes the type checker in its strict mode", async (context) => {
  const options =
    "--ignoreConfig --noEmit --strict --skipLibCheck --target es2022 --module nodenext --types node".split(
      " ",
    );
  const tsc = join(PATHS.root, "node_modules/typescript/bin/tsc");
  const checked = await run(process.execPath, [tsc, ...options, walkThroughFile(context)], {
    cwd: PATHS.root,
  }).catch((failed: { readonly stdout: string; readonly stderr: string }) => failed);
  assert.deepEqual([checked.stdout, checked.stderr], ["", ""]);
});
