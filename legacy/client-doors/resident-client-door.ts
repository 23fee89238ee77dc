import { startLineProcess } from "../adapters/line-process.ts";
import type { End } from "../adapters/tracking-adapter.ts";
import type { ClientConnection, ClientDoor } from "../engine/client/client-door.ts";
import type { CommandClientOptions } from "./command-client-door.ts";
import { initializeClient } from "./initialize-client.ts";
import { RETRY_AFTER_SCALE } from "./retry-after-scale.ts";
import { trackingDoor } from "./tracking-door.ts";

/** How a command that stays is run. */
export interface ResidentClientOptions extends CommandClientOptions {
  /** Real time that a task may take, in ms; 0 is for ever. */
  readonly timeoutMs: number;
}

/** How long a process may take from its start to its answer to `initialize`, in ms. */
const START_MS = 30_000;
/** How long a process may take to leave after `shutdown`, and again after SIGKILL, in ms. */
const LEAVING_MS = 2_000;

/** A client as a command that stays: tasks and results as lines of JSON-RPC. */
export function residentClientDoor(options: ResidentClientOptions): ClientDoor {
  const told = { transport: "client stdio", jobs: options.jobs, waitScale: RETRY_AFTER_SCALE };
  return trackingDoor(told, (track, contract) => startClient(options, contract, track));
}

async function startClient(
  { command, folder, facts, timeoutMs, onSpawn }: ResidentClientOptions,
  contract: string,
  track: (end: End) => void,
): Promise<ClientConnection> {
  const { client, end } = startLineProcess({
    command,
    folder,
    peer: "the client",
    timeoutMs,
    graceMs: LEAVING_MS,
    signals: ["SIGKILL"],
    onSpawn,
  });
  track(end);
  try {
    const info = await initializeClient(client.call, contract, timeoutMs === 0 ? 0 : START_MS);
    return {
      info: facts === undefined ? info : { ...info, facts: { ...info.facts, ...facts } },
      async perform(task, { signal }) {
        // What a process does with a task that is over cannot be ended but with all else that it does.
        const cut = () => client.fail("the task is over");
        signal.addEventListener("abort", cut, { once: true });
        try {
          return await client.call("launch", task, 0);
        } finally {
          signal.removeEventListener("abort", cut);
        }
      },
      close: end,
    };
  } catch (fault) {
    await end();
    throw fault;
  }
}
