import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { require as requireModule } from "tsx/cjs/api";
import { tsImport } from "tsx/esm/api";
import { isObject, parseJson } from "../data/json.ts";
import { errorText } from "../data/text.ts";

/**
 * Imports a module of the user, in JavaScript or TypeScript.
 *
 * The module is passed as its own importer, because an import of `x.js` from a TypeScript file would load the
 * `x.ts` next to it. If a CommonJS module computes its exports, only its default export has them.
 * @param name name of a function that the module exports
 * @throws {Error} if the module cannot be loaded
 */
export async function loadModule<Module>(file: string, name: keyof Module & string): Promise<Module> {
  try {
    const loaded = await (isCommonJs(file) ? loadCommonJs(file) : importModule(file));
    // The default export of a CommonJS module is the whole object that it exports.
    return typeof loaded.default?.[name] === "function" ? loaded.default : loaded;
  } catch (error) {
    // The first line of a compiler's message contains only the number of errors.
    const [, fault] = isCompilerError(error) ? error.message.split("\n") : [];
    const text = errorText(fault ?? error);
    const cure = /top-level await/i.test(text) ? `; ${cureOf(file)}` : "";
    throw new Error(`${file} cannot be loaded: ${text}${cure}`);
  }
}

/** Says how to make a file an ES module. */
function cureOf(file: string): string {
  const rename = `rename the file to ${file.endsWith("ts") ? ".mts" : ".mjs"}`;
  return /\.c[jt]s$/.test(file) ? rename : `add "type": "module" to package.json, or ${rename}`;
}

const importModule = (file: string) => tsImport(pathToFileURL(file).href, pathToFileURL(file).href);

/** Loads a CommonJS module. `tsImport` could also load it, but its stack frames would then have no lines. */
async function loadCommonJs(file: string) {
  try {
    return requireModule(file, file);
  } catch (error) {
    // A module that it imports may be an ES module that `require` cannot load.
    const isOther = isCompilerError(error) || /^ERR_REQUIRE_/.test((error as { code?: string })?.code ?? "");
    if (!isOther) throw error;
    return importModule(file);
  }
}

function isCompilerError(error: unknown): error is Error {
  return error instanceof Error && error.name === "TransformError";
}

/** Returns whether Node.js loads a file as CommonJS (Node.js documentation, "Determining module system"). */
function isCommonJs(file: string): boolean {
  if (/\.[cm][jt]s$/.test(file)) return /\.c[jt]s$/.test(file);
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    try {
      const manifest = parseJson(readFileSync(join(folder, "package.json"), "utf8"));
      return !isObject(manifest) || manifest["type"] !== "module";
    } catch {
      if (folder === dirname(folder)) return true;
    }
  }
}
