// Sends requests through the proxy over many connections, with clients that break off and a service that dies, and says
// whether all came through to the byte. Usage: proxy-load.ts [--requests N] [--connections N]
import { performance } from "node:perf_hooks";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { proxyLoad } from "./proxy-load/proxy-load.ts";
import { startProxy } from "./proxy-load/start-proxy.ts";

const { values } = parseArgs({
  options: {
    requests: { type: "string", default: "100000" },
    connections: { type: "string", default: "200" },
  },
});
const load = { requests: Number(values.requests), connections: Number(values.connections) };
const program = fileURLToPath(new URL("../bin/launch-draft-conformance.mjs", import.meta.url));
const startedAt = performance.now();
const { faults, printed, ...counts } = await proxyLoad(load, (url) => startProxy([program], url, []));
const seconds = (performance.now() - startedAt) / 1000;
process.stdout.write(`${printed}\n\n`);
for (const [name, count] of Object.entries(counts)) process.stdout.write(`${name}: ${count}\n`);
process.stdout.write(`${Math.round(counts.sent / seconds)} requests a second\n`);
for (const fault of faults.slice(0, 20)) process.stdout.write(`${fault}\n`);
process.stdout.write(faults.length === 0 ? "all came through, to the byte\n" : `${faults.length} faults\n`);
process.exitCode = faults.length === 0 ? 0 : 1;
