// The first file of a thread that does a part of a run.
import { loadProgram } from "../../bin/load-program.mjs";

await loadProgram("run-thread-host.js", new URL("./run-thread-host.ts", import.meta.url).href);
