import { builtProgram } from "./door.cjs";

/**
 * Loads one of the kit's programs: as it was built, or, where what was built is not of the sources at hand, from the sources.
 * Plain JavaScript, so that neither a process nor a thread that begins with it needs a loader for TypeScript.
 * @param {string} name of what was built
 * @param {string} source URL of what it is built from
 */
export async function loadProgram(name, source) {
  const built = builtProgram(name);
  if (built !== undefined) return import(built);
  return (await import("tsx/esm/api")).tsImport(source, import.meta.url);
}
