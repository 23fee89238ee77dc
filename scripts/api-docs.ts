/** Writes the reference of the library, from the comments in the sources, into reports/api. Usage: api-docs.ts */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { programIn } from "./program-in.ts";

const folder = fileURLToPath(new URL("api-docs", import.meta.url));
const words = ["--options", `${folder}/typedoc.json`, "--logLevel", "Warn"];
const { status } = spawnSync(programIn(folder, "typedoc"), words, { stdio: "inherit" });
process.exitCode = status ?? 1;
