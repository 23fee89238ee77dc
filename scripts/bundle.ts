/**
 * Bundles the code of the kit and of the reference.
 * Usage: bundle.ts FOLDER: bundles the code of the checkout, for `conformance.mjs`
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build, type OnLoadArgs, type OnLoadResult } from "esbuild";
import { ROOT } from "../conformance/data/kit-files.ts";

/** Entry points of the kit, by their names in `lib/kit`. */
export const KIT = {
  cli: "conformance/main.ts",
  index: "conformance/index.ts",
  "node-test": "conformance/node-test.ts",
  "module-host": "conformance/adapters/module-host.ts",
  worker: "conformance/run/worker.ts",
  "client-host": "conformance/clients/adapters/client-host.ts",
};
/** Entry points of the reference, by their names in `reference`. */
export const REFERENCE = {
  service: "reference/service.ts",
  "golden-service": "reference/golden-service.ts",
  serve: "reference/serve.ts",
};
/** Defines `require`, which bundled CommonJS packages call for modules of Node. */
const REQUIRE =
  'import { createRequire as $createRequire } from "node:module"; ' +
  "const require = $createRequire(import.meta.url);";

export interface Manifest extends Readonly<Record<string, unknown>> {
  readonly dependencies: Readonly<Record<string, string>>;
}

export const MANIFEST: Manifest = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));

/** @param define expressions that are replaced in the code */
export async function bundle(
  entryPoints: Record<string, string>,
  outdir: string,
  define: Record<string, string> = {},
) {
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints,
    outdir,
    bundle: true,
    splitting: true,
    chunkNames: "chunk-[hash]",
    format: "esm",
    platform: "node",
    target: "node20",
    external: Object.keys(MANIFEST.dependencies),
    define,
    metafile: true,
    logLevel: "warning",
    banner: { js: REQUIRE },
    plugins: [
      { name: "lazy packages", setup: ({ onLoad }) => onLoad({ filter: OWN_SOURCE }, withoutRequire) },
    ],
  });
  return metafile;
}

const OWN_SOURCE = /\/conformance\/.*\.ts$/;

/**
 * Removes the definition of `require` from a source that loads a package when it needs it. The bundler then
 * finds the package, and bundles it or makes it a dependency.
 */
function withoutRequire({ path }: OnLoadArgs): OnLoadResult {
  const text = readFileSync(path, "utf8");
  return { contents: text.replace("const require = createRequire(import.meta.url);\n", ""), loader: "ts" };
}

/** Bundles the code of the checkout, which uses the data files of the checkout. */
async function bundleCheckout(folder: string): Promise<void> {
  const define = { "import.meta.dirname": JSON.stringify(join(ROOT, "conformance/data")) };
  const { index: _, "node-test": __, ...kit } = KIT;
  await bundle(kit, join(folder, "lib/kit"), define);
  await bundle(REFERENCE, join(folder, "reference"), define);
}

const [, script = "", folder] = process.argv;
if (folder !== undefined && import.meta.url === pathToFileURL(script).href) await bundleCheckout(folder);
