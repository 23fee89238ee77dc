import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";

/**
 * The program of a package that the project itself does not have, installed by the lock file of a folder where it is not
 * there yet.
 * @throws {Error} one line, where it cannot be had
 */
export function programIn(folder: string, name: string): string {
  const program = join(folder, "node_modules", ".bin", name);
  if (existsSync(program)) return program;
  try {
    // As the lock file says, and what it leaves out: programs of other platforms are in no lock file without addresses.
    execFileSync("npm", ["install", "--no-save", "--silent", "--no-audit", "--no-fund"], {
      cwd: folder,
      stdio: "ignore",
    });
  } catch {
    throw new Error(`${name} cannot be installed: npm install in ${folder} failed`);
  }
  if (!existsSync(program)) throw new Error(`${name} is not among the packages of ${folder}`);
  return program;
}
