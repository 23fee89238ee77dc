import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import type { ServiceModule } from "../adapters/in-process.ts";
import { PATHS } from "../paths.ts";
import type { Sources } from "./reference-program.ts";

/** Below `node_modules`, so that a made module finds the packages that the reference uses, and nobody finds the module. */
const FOLDER = join(PATHS.root, "node_modules", ".cache", "mutants");

const ENTRY = "service.ts";
let made = 0;

/**
 * Makes a module of sources and imports it: afresh each time, sharing nothing with any other but its packages.
 * @throws where the sources do not compile, with esbuild's message, or the module throws while it loads
 */
export async function serviceFromSources(sources: Sources): Promise<ServiceModule> {
  const bundle = await build({
    entryPoints: [ENTRY],
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
    return (await import(pathToFileURL(file).href)) as ServiceModule;
  } finally {
    rmSync(file);
  }
}
