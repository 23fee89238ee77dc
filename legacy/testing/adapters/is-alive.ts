import { spawnSync } from "node:child_process";

/** Whether a process still runs; one that is dead but not yet collected by its parent does not. */
export function isAlive(pid: number): boolean {
  const { stdout } = spawnSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" });
  return stdout.trim() !== "" && !stdout.startsWith("Z");
}

/** Whether a process that was sent SIGKILL is gone: looks several times, as the system takes a moment for it. */
export function isKilled(pid: number): boolean {
  for (let look = 0; look < 100; look += 1) {
    if (!isAlive(pid)) return true;
  }
  return false;
}
