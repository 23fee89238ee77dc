/** The example client as a module that talks HTTP, and waits by the kit's clock. */
import {
  launch as launchAnyhow,
  client as who,
} from "../../../conformance/examples/clients/typescript/client.ts";

export const client = { ...who, name: `${who.name}-over-http` };

type Launch = typeof launchAnyhow;

/** Leaves out what would keep it in the process of the service. */
export function launch(task: Parameters<Launch>[0], { sleep, now }: Parameters<Launch>[1] & object) {
  return launchAnyhow(task, {
    ...(sleep === undefined ? {} : { sleep }),
    ...(now === undefined ? {} : { now }),
  });
}
