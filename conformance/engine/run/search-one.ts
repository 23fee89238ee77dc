import type { Connection, ImplementationInfo } from "../../adapters/adapter.ts";
import type { Contract, Stage } from "../contract.ts";
import type { Result } from "../play/result.ts";
import { Grounds } from "../search/grounds.ts";
import type { TimeFacts } from "./activity.ts";
import type { RunOptions } from "./run.ts";
import { searchShare } from "./search-share.ts";
import { reduced, searchAtRandom, searchExhaustively } from "./searching.ts";

/** What a search is tried on, and how much of it. */
export interface SearchOneOptions
  extends Pick<RunOptions, "runs" | "exhaustive" | "budget" | "searchRequests" | "time"> {
  readonly contract: Contract;
  readonly info: ImplementationInfo;
  readonly stage: Stage;
  /** Opens a connection to a service of its own. */
  readonly connect: () => Promise<Connection>;
  /** What the requests took that were made so far. */
  readonly soFar: TimeFacts;
}

/**
 * Tries one search by itself, as a run would.
 * @returns undefined where so few cases are tried that it has none
 */
export async function searchOne(id: string, options: SearchOneOptions): Promise<Result | undefined> {
  const { contract, info, stage, connect, soFar, searchRequests } = options;
  const share = searchRequests === undefined ? undefined : searchShare(soFar.operations, searchRequests);
  const given = share === undefined ? options : { ...options, ...reduced(options, share) };
  const work = { chosen: { properties: new Set([id]) }, searches: await contract.searches() };
  const grounds = new Grounds(info, connect);
  const watch = { stopped: () => undefined, onResult: () => undefined };
  try {
    const searching = { info, stage, watch, grounds, deal: { searchesFirst: false } };
    const [atRandom] = await searchAtRandom(given, work, searching);
    return atRandom ?? (await searchExhaustively(given, work, searching))?.outcome.result;
  } finally {
    await grounds.close();
  }
}
