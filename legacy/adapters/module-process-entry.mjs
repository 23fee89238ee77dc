// The first file of a module's process.
import { loadProgram } from "../../bin/load-program.mjs";

await loadProgram("module-process-host.js", new URL("./module-process-host.ts", import.meta.url).href);
