/**
 * The way to the kit's programs: as they were built, or, where what was built is not of the sources at hand (in a
 * checkout, after an edit or a switch of branches) or not whole, from the sources. A package holds no sources, and programs
 * that find their packages beside it. CommonJS, which every door can load.
 */
const { createHash } = require("node:crypto");
const { existsSync, readFileSync } = require("node:fs");
const { pathToFileURL } = require("node:url");

/** Says what was built, and of which sources. */
const MANIFEST = "manifest.json";

const ROOT = new URL("../", pathToFileURL(__filename));

/** One digest over files, their names included; undefined where one cannot be read. */
function digestOfFiles(folder, names) {
  const hash = createHash("sha256");
  try {
    for (const name of names) {
      const bytes = readFileSync(new URL(name, folder));
      hash.update(`${name}\n${bytes.length}\n`).update(bytes);
    }
  } catch {
    return undefined;
  }
  return hash.digest("hex");
}

/** The URL of a built program; undefined where the sources are to be run in its place. */
function builtProgram(name, root = ROOT) {
  const dist = new URL("dist/", root);
  if (!existsSync(new URL("legacy/cli.ts", root))) return new URL(`lib/${name}`, dist).href;
  const manifest = manifestIn(dist);
  if (manifest === undefined || !manifest.programs.includes(name)) return undefined;
  if (digestOfFiles(dist, manifest.programs) !== manifest.digest) return undefined;
  if (digestOfFiles(root, manifest.sources) !== manifest.digestOfSources) return undefined;
  return new URL(name, dist).href;
}

function manifestIn(dist) {
  try {
    const manifest = JSON.parse(readFileSync(new URL(MANIFEST, dist), "utf8"));
    return Array.isArray(manifest.programs) && Array.isArray(manifest.sources) ? manifest : undefined;
  } catch {
    return undefined;
  }
}

module.exports = { MANIFEST, builtProgram, digestOfFiles };
