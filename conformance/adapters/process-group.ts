/** Runs a command in a process group, which ends when the kit ends. */
import { type ChildProcess, spawn } from "node:child_process";
import type { Socket } from "node:net";

/** Environment variables that every program gets. */
const PASSED_VARIABLES = ["PATH", "HOME", "LANG", "TMPDIR"];
/** Time to read the rest of the output after the command has exited, in ms. */
const DRAIN_MS = 200;
/**
 * Shell script that reads the IDs of groups that start and end. When its input ends, the kit has ended, even
 * if by SIGKILL. The script then ends the groups that are left.
 */
const GUARD = `trap '' HUP INT QUIT TERM
while read -r change id; do
  others=
  for one in $groups; do [ "$one" = "$id" ] || others="$others $one"; done
  groups=$others
  [ "$change" = end ] || groups="$groups $id"
done
for id in $groups; do kill -s KILL -- "-$id"; done`;

type Kill = (signal: "SIGTERM" | "SIGKILL") => void;

const running = new Set<Kill>();
let guard: Socket | undefined;

/**
 * Starts a command in a process group. Returns the command's process, and a function that sends a signal to
 * all processes of the group. SIGKILL also closes the pipes, which a process outside the group can keep open.
 * @param words the program and its arguments
 * @param pipes number of file descriptors that are pipes to the kit; the first three are the standard streams
 * @param env names of environment variables that the command gets in addition to {@link PASSED_VARIABLES}
 */
export function spawnGroup(
  [file = "", ...args]: readonly string[],
  pipes: number,
  env: readonly string[],
): { readonly child: ChildProcess; readonly kill: Kill } {
  if (running.size === 0) process.prependListener("exit", killAll);
  guard ??= startGuard();
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
    if (signal === "SIGKILL") for (const stream of child.stdio) stream?.destroy();
  };
  running.add(kill);
  if (child.pid !== undefined) guard.write(`start ${child.pid}\n`);
  let drain: NodeJS.Timeout | undefined;
  const release = () => {
    clearTimeout(drain);
    // Ends the processes that the command left in the background.
    kill("SIGKILL");
    running.delete(kill);
    if (child.pid !== undefined) guard?.write(`end ${child.pid}\n`);
    if (running.size === 0) process.off("exit", killAll);
  };
  // After the timer, the event loop reads all output that has arrived before it calls `setImmediate`.
  child.once("exit", () => {
    drain = setTimeout(() => setImmediate(kill, "SIGKILL"), DRAIN_MS);
  });
  child.once("error", release).once("close", release);
  return { child, kill };
}

/** Starts the script that ends all groups when the kit ends. Returns its input. */
function startGuard(): Socket {
  const child = spawn("sh", ["-c", GUARD], { detached: true, stdio: ["pipe", "ignore", "ignore"] });
  child.on("error", () => {}).unref();
  const input = child.stdin as Socket;
  input.on("error", () => {}).unref();
  return input;
}

function killAll(): void {
  for (const kill of running) kill("SIGKILL");
}
