/**
 * Starts a process group, prints the id of a process in it, and leaves in the way that its argument says. With `others` there
 * were two groups before, one that lives on, whose process it prints, too, and one that is gone.
 */
import { once } from "node:events";
import { spawnGroup } from "../../adapters/process-group.ts";

if (process.argv[2] === "listener") process.once("SIGINT", () => setImmediate(() => process.exit(9)));
if (process.argv[3] === "others") {
  const [pid] = await once(spawnGroup("echo $$; exec sleep 60").child.stdout, "data");
  process.stdout.write(pid);
  await once(spawnGroup("exit 0").child, "close");
}
const { child } = spawnGroup("echo $$; exec sleep 60");
child.stdout.once("data", (pid: Buffer) => {
  process.stdout.write(pid);
  switch (process.argv[2]) {
    case "exit":
      return process.exit(7);
    case "throw":
      throw new Error("uncaught");
    case "reject":
      return Promise.reject(new Error("unhandled"));
    default:
      return undefined;
  }
});
