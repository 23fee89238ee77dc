/** Writes the files that are made of the table of options (`legacy/cli/options.ts`). */
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PATHS } from "../legacy/paths.ts";
import { actionText, configSchema } from "./options/option-files.ts";

const action = join(PATHS.root, "action.yml");
writeFileSync(PATHS.configSchema, configSchema());
writeFileSync(action, actionText(readFileSync(action, "utf8")));
spawnSync("npx", ["biome", "format", "--write", PATHS.configSchema], { cwd: PATHS.root });
