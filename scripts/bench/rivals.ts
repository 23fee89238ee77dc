import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** Where the runners that the kit is measured beside are installed; the project itself has none of them. */
const FOLDER = fileURLToPath(new URL("rivals", import.meta.url));

/**
 * The program of a package, installed by its lock file where it is not there yet.
 * @throws {Error} one line, where it cannot be had
 */
export function rival(name: string): string {
  const program = join(FOLDER, "node_modules", ".bin", name);
  if (existsSync(program)) return program;
  try {
    // As the lock file says, and what it leaves out: programs of other platforms are in no lock file without addresses.
    execFileSync("npm", ["install", "--no-save", "--silent", "--no-audit", "--no-fund"], {
      cwd: FOLDER,
      stdio: "ignore",
    });
  } catch {
    throw new Error(`the runners to measure beside cannot be installed: npm install in ${FOLDER} failed`);
  }
  if (!existsSync(program)) throw new Error(`${name} is not among the packages of ${FOLDER}`);
  return program;
}
