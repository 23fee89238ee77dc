import { pathToFileURL } from "node:url";
import { tsImport } from "tsx/esm/api";
import { errorText } from "./text.ts";

/**
 * Imports a module of the user, in JavaScript or TypeScript.
 *
 * The module is passed as its own importer, because an import of `x.js` from a TypeScript file would load the
 * `x.ts` next to it. If a CommonJS module computes its exports, only its default export has them.
 * @param name name of a function that the module exports
 * @throws {Error} if the module cannot be loaded
 */
export async function loadModule<Module>(file: string, name: keyof Module & string): Promise<Module> {
  const url = pathToFileURL(file).href;
  const loaded = await tsImport(url, url).catch((error: unknown) => {
    // The first line of a compiler's message contains only the number of errors.
    const isCompilerError = error instanceof Error && error.name === "TransformError";
    const [, fault] = isCompilerError ? error.message.split("\n") : [];
    throw new Error(`${file} cannot be loaded: ${errorText(fault ?? error)}`);
  });
  return typeof loaded[name] === "function" ? loaded : (loaded.default ?? loaded);
}
