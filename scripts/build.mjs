// Builds the kit into dist/: its programs as bundles, all that can be prepared of its data, and what the package ships. What is there already stays
// in use until all is made, so that whatever runs meanwhile, or when this is cut short, is whole: see bin/door.cjs.
// Usage: build.mjs
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { digestOfFiles, MANIFEST } from "../bin/door.cjs";
import { bundlePrograms, bundleValidators, ENTRIES, PREPARING } from "./build/bundles.mjs";
import { filesIn } from "./build/files-in.mjs";
import { buildPackage } from "./build/package.mjs";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const DIST = join(ROOT, "dist");
/** Files that programs read from beside themselves. */
const ASSET_FOLDER = "legacy/reports/html";
const ASSETS = filesIn(join(ROOT, ASSET_FOLDER)).filter((name) => /\.css$|^page-script\.js$/.test(name));
/** What decides besides the bundled sources what is built. */
const BESIDES = [
  ...ASSETS.map((name) => `${ASSET_FOLDER}/${name}`),
  "package-lock.json",
  "tsconfig.json",
  "scripts/build.mjs",
  "scripts/build/bundles.mjs",
  "scripts/build/files-in.mjs",
  "scripts/build/package.mjs",
  "scripts/build/thin-map.mjs",
];

/** Where the sources are, and more. */
const SOURCE_FOLDERS = ["legacy", "reference", "scripts/build"];
const HOUR_MS = 3_600_000;

try {
  await main();
} catch (error) {
  // What esbuild has to say it has said.
  if (!Array.isArray(error.errors)) process.stderr.write(`nothing was built: ${error.message}\n`);
  process.exitCode = 1;
}

async function main() {
  for (const name of abandoned()) rmSync(join(ROOT, name), { recursive: true, force: true });
  // As deep below the root as dist, so that what is built finds its way from either.
  const folder = mkdtempSync(join(ROOT, "dist-"));
  try {
    await build(folder);
    install(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Builds all into a folder. @throws where a source is edited meanwhile */
async function build(folder) {
  const before = digests();
  const sources = await bundlePrograms(ROOT, folder);
  const preparing = join(folder, PREPARING);
  const { prepareData } = await import(pathToFileURL(preparing).href);
  await prepareData(join(folder, "prepared"), bundleValidators);
  for (const name of [preparing, `${preparing}.map`]) rmSync(name);
  for (const [name, program] of Object.entries(ENTRIES)) {
    writeFileSync(join(folder, name), `import "./${program}";\n`);
  }
  for (const name of ASSETS) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    copyFileSync(join(ROOT, ASSET_FOLDER, name), join(folder, name));
  }
  const assets = Object.fromEntries(ASSETS.map((name) => [name, join(ROOT, ASSET_FOLDER, name)]));
  sources.push(...(await buildPackage(ROOT, folder, assets)));
  const all = [...new Set([...sources, ...BESIDES])].sort();
  writeManifest(folder, all);
  const after = digests();
  const edited = all.find((name) => before.get(name) !== after.get(name));
  if (edited !== undefined) throw new Error(`${edited} was edited meanwhile`);
}

/** A digest of each file that may be a source. */
function digests() {
  const names = SOURCE_FOLDERS.flatMap((name) => filesIn(join(ROOT, name)).map((file) => `${name}/${file}`));
  return new Map([...names, ...BESIDES].map((name) => [name, digestOfFiles(pathToFileURL(ROOT), [name])]));
}

function writeManifest(folder, sources) {
  const programs = filesIn(folder).filter(
    (name) => !name.endsWith(".map") && !/^(?:prepared|lib)\//.test(name),
  );
  const manifest = {
    programs,
    digest: digestOfFiles(pathToFileURL(`${folder}/`), programs),
    sources,
    digestOfSources: digestOfFiles(pathToFileURL(ROOT), sources),
  };
  writeFileSync(join(folder, MANIFEST), JSON.stringify(manifest));
}

/**
 * Puts each file in its place at once, the manifest last. Parts have the digest of what is in them in their names: those of
 * the build before stay, for what is running, and go with the next.
 */
function install(folder) {
  const files = filesIn(folder).filter((name) => name !== MANIFEST);
  const keep = new Set([...files, MANIFEST, ...programsOf(join(DIST, MANIFEST))]);
  for (const name of [...files, MANIFEST]) {
    mkdirSync(dirname(join(DIST, name)), { recursive: true });
    renameSync(join(folder, name), join(DIST, name));
  }
  for (const name of filesIn(DIST)) if (!keep.has(name)) rmSync(join(DIST, name));
}

/** Folders of builds that were cut short: none takes an hour. */
function abandoned() {
  const made = readdirSync(ROOT).filter((name) => name.startsWith("dist-"));
  return made.filter((name) => statSync(join(ROOT, name)).mtimeMs < Date.now() - HOUR_MS);
}

/** The programs that a build has left; none where there was none, or a broken one. */
function programsOf(manifest) {
  try {
    return JSON.parse(readFileSync(manifest, "utf8")).programs ?? [];
  } catch {
    return [];
  }
}
