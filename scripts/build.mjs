// Builds the kit into dist/: its programs as bundles, and all that can be prepared of its data. What is there already stays
// in use until all is made, so that whatever runs meanwhile, or when this is cut short, is whole: see bin/door.mjs.
// Usage: build.mjs
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { digestOfFiles, MANIFEST } from "../bin/door.mjs";
import { bundlePrograms, bundleValidators, ENTRIES, PREPARING } from "./build/bundles.mjs";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const DIST = join(ROOT, "dist");
/** Files that programs read from beside themselves. */
const ASSET_FOLDER = "conformance/reports/html";
const ASSETS = filesIn(join(ROOT, ASSET_FOLDER)).filter((name) => /\.css$|^page-script\.js$/.test(name));
/** What decides besides the bundled sources what is built. */
const BESIDES = [
  ...ASSETS.map((name) => `${ASSET_FOLDER}/${name}`),
  "package-lock.json",
  "tsconfig.json",
  "scripts/build.mjs",
  "scripts/build/bundles.mjs",
];

const startedAt = Date.now();
// As deep below the root as dist, so that what is built finds its way from either.
const folder = mkdtempSync(join(ROOT, "dist-"));
try {
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
  const all = [...new Set([...sources, ...BESIDES])].sort();
  const edited = all.find((name) => statSync(join(ROOT, name)).mtimeMs > startedAt);
  if (edited === undefined) {
    writeManifest(all);
    install();
  } else {
    process.stderr.write(`${edited} was edited meanwhile: build again\n`);
    process.exitCode = 1;
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function writeManifest(sources) {
  const programs = filesIn(folder).filter((name) => !name.endsWith(".map") && !name.startsWith("prepared/"));
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
function install() {
  const files = filesIn(folder).filter((name) => name !== MANIFEST);
  const keep = new Set([...files, MANIFEST, ...programsOf(join(DIST, MANIFEST))]);
  for (const name of [...files, MANIFEST]) {
    mkdirSync(dirname(join(DIST, name)), { recursive: true });
    renameSync(join(folder, name), join(DIST, name));
  }
  for (const name of filesIn(DIST)) if (!keep.has(name)) rmSync(join(DIST, name));
}

/** The programs that a build has left; none where there was none, or a broken one. */
function programsOf(manifest) {
  try {
    return JSON.parse(readFileSync(manifest, "utf8")).programs ?? [];
  } catch {
    return [];
  }
}

/** The files below a folder, by their paths from it. */
function filesIn(folder) {
  if (!existsSync(folder)) return [];
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return files.map(({ parentPath, path, name }) => relative(folder, join(parentPath ?? path, name)));
}
