import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { test } from "node:test";
import { PATHS } from "../../legacy/paths.ts";

interface Bundles {
  readonly ENTRIES: Readonly<Record<string, string>>;
}
const bundles: Bundles = await import(new URL("bundles.mjs", import.meta.url).href);

test("every file that a thread or a process of the kit is started by is built", () => {
  const files = readdirSync(join(PATHS.root, "legacy"), { recursive: true }).map(String);
  const entries = files.filter((file) => file.endsWith("-entry.mjs") && !file.startsWith("testing"));
  assert.deepEqual(Object.keys(bundles.ENTRIES).sort(), entries.map((file) => basename(file)).sort());
});
