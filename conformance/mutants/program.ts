/** The programs that mutants are edits of, and modules made of their sources. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import type { ServiceModule } from "../adapters/in-process.ts";
import { kitNames, kitText } from "../engine/data/packed-files.ts";
import { PATHS } from "../paths.ts";
import type { ClientModule } from "./client-in-thread.ts";
import { type Token, tokensOf, withoutLayout } from "./tokens.ts";

/** The source of a program: file name to text. */
export type Sources = ReadonlyMap<string, string>;

/** A file of a program that edits are made to, with no more layout than its lines. */
export interface ProgramFile {
  readonly name: string;
  readonly text: string;
  readonly tokens: readonly Token[];
}

export type Program = readonly ProgramFile[];

/** Folder of the example client. */
export const EXAMPLE_FOLDER = join(PATHS.examples, "clients", "typescript");

/** The bundled reference, for edits. */
export function referenceProgram(): Program {
  return programOf(referenceSources());
}

/** The example client, for edits. */
export function exampleProgram(): Program {
  return programOf(sourcesIn(EXAMPLE_FOLDER));
}

/** The source of the bundled reference, without its tests. */
export function referenceSources(): Sources {
  return sourcesIn(PATHS.referenceSources);
}

function sourcesIn(folder: string): Sources {
  const names = kitNames(folder).filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"));
  return new Map(names.map((name) => [name, kitText(join(folder, name))]));
}

/** Prepares sources for edits. */
export function programOf(sources: Sources): Program {
  return [...sources].map(([name, source]) => {
    const text = withoutLayout(source);
    return { name, text, tokens: tokensOf(text) };
  });
}

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
