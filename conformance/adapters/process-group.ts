/** Runs a command in a process group, which ends no later than the kit. */
import { type ChildProcess, spawn } from "node:child_process";

/** Environment variables that every program gets. */
const PASSED_VARIABLES = ["PATH", "HOME", "LANG", "TMPDIR"];

type Kill = (signal: "SIGTERM" | "SIGKILL") => void;

const running = new Set<Kill>();

/**
 * Starts a command in a process group. Returns the command's process, and a function that sends a signal to
 * all processes of the group.
 * @param words the program and its arguments
 * @param pipes number of file descriptors that are pipes to the kit; the first three are the standard streams
 * @param env names of environment variables that the command gets in addition to {@link PASSED_VARIABLES}
 */
export function spawnGroup(
  [file = "", ...args]: readonly string[],
  pipes: number,
  env: readonly string[],
): { readonly child: ChildProcess; readonly kill: Kill } {
  const names = [...PASSED_VARIABLES, ...env].filter((name) => Object.hasOwn(process.env, name));
  const variables = names.map((name) => [name, process.env[name]]);
  const child = spawn(file, args, {
    detached: true,
    stdio: Array.from({ length: pipes }, () => "pipe"),
    env: Object.fromEntries(variables),
  });
  const kill: Kill = (signal) => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, signal);
    } catch {
      // No process of the group is left.
    }
  };
  if (running.size === 0) changeListeners("prependListener");
  running.add(kill);
  const release = () => {
    // Ends the processes that the command left in the background.
    kill("SIGKILL");
    running.delete(kill);
    if (running.size === 0) changeListeners("off");
  };
  child.once("error", release).once("close", release);
  return { child, kill };
}

/** Adds or removes the listeners that end all groups when the kit ends. */
function changeListeners(change: "prependListener" | "off"): void {
  process[change]("exit", killAll);
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process[change](signal, onSignal);
}

function killAll(): void {
  for (const kill of running) kill("SIGKILL");
}

/** Ends all groups, and lets the signal end the kit, unless another listener handles the signal. */
function onSignal(signal: NodeJS.Signals): void {
  if (process.listenerCount(signal) > 1) return;
  killAll();
  process.off(signal, onSignal);
  process.kill(process.pid, signal);
}
