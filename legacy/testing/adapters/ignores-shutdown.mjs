// Neither answers `shutdown` nor heeds the end of its input or SIGTERM.
import { createInterface } from "node:readline";
import { answer, IDENTITY } from "./serve-lines.mjs";

process.on("SIGTERM", () => {});
setInterval(() => {}, 1_000);
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method } = JSON.parse(line);
  if (method !== "shutdown") answer(id, method === "initialize" ? IDENTITY : { pid: process.pid });
});
