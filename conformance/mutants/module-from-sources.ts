import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { PATHS } from "../paths.ts";
import type { Sources } from "./reference-program.ts";

/** Below `node_modules`, so that a made module finds the packages that its sources use, and nobody finds the module. */
const FOLDER = join(PATHS.root, "node_modules", ".cache", "mutants");

let made = 0;

/**
 * Makes a module of sources and imports it: afresh each time, sharing nothing with any other but its packages.
 * @param entry name of the source that exports what the module exports
 * @throws where the sources do not compile, with esbuild's message, or the module throws while it loads
 */
export async function moduleFromSources<Module>(sources: Sources, entry: string): Promise<Module> {
  const bundle = await build({
    entryPoints: [entry],
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    write: false,
    logLevel: "silent",
    plugins: [
      {
        name: "sources",
        setup({ onResolve, onLoad }) {
          onResolve({ filter: /.*/ }, ({ path }) =>
            path.endsWith(".ts")
              ? { path: path.replace(/^\.\//, ""), namespace: "sources" }
              : { path, external: true },
          );
          onLoad({ filter: /.*/, namespace: "sources" }, ({ path }) => {
            const contents = sources.get(path);
            return contents === undefined
              ? { errors: [{ text: `there is no file ${path}` }] }
              : { contents, loader: "ts" };
          });
        },
      },
    ],
  });
  mkdirSync(FOLDER, { recursive: true });
  made += 1;
  const file = join(FOLDER, `${process.pid}-${made}.mjs`);
  writeFileSync(file, bundle.outputFiles[0]?.text ?? "");
  try {
    return (await import(pathToFileURL(file).href)) as Module;
  } finally {
    rmSync(file);
  }
}
