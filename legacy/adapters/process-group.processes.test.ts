import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { isKilled } from "../testing/adapters/is-alive.ts";
import { spawnGroup } from "./process-group.ts";

const parent = fileURLToPath(new URL("../testing/adapters/parent-of-group.ts", import.meta.url));
const skip = process.platform === "win32" && "signals and process groups are those of POSIX";

for (const [leaving, status] of [
  ["exit", 7],
  ["throw", 1],
  ["reject", 1],
  ["SIGINT", "SIGINT"],
  ["SIGTERM", "SIGTERM"],
  ["SIGHUP", "SIGHUP"],
  ["SIGKILL", "SIGKILL"],
  ["listener", 9],
] as const) {
  test(`a group does not outlive its parent (${leaving})`, { skip }, async () => {
    const kit = spawn(process.execPath, ["--import", "tsx", parent, leaving], {
      stdio: ["ignore", "pipe", "ignore"],
    });
    const [pid] = await once(kit.stdout, "data");
    if (leaving === "listener") kit.kill("SIGINT");
    if (leaving.startsWith("SIG")) kit.kill(leaving as NodeJS.Signals);
    const [code, signal] = await once(kit, "exit");
    assert.equal(code ?? signal, status);
    assert.match(String(pid), /^\d+\n$/);
    assert.equal(isKilled(Number(pid)), true);
  });
}

test("of several groups none outlives a parent that is killed", { skip }, async () => {
  const kit = spawn(process.execPath, ["--import", "tsx", parent, "SIGKILL", "others"], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  let printed = "";
  for await (const chunk of kit.stdout) {
    printed += chunk;
    if (/^\d+\n\d+\n$/.test(printed)) kit.kill("SIGKILL");
  }
  const pids = printed.trim().split("\n").map(Number);
  assert.deepEqual(pids.map(isKilled), [true, true]);
});

test("listeners of the process are there only while a group lives", { skip }, async () => {
  const before = process.listenerCount("SIGINT");
  const group = spawnGroup("exec sleep 60");
  assert.equal(process.listenerCount("SIGINT"), before + 1);
  group.signal("SIGTERM");
  await once(group.child, "close");
  assert.equal(process.listenerCount("SIGINT"), before);
});
