// Starts a process that outlives it and holds its pipes, and tells that process's id.
import { spawn } from "node:child_process";
import { answer, serveLines } from "./serve-lines.mjs";

const script = "process.on('SIGTERM', () => {}); setInterval(() => {}, 1_000);";
const grandchild = spawn(process.execPath, ["-e", script], { stdio: "inherit" });
grandchild.unref();
serveLines(({ id, params }) => {
  if (params.path === "/exit") process.exit(5);
  answer(id, { pid: grandchild.pid });
});
