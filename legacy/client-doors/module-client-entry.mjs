// The first file of a module's process.
import { loadProgram } from "../../bin/load-program.mjs";

await loadProgram("module-client-host.js", new URL("./module-client-host.ts", import.meta.url).href);
