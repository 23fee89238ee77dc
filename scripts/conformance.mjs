// Runs the kit of the checkout: npm run conformance -- ARG…
// It bundles the code, since bundled code starts in half the time, and keeps it in node_modules/.cache under a digest of
// its sources. Deleting this cache is always safe. To debug: node --import tsx/esm conformance/main.ts ARG…
import { spawnSync } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

/** How long code is kept, in ms. A process may still load parts of code that is not current. */
const KEPT_MS = 24 * 3_600_000;

const root = fileURLToPath(new URL("..", import.meta.url));
const digest = digestOfSources();
const folder = join(root, "node_modules/.cache/launch-draft-conformance/code", digest);
if (existsSync(folder) || bundle()) {
  await import(pathToFileURL(join(folder, "lib/kit/cli.js")).href);
} else {
  const { register } = await import("tsx/esm/api");
  register();
  await import("../conformance/main.ts");
}

/** Bundles the code. Returns whether the cache has it. It may be impossible to write files there. */
function bundle() {
  const unfinished = `${folder}-${randomUUID()}`;
  try {
    mkdirSync(dirname(folder), { recursive: true });
    removeOld(dirname(folder));
    const words = ["--import", "tsx/esm", join(root, "scripts/bundle.ts"), unfinished];
    const { status } = spawnSync(process.execPath, words, { stdio: ["ignore", "ignore", "inherit"] });
    // A source that changed in the meantime may have been read before or after its change.
    if (status === 0 && digestOfSources() === digest) renameSync(unfinished, folder);
    else rmSync(unfinished, { recursive: true, force: true });
  } catch {
    // Another process may have added the same code.
  }
  return existsSync(folder);
}

function removeOld(parent) {
  for (const path of readdirSync(parent).map((name) => join(parent, name)))
    if (statSync(path).mtimeMs < Date.now() - KEPT_MS) rmSync(path, { recursive: true, force: true });
}

/** Returns a digest of all files that determine the code. */
function digestOfSources() {
  const hash = createHash("sha256").update(root);
  const files = ["conformance", "reference"].flatMap((name) =>
    readdirSync(join(root, name), { recursive: true }).map((file) => join(name, file)),
  );
  const sources = files.filter((file) => /^(?!.*(?:\.test|mutants\/.*)\.ts$).*\.ts$/.test(file)).sort();
  for (const file of [...sources, "package-lock.json", "scripts/bundle.ts"]) {
    const text = readFileSync(join(root, file));
    hash.update(`${file} ${text.length} `).update(text);
  }
  return hash.digest("hex").slice(0, 32);
}
