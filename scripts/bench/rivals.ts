import { fileURLToPath } from "node:url";
import { programIn } from "../program-in.ts";

/** Where the runners that the kit is measured beside are installed; the project itself has none of them. */
const FOLDER = fileURLToPath(new URL("rivals", import.meta.url));

/**
 * The program of a package, installed by its lock file where it is not there yet.
 * @throws {Error} one line, where it cannot be had
 */
export function rival(name: string): string {
  return programIn(FOLDER, name);
}
