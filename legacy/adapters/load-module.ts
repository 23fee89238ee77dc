import { statSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { AdapterFault } from "./adapter.ts";
import type { ServiceModule } from "./in-process.ts";
import { oneLine, thrownLine } from "./one-line.ts";
import { isPlainJavaScript } from "./plain-javascript.ts";

/**
 * Imports an implementation's module, JavaScript or TypeScript, whichever way the kit itself was started.
 *
 * @param file its path, relative to the working directory or absolute
 * @throws {AdapterFault} fatal, one line beginning with the path: no such file, an error while it loads, or no
 *   `createService` function among its exports (adapter protocol, "In process")
 */
export async function loadModule(file: string): Promise<ServiceModule> {
  const shownFile = oneLine(file);
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) {
    throw new AdapterFault(`${shownFile}: no such file`, { fatal: true });
  }
  const exported = await importFile(resolve(file)).catch((thrown: unknown) => {
    throw new AdapterFault(`${shownFile} cannot be loaded: ${loadErrorLine(thrown)}`, { fatal: true });
  });
  // A CommonJS module whose exports are computed shows them only as its default export.
  for (const candidate of [exported, exported?.default]) {
    if (typeof candidate?.createService === "function") return candidate;
  }
  const names = Object.keys(exported).sort();
  const found =
    exported.createService === undefined
      ? "exports no createService"
      : "exports a createService that is no function";
  throw new AdapterFault(
    `${shownFile} ${found}; it exports: ${names.length === 0 ? "nothing" : oneLine(names.join(", "))}`,
    { fatal: true },
  );
}

/** Whether the kit itself is run by a loader: then another is no dearer, and an import of its own would go through it. */
const BY_LOADER = new URL(import.meta.url).pathname.endsWith(".ts");

/** Imports a file by Node alone where that will do: a loader for TypeScript takes as long to start as a run of some vectors. */
export async function importFile(path: string) {
  const url = pathToFileURL(path).href;
  if (!BY_LOADER && isPlainJavaScript(path)) {
    try {
      return await import(url);
    } catch (thrown) {
      if (!isLoaderError(thrown)) throw thrown;
    }
  }
  const { tsImport } = await import("tsx/esm/api");
  // Imported as if by itself: on an import from a TypeScript file, `x.js` would mean the `x.ts` beside it.
  return tsImport(url, url);
}

/** Whether Node found that it cannot load something, which a loader may, or else says more clearly. */
function isLoaderError(thrown: unknown): boolean {
  const { code } = (thrown ?? {}) as { readonly code?: unknown };
  return (
    thrown instanceof SyntaxError || (typeof code === "string" && /^(?:ERR_|MODULE_NOT_FOUND$)/.test(code))
  );
}

/** The line of a load error that says most: with the place of a syntax error where there is one. */
export function loadErrorLine(thrown: unknown): string {
  if (!(thrown instanceof Error)) return thrownLine(thrown);
  const [first = "", second] = thrown.message.split("\n");
  // The TypeScript compiler's first line only counts the errors; its second has file, line and message.
  if (thrown.name === "TransformError" && second !== undefined) return oneLine(second);
  return oneLine(first || thrown.name);
}
