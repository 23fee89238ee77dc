import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from "node:child_process";
import { guardGroup, leaveGroup } from "./process-guard.ts";

const WINDOWS = process.platform === "win32";
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** A command, together with every process that it starts. */
export interface ProcessGroup {
  readonly child: ChildProcessWithoutNullStreams;
  /** Sends a signal to the whole group; does nothing when it is gone. On Windows every signal ends it at once. */
  signal(signal: "SIGTERM" | "SIGKILL"): void;
}

/** Groups that are still alive: none may outlive the kit. */
const alive = new Set<ProcessGroup>();

/**
 * Starts `command` in a process group of its own, which ends with the kit at the latest: on a normal exit, an uncaught
 * error, a signal such as Ctrl-C, and even where the kit is killed or its thread is terminated.
 *
 * @param command a line for the shell, or the words of a command that needs none
 * @param pipes how many pipes there are to the process: three are its standard streams, file descriptor 3 is the fourth
 * @param folder the folder that it runs in; the kit's own unless told
 */
export function spawnGroup(
  command: string | readonly string[],
  pipes = 3,
  folder: string = process.cwd(),
): ProcessGroup {
  const [file = "", ...words] = typeof command === "string" ? shellWords(command) : command;
  const child = spawn(file, words, {
    cwd: folder,
    stdio: Array.from({ length: pipes }, () => "pipe" as const),
    ...(WINDOWS ? { shell: typeof command === "string", windowsHide: true } : { detached: true }),
  }) as ChildProcessWithoutNullStreams;
  const { pid } = child;
  if (pid !== undefined && !WINDOWS) guardGroup(pid);
  const group: ProcessGroup = {
    child,
    signal(signal) {
      if (pid === undefined) return;
      if (WINDOWS) spawnSync("taskkill", ["/pid", String(pid), "/T", "/F"]);
      else signalGroup(pid, signal);
    },
  };
  if (alive.size === 0) {
    process.on("exit", killAll);
    // Before all other listeners, to see whether there are any: one that listens once is gone when it is called.
    for (const signal of SIGNALS) process.prependListener(signal, onSignal);
  }
  alive.add(group);
  const gone = () => {
    release(group);
    if (pid !== undefined) leaveGroup(pid);
  };
  child.once("close", gone);
  child.once("error", gone);
  return group;
}

function shellWords(command: string): readonly string[] {
  return WINDOWS ? [command] : ["sh", "-c", command];
}

function release(group: ProcessGroup): void {
  // What the command left running in the background goes with it.
  group.signal("SIGKILL");
  alive.delete(group);
  if (alive.size > 0) return;
  process.off("exit", killAll);
  for (const signal of SIGNALS) process.off(signal, onSignal);
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // Nobody is left in the group.
  }
}

function killAll(): void {
  for (const group of alive) group.signal("SIGKILL");
}

/**
 * Kills the groups and lets the signal end the process, as it would without this listener. Where somebody else listens
 * too, it is theirs to end the process, perhaps after they have finished what they do with a group.
 */
function onSignal(signal: NodeJS.Signals): void {
  if (process.listenerCount(signal) > 1) return;
  killAll();
  process.off(signal, onSignal);
  process.kill(process.pid, signal);
}
