import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";

/** How often memory is looked at, in ms. Where a process has to be started to look, less often. */
const EVERY_MS = process.platform === "linux" ? 100 : 1_000;

/**
 * Watches the memory that a process has in use, of whatever kind: a limit on the heap knows nothing of buffers. Linux
 * tells it in /proc, other systems through `ps`, and Windows not at all.
 *
 * @param onTooMuch called once, when it is more than `limitBytes`
 * @returns ends the watch
 */
export function watchMemory(pid: number, limitBytes: number, onTooMuch: () => void): () => void {
  const look = process.platform === "linux" ? fromProc : fromPs;
  let looking = false;
  const timer = setInterval(async () => {
    if (looking) return;
    looking = true;
    const bytes = await look(pid);
    looking = false;
    if (bytes === undefined || bytes <= limitBytes) return;
    clearInterval(timer);
    onTooMuch();
  }, EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}

async function fromProc(pid: number): Promise<number | undefined> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
  return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
}

function fromPs(pid: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    execFile("ps", ["-o", "rss=", "-p", String(pid)], (error, kilobytes) =>
      resolve(error === null ? Number(kilobytes) * 1024 : undefined),
    );
  });
}
