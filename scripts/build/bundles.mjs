/** What esbuild makes: the programs, and the code that checks values against schemas. */
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { Ajv2020 } from "ajv/dist/2020.js";
import standaloneCode from "ajv/dist/standalone/index.js";
import { build } from "esbuild";

/** Prepares the data; is no part of what is built. */
export const PREPARING = "prepare-data.js";

/** What each program is made of. */
export const PROGRAMS = {
  cli: "legacy/cli.ts",
  index: "legacy/index.ts",
  "node-test": "legacy/node-test.ts",
  "run-thread-host": "legacy/cli/run-thread-host.ts",
  "module-process-host": "legacy/adapters/module-process-host.ts",
  "module-client-host": "legacy/client-doors/module-client-host.ts",
  "example-client": "legacy/examples/clients/typescript/client.ts",
  "reference-service": "reference/service.ts",
  "reference-golden-service": "reference/golden-service.ts",
  "reference-serve": "reference/serve.ts",
  "prepare-data": "scripts/build/prepare-data.ts",
};

/** Programs that are started by a file of another name, as they are from the sources. */
export const ENTRIES = {
  "run-thread-entry.mjs": "run-thread-host.js",
  "module-process-entry.mjs": "module-process-host.js",
  "module-client-entry.mjs": "module-client-host.js",
};

/** How all of it is built. */
export const COMMON = { bundle: true, platform: "node", target: "node20", logLevel: "warning" };

/** Packages of CommonJS ask for Node's own modules by this name. */
const REQUIRE =
  'import { createRequire as requireFrom } from "node:module"; const require = requireFrom(import.meta.url);';

/**
 * Bundles the programs into a folder.
 * @returns the files of the project that they are made of
 */
export async function bundlePrograms(root, folder) {
  const common = {
    ...COMMON,
    absWorkingDir: root,
    outdir: folder,
    sourcemap: true,
    sourcesContent: false,
    metafile: true,
    // Both look for files of their own.
    external: ["tsx", "esbuild"],
    plugins: [compiledSchemas],
  };
  const { metafile } = await build({
    ...common,
    entryPoints: PROGRAMS,
    chunkNames: "part-[hash]",
    format: "esm",
    splitting: true,
    banner: { js: REQUIRE },
  });
  return Object.keys(metafile.inputs)
    .map((name) => name.replace(/^[\w-]+:/, ""))
    .filter((name) => !name.split("/").includes("node_modules") && !name.startsWith("<"));
}

/** Compiles the schemas that are part of the sources, so that no program loads a compiler for them. */
export const compiledSchemas = {
  name: "compiled-schemas",
  setup({ onLoad }) {
    onLoad({ filter: /implementation-info-validators\.ts$/ }, async ({ path }) => ({
      contents: await standaloneModule(path),
      loader: "js",
      resolveDir: dirname(path),
    }));
  },
};

/** The code of the validators that are beside a file of schemas. */
async function standaloneModule(path) {
  const { outputFiles } = await build({
    ...COMMON,
    entryPoints: [path.replace("-validators.ts", ".schema.ts")],
    format: "esm",
    write: false,
  });
  const code = Buffer.from(outputFiles[0].contents).toString("base64");
  const { factsSchema, implementationInfoSchema, schemaOptions } = await import(
    `data:text/javascript;base64,${code}`
  );
  const ajv = new Ajv2020({ ...schemaOptions, code: { source: true, esm: true } });
  ajv.addSchema(implementationInfoSchema, "isStated").addSchema(factsSchema, "isFacts");
  return standaloneCode.default(ajv, { isStated: "isStated", isFacts: "isFacts" });
}

/** Bundles modules of CommonJS with what they ask for, each in its place. */
export async function bundleValidators(files) {
  await build({
    ...COMMON,
    entryPoints: files,
    outdir: dirname(files[0]),
    outExtension: { ".js": ".cjs" },
    format: "cjs",
    allowOverwrite: true,
    // Wherever they lie.
    nodePaths: [fileURLToPath(new URL("../../node_modules", import.meta.url))],
  });
}
