import { AdapterFault } from "../../adapters/adapter.ts";
import { Interrupted } from "../play/breakage.ts";
import type { Result } from "../play/result.ts";
import type { Activity } from "../run/activity.ts";
import type { Stretch } from "../run/shard.ts";
import { ClientConnections } from "./client-connections.ts";
import type { ClientContract, ClientSearch } from "./client-contract.ts";
import type { ClientDoor } from "./client-door.ts";
import type { ClientVector } from "./client-vector.ts";
import { patiently } from "./patiently.ts";
import { type ClientPlaying, playClientVector } from "./play-client-vector.ts";
import { untriedSearch } from "./search-result.ts";

/** What a search is run with. */
export interface SearchOptions extends Omit<ClientPlaying, "connection" | "waitScale" | "onRequest"> {
  readonly contract: ClientContract;
  readonly door: ClientDoor;
  /** Asked now and then: why to stop, once there is a reason. */
  readonly stopped?: () => string | undefined;
}

/** Searches for what breaks a client, with connections of its own. Never rejects for anything that a client does. */
export async function runClientSearch(
  search: ClientSearch,
  cases: Stretch,
  options: SearchOptions,
  activity: Activity,
): Promise<Result> {
  const { contract, seed, door, interrupt, stopped } = options;
  const connections = new ClientConnections(door, contract.id);
  const playing = {
    ...options,
    waitScale: door.waitScale,
    onRequest: () => activity.count("asked"),
    ...(interrupt === undefined ? {} : { interrupt }),
  };
  const jobs = Math.max(1, door.jobs);
  const play = (vector: ClientVector) =>
    patiently(jobs, options.limitMs, async ({ limitMs }) => {
      const why = stopped?.();
      if (why !== undefined) throw new Interrupted(why);
      return connections.use((connection) =>
        activity.call(() => playClientVector(vector, { ...playing, connection, limitMs }), {
          operation: "its tasks",
          id: vector.id,
          step: "",
        }),
      );
    });
  try {
    // What draws at random is loaded where something is drawn.
    const { searchClient } = await import("./search-client.ts");
    return await searchClient({ contract, search, seed, cases, jobs, play });
  } catch (error) {
    if (error instanceof Interrupted) return untriedSearch(search, "skipped", error.message);
    if (!(error instanceof AdapterFault)) throw error;
    return untriedSearch(search, "error", `the client cannot be reached again: ${error.message}`);
  } finally {
    await connections.close();
  }
}
