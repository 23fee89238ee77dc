/** Modules made of the sources of mutants. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import type { ServiceModule } from "../adapters/in-process.ts";
import { PATHS } from "../paths.ts";
import type { ClientModule } from "./client-in-thread.ts";
import type { Sources } from "./program.ts";

/** Makes a service of sources: see {@link moduleFromSources}. */
export function serviceFromSources(sources: Sources): Promise<ServiceModule> {
  return moduleFromSources(sources, "service.ts");
}

/** Makes a client of sources: see {@link moduleFromSources}. */
export function clientFromSources(sources: Sources): Promise<ClientModule> {
  return moduleFromSources(sources, "client.ts");
}

/** Below `node_modules`, so that a made module finds the packages that its sources use, and no tool finds the module. */
const FOLDER = join(PATHS.root, "node_modules", ".cache", "mutants");

let made = 0;

/**
 * Makes a module of sources and imports it: a new one each time, sharing nothing with any other but its packages.
 * @param entry name of the source that exports what the module exports
 * @throws where the sources do not compile, with esbuild's message, or the module throws while it loads
 */
async function moduleFromSources<Module>(sources: Sources, entry: string): Promise<Module> {
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
