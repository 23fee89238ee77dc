// The first file of a thread that judges or records beside a proxy.
import { loadProgram } from "../../bin/load-program.mjs";

await loadProgram("proxy-thread-host.js", new URL("./proxy-thread-host.ts", import.meta.url).href);
