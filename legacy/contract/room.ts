import type { Room } from "../engine/play/measured.ts";
import { STORE_OF, type Store } from "./operations.ts";

const STORES = Object.values(STORE_OF);

/**
 * A service whose bound is not stated is first asked for so many entries of each kind, and a bound below is found (the
 * size is not shown: contract, "Limits"). Above it, a service that says that it is full is believed.
 */
export const UNSTATED_BOUND = 24;

/** After so many requests for challenges and sessions a creator may be asked for patience: no limit is stated. */
const PATIENCE = 10;

/** So many drafts of one creator may be all that a service keeps of one, where no bound of drafts is stated. */
const DRAFTS_OF_ONE = 10;

/** What {@link measureRoom} found, each where it is few. */
export interface SeenRoom extends Room {
  /** The most entries that a store took, by its name. */
  readonly challenges?: number;
  readonly sessions?: number;
  readonly drafts?: number;
  /** The fewest entries of all kinds with which a store was full: stores may share their bound. */
  readonly altogether?: number;
  /** Requests for challenges and sessions, of all creators and of one, after which one was refused for now. */
  readonly asksOfAll?: number;
  readonly asksOfOne?: number;
}

/** Whether a store whose bound is not stated may be full, with so many entries of its own and of all kinds together. */
export function mayBeFull(store: Store, stored: Readonly<Record<Store, number>>, room: SeenRoom): boolean {
  const total = STORES.reduce((sum, name) => sum + stored[name], 0);
  const least = Math.min(room.altogether ?? UNSTATED_BOUND, UNSTATED_BOUND);
  return total >= least || stored[store] >= (room[store] ?? UNSTATED_BOUND);
}

/** Whether a service that states no bound of drafts may keep no more than so many of one creator. */
export function mayBeFullOfOne(draftsOfOne: number): boolean {
  return draftsOfOne >= DRAFTS_OF_ONE;
}

/** After so many requests for challenges and sessions, those of all creators may be refused for now. */
export function patienceOfAll(room: SeenRoom): number {
  return Math.min(room.asksOfAll ?? UNSTATED_BOUND, UNSTATED_BOUND);
}

/** After so many requests for challenges and sessions, those of their creator may be refused. */
export function patienceOfOne(room: SeenRoom): number {
  return Math.min(room.asksOfOne ?? PATIENCE, PATIENCE);
}

/** What a user has to state, so that a service with so little room can be held to its bound. */
export function adviceToState(store: Store, room: SeenRoom): string {
  const seen = STORES.flatMap((name) => (room[name] === undefined ? [] : [`"${name}":${room[name]}`]));
  const fact = seen.length === 0 ? `"${store}":…` : seen.join();
  return `state the fact "capacity":{${fact}}: the service has room for few ${store}, and is held to what it states`;
}
