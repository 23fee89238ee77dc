import { statSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { tsImport } from "tsx/esm/api";
import { AdapterFault } from "./adapter.ts";
import type { ServiceModule } from "./in-process.ts";
import { oneLine, thrownLine } from "./one-line.ts";

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
  const url = pathToFileURL(resolve(file)).href;
  // Imported as if by itself: on an import from a TypeScript file, `x.js` would mean the `x.ts` beside it.
  const exported = await tsImport(url, url).catch((thrown: unknown) => {
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

/** The line of a load error that says most: with the place of a syntax error where there is one. */
function loadErrorLine(thrown: unknown): string {
  if (!(thrown instanceof Error)) return thrownLine(thrown);
  const [first = "", second] = thrown.message.split("\n");
  // The TypeScript compiler's first line only counts the errors; its second has file, line and message.
  if (thrown.name === "TransformError" && second !== undefined) return oneLine(second);
  return oneLine(first || thrown.name);
}
