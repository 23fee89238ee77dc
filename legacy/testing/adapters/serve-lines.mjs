// What the fakes of this folder share: reads requests, one JSON object a line, and says who they are.
import { createInterface } from "node:readline";

export const IDENTITY = {
  protocol: 1,
  implementation: { name: "fake", version: "1" },
  capabilities: { concurrency: true },
  facts: { metadataHosts: ["a.example", "b.example"] },
};

export const write = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);
export const answer = (id, result) => write({ jsonrpc: "2.0", id, result });

/** Answers `initialize`, `start` and `shutdown` honestly, and gives everything else to `onRequest`. */
export function serveLines(onRequest) {
  createInterface({ input: process.stdin }).on("line", (line) => {
    const request = JSON.parse(line);
    if (request.method === "initialize") answer(request.id, IDENTITY);
    else if (request.method === "start") answer(request.id, {});
    else if (request.method === "shutdown") {
      answer(request.id, {});
      process.stdin.destroy();
    } else onRequest(request);
  });
}
