import { pathToFileURL } from "node:url";
import { tsImport } from "tsx/esm/api";
import { errorText } from "./text.ts";

/**
 * Imports a module of the user, in JavaScript or TypeScript.
 *
 * The module is its own parent: on an import from a TypeScript file, `x.js` would mean the `x.ts` next to it.
 * A CommonJS module whose exports are computed shows them only as its default export.
 * @param name name of the function that it exports
 * @throws {Error} if it cannot be loaded
 */
export async function loadModule<Module>(file: string, name: keyof Module & string): Promise<Module> {
  const url = pathToFileURL(file).href;
  const loaded = await tsImport(url, url).catch((error: unknown) => {
    // The first line of a compiler's message only counts the errors.
    const isCompilerError = error instanceof Error && error.name === "TransformError";
    const [, fault] = isCompilerError ? error.message.split("\n") : [];
    throw new Error(`${file} cannot be loaded: ${errorText(fault ?? error)}`);
  });
  return typeof loaded[name] === "function" ? loaded : (loaded.default ?? loaded);
}
