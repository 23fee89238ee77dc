/** Starts a process group, prints the id of a process in it, and leaves in the way that its argument says. */
import { spawnGroup } from "../../adapters/process-group.ts";

if (process.argv[2] === "listener") process.once("SIGINT", () => setImmediate(() => process.exit(9)));
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
