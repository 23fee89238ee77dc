import { performance } from "node:perf_hooks";
import { fileURLToPath } from "node:url";
import { Client as Connection } from "undici";
import { startProxy } from "../../proxy-load/start-proxy.ts";
import { type Measure, median, type Side } from "../measure.ts";
import { serveSeeded } from "../recorded.ts";

const PROGRAM = fileURLToPath(new URL("../../../bin/launch-draft-conformance.mjs", import.meta.url));
/** Requests of a sample, one after the other over one connection. */
const REQUESTS = 1_000;
const DIRECT = "direct";
const PROXIED = "through the proxy";

/** What the proxy adds to a request, while it judges and records. */
export const proxyLatency: Measure = {
  id: "proxy/latency",
  title: "what the proxy adds to a request at the median, while it judges and records",
  unit: "ms",
  bar: { atMost: 1 },
  async open() {
    const service = await serveSeeded();
    const proxy = await startProxy([PROGRAM], service.url, ["--record", "/dev/null"]);
    const connections = [new Connection(service.url), new Connection(proxy.url)] as const;
    const [direct, proxied] = connections;
    return {
      sides: [sideOf(DIRECT, direct), sideOf(PROXIED, proxied)],
      figure: (medians) => (medians[PROXIED] ?? Number.NaN) - (medians[DIRECT] ?? Number.NaN),
      notes: () => [`${REQUESTS} requests for the profile a sample, one after the other over one connection`],
      async close() {
        await Promise.all(connections.map((connection) => connection.destroy()));
        await proxy.end();
        await service.close();
      },
    };
  },
};

function sideOf(name: string, connection: Connection): Side {
  return {
    name,
    unit: "ms",
    async sample() {
      const took: number[] = [];
      for (let count = 0; count < REQUESTS; count++) {
        const startedAt = performance.now();
        const { statusCode, body } = await connection.request({ method: "GET", path: "/v1/platform" });
        await body.dump();
        took.push(performance.now() - startedAt);
        if (statusCode !== 200) throw new Error(`the profile was answered ${statusCode} (${name})`);
      }
      return { value: median(took) };
    },
  };
}
