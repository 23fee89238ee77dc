import { type ChildProcess, spawn } from "node:child_process";
import type { Writable } from "node:stream";

/**
 * Reads `+ GROUP` where one has begun and `- GROUP` where it is gone, until its input ends, which comes however the kit ends.
 * Then it kills those that are left.
 */
const SCRIPT = `
groups=
while read -r sign group; do
  if [ "$sign" = + ]; then groups="$groups $group"; continue; fi
  left=
  for one in $groups; do [ "$one" = "$group" ] || left="$left $one"; done
  groups=$left
done
for one in $groups; do kill -KILL "-$one"; done
`;

let guard: ChildProcess | undefined;
const guarded = new Set<number>();

/** Has a process group killed when the kit ends, even where the kit itself is killed or its thread is terminated. */
export function guardGroup(pid: number): void {
  guarded.add(pid);
  if (guard === undefined) {
    guard = startGuard();
    for (const group of guarded) tell(`+ ${group}`);
  } else {
    tell(`+ ${pid}`);
  }
}

/** Has nothing done about a group that is gone: others may get its number. */
export function leaveGroup(pid: number): void {
  if (guarded.delete(pid)) tell(`- ${pid}`);
}

function tell(line: string): void {
  guard?.stdin?.write(`${line}\n`);
}

/** One shell for all groups, in a group of its own, so that what ends the kit does not end it first. */
function startGuard(): ChildProcess {
  const shell = spawn("sh", ["-c", SCRIPT], { stdio: ["pipe", "ignore", "ignore"], detached: true });
  // Where there is no room for one more process, the groups still end in all other ways; the next one tries again.
  const gone = () => {
    if (guard === shell) guard = undefined;
  };
  shell.once("error", gone);
  shell.once("exit", gone);
  shell.stdin.on("error", () => {});
  shell.unref();
  (shell.stdin as Writable & { unref(): void }).unref();
  return shell;
}
