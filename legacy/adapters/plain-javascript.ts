import { existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import { createRequire, isBuiltin } from "node:module";
import { dirname, extname, resolve, sep } from "node:path";

/** What Node runs by itself. */
const JAVASCRIPT = [".js", ".mjs", ".cjs"];
/** More files than this are not looked through: a loader costs less. */
const MOST_FILES = 200;

/** `from "x"` and `import "x"`. */
const STATED = /(?<![\w$.])(?:from|import)\s*(["'])((?:(?!\1)[^\\\n])*)\1/g;
/** `import("x")` and `require("x")`; without the name where it is anything but a text. */
const CALLED = /(?<![\w$])(?:import|require)\s*\(\s*(?:(["'])((?:(?!\1)[^\\\n])*)\1\s*[,)])?/g;
/** A text that names a file which needs a loader, wherever it stands. */
const LOADED = /\.(?:[cm]?ts|[jt]sx)["'`]/;

/** What the text of a module imports, by the names that stand there; undefined for one that is computed. */
export function importsIn(text: string): readonly (string | undefined)[] {
  return [STATED, CALLED].flatMap((form) => [...text.matchAll(form)].map(([, , name]) => name));
}

/**
 * Whether Node runs a module, and all that it may import, as it stands: plain JavaScript, every file named in full. In
 * doubt it does not, since a loader runs anything; packages of others are taken for JavaScript.
 * @param file an absolute path
 */
export function isPlainJavaScript(file: string): boolean {
  const seen = new Set<string>();
  const isPlain = (path: string): boolean => {
    if (seen.has(path)) return true;
    seen.add(path);
    if (seen.size > MOST_FILES || !JAVASCRIPT.includes(extname(path)) || !isFile(path)) return false;
    if (isOfPackage(path)) return true;
    const text = readFileSync(path, "utf8");
    if (LOADED.test(text)) return false;
    return importsIn(text).every((name) => name !== undefined && isPlainImport(name, path));
  };
  const isPlainImport = (name: string, from: string): boolean => {
    if (isBuiltin(name)) return true;
    if (/^\.{0,2}\//.test(name)) return isPlain(resolve(dirname(from), name));
    return !/^(?:#|\w+:)/.test(name) && isPackage(name, dirname(from));
  };
  return isPlain(file);
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

/** Whether a file is part of a package that was installed, rather than of what the user writes. */
function isOfPackage(path: string): boolean {
  return realpathSync(path).split(sep).includes("node_modules");
}

/** Whether a package of that name is installed where a module of this folder looks for it. */
function isPackage(name: string, folder: string): boolean {
  const [scope = "", rest] = name.split("/");
  const own = scope.startsWith("@") ? `${scope}/${rest}` : scope;
  const folders = createRequire(resolve(folder, "any.js")).resolve.paths(name) ?? [];
  const found = folders.map((one) => resolve(one, own)).find((one) => existsSync(one));
  return found !== undefined && isOfPackage(found);
}
