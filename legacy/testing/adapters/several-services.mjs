// Holds two services, each with a clock of its own. A call is answered with the service's name, its clock and the process.

import { createInterface } from "node:readline";
import { answer, IDENTITY, write } from "./serve-lines.mjs";

const clocks = new Map();
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  const { service = `s${clocks.size + 1}`, nowMs, ms } = params;
  if (method === "initialize")
    return answer(id, { ...IDENTITY, capabilities: { concurrency: true, instances: 2 } });
  if (method === "shutdown") {
    answer(id, {});
    return process.stdin.destroy();
  }
  if (method === "start") {
    clocks.set(service, nowMs);
    return answer(id, { service });
  }
  if (!clocks.has(service))
    return write({ jsonrpc: "2.0", id, error: { code: -32602, message: "no service" } });
  if (method === "advance") {
    clocks.set(service, clocks.get(service) + ms);
    return answer(id, { nowMs: clocks.get(service) });
  }
  return answer(id, { status: 200, body: { service, nowMs: clocks.get(service), pid: process.pid } });
});
