import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { thrownLine } from "../adapters/one-line.ts";
import { isPlainJavaScript } from "../adapters/plain-javascript.ts";
import { PATHS } from "../paths.ts";
import { UsageError } from "./usage-error.ts";

/**
 * A reporter for node:test from a package or a file (`./mine.mjs`), looked for from the working directory, then, where
 * it is a package, from the kit.
 * @returns what the module exports by default; undefined where there is no such module
 * @throws {UsageError} where it cannot be loaded, or has nothing that could be a reporter
 */
export async function loadEventReporter(name: string): Promise<unknown> {
  const isPath = /^(?:\.{0,2}\/|file:)/.test(name);
  for (const folder of isPath ? [process.cwd()] : [process.cwd(), PATHS.root]) {
    const exported = await importFrom(name, folder);
    if (exported === undefined) continue;
    // A CommonJS module that was compiled from an ES module has its default export below its own.
    const reporter = [exported.default?.default, exported.default, exported].find(isReporter);
    if (reporter === undefined)
      throw new UsageError(`--reporter ${name}: its default export is not a reporter for node:test`);
    return reporter;
  }
  return undefined;
}

async function importFrom(name: string, folder: string) {
  try {
    const plain = plainFile(name, folder);
    if (plain !== undefined) return await import(pathToFileURL(plain).href);
    const { tsImport } = await import("tsx/esm/api");
    return await tsImport(name, pathToFileURL(`${folder}/`).href);
  } catch (thrown) {
    if (isMissing(thrown, name)) return undefined;
    throw new UsageError(`--reporter ${name} cannot be loaded: ${thrownLine(thrown)}`);
  }
}

/** The file of a module that needs no loader; undefined in doubt, and where there is none. */
function plainFile(name: string, folder: string): string | undefined {
  try {
    const path = createRequire(join(folder, "any.js")).resolve(name);
    return isPlainJavaScript(path) ? path : undefined;
  } catch {
    return undefined;
  }
}

/** Whether it is the reporter itself that is missing, not something that it imports. */
function isMissing(thrown: unknown, name: string): boolean {
  const { code, message } = thrown as { readonly code?: unknown; readonly message?: unknown };
  const missing = code === "ERR_MODULE_NOT_FOUND" || code === "MODULE_NOT_FOUND";
  return missing && /'([^']*)'/.exec(String(message))?.[1]?.endsWith(name.replace(/^[./]+/, "")) === true;
}

/** A function (of a generator, or a class) or a transform stream. */
function isReporter(value: unknown): boolean {
  return (
    typeof value === "function" ||
    typeof (value as { readonly _transform?: unknown } | undefined)?._transform === "function"
  );
}
