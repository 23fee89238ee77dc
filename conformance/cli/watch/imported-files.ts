import { readFileSync, statSync } from "node:fs";
import { dirname, extname, resolve } from "node:path";
import { importsIn } from "../../adapters/plain-javascript.ts";

/** Ends of files of code. */
export const CODE = [".ts", ".mts", ".cts", ".tsx", ".js", ".mjs", ".cjs", ".jsx"];
/** What TypeScript takes an import of compiled code for. */
const SOURCE_OF: Readonly<Record<string, string>> = {
  ".js": ".ts",
  ".mjs": ".mts",
  ".cjs": ".cts",
  ".jsx": ".tsx",
};

/**
 * A module and every file that it reaches by relative imports, absolute paths. Read as text rather than parsed, so that
 * what is half written still has its imports.
 */
export function importedFiles(file: string): readonly string[] {
  const found = new Set<string>();
  const add = (path: string) => {
    if (found.has(path)) return;
    found.add(path);
    if (!CODE.includes(extname(path))) return;
    for (const name of importsIn(textOf(path))) {
      const imported =
        name !== undefined && /^\.{0,2}\//.test(name) ? fileOf(resolve(dirname(path), name)) : undefined;
      if (imported !== undefined) add(imported);
    }
  };
  add(resolve(file));
  return [...found];
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    // It is being written anew, or is not there yet.
    return "";
  }
}

/** The file that an import means, as Node and the loader for TypeScript find it. */
function fileOf(path: string): string | undefined {
  const end = extname(path);
  const source = SOURCE_OF[end];
  const candidates = [
    path,
    ...(source === undefined ? [] : [path.slice(0, -end.length) + source]),
    ...CODE.map((other) => path + other),
    ...CODE.map((other) => resolve(path, `index${other}`)),
  ];
  return candidates.find((one) => statSync(one, { throwIfNoEntry: false })?.isFile());
}
