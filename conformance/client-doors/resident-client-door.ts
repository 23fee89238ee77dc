import { setTimeout as sleep } from "node:timers/promises";
import { lastWords } from "../adapters/last-words.ts";
import { lineClient } from "../adapters/line-client.ts";
import { spawnGroup } from "../adapters/process-group.ts";
import { TailLog } from "../adapters/tail-log.ts";
import { type End, once } from "../adapters/tracking-adapter.ts";
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
/** How long a process may take to leave after `shutdown`, and again after SIGTERM, in ms. */
const LEAVING_MS = 2_000;
/** The exit may be still unnoticed for this long after the other end of a pipe is known to be gone, in ms. */
const AFTERMATH_MS = 200;

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
  const group = spawnGroup(command, undefined, folder);
  const { child } = group;
  const log = new TailLog();
  child.stderr.on("data", (chunk: Buffer) => log.append(chunk));
  const gone = new Promise<void>((resolve) => {
    child.once("close", () => resolve());
    child.once("error", () => resolve());
  });
  const leaves = () => Promise.race([gone, sleep(LEAVING_MS, undefined, { ref: false })]);
  const kill = once(async () => {
    group.signal("SIGKILL");
    await leaves();
  });
  let exit: string | undefined;
  const fail = (message: string) => {
    client.fail(exit === undefined ? message : `${exit}${lastWords(log.text())}`);
  };
  const client = lineClient({
    input: child.stdout,
    output: child.stdin,
    timeoutMs,
    peer: "the client",
    log: () => log.text(),
    onFatal: kill,
    // Of several signs that the process is gone the exit says most, so the others give it a moment to show.
    onBroken: (message) => setTimeout(fail, AFTERMATH_MS, message).unref(),
  });
  child.once("error", (error) => client.fail(`the shell cannot be run: ${error.message}`));
  child.once("exit", (code, signal) => {
    exit = signal === null ? `the client exited with status ${code}` : `the client was ended by ${signal}`;
    setTimeout(fail, AFTERMATH_MS, exit).unref();
  });
  child.once("close", () => fail("the client exited"));
  if (child.pid !== undefined) onSpawn?.(child.pid);
  const end = once(async () => {
    if (client.fault === undefined && !client.busy) {
      await client.call("shutdown", {}, LEAVING_MS).catch(() => undefined);
      child.stdin.end();
      await leaves();
    }
    await kill();
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
