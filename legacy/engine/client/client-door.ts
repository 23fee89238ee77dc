/**
 * The one interface through which the kit reaches a client, whatever its language and the way there. Doors only carry
 * tasks and results; nothing above this file knows which one is in use.
 */
import type { ClientRequest, StagedAnswer } from "./trace.ts";

/** Where a task's service is reached other than over HTTP, and by which clock the client waits. */
export interface TaskSite {
  /** Asks the service. Rejects where the task is over. */
  readonly ask: (request: ClientRequest) => Promise<StagedAnswer>;
  /** Moves the client's clock on, for clients that wait by the kit's. Rejects where the task is over. */
  readonly sleep: (ms: number) => Promise<void>;
  /** Where the client's clock stands, in ms since the Unix epoch. */
  readonly now: () => number;
  /** Aborted when the task is to end at once: its time is up, it floods, or the run is stopped. */
  readonly signal: AbortSignal;
}

/** Who the client is. */
export interface ClientInfo {
  readonly client: { readonly name: string; readonly version: string; readonly language?: string };
  /** What the contract leaves open, and the client takes one way. */
  readonly facts: Readonly<Record<string, unknown>>;
}

/** A client that can be given tasks. */
export interface ClientConnection {
  readonly info: ClientInfo;
  /**
   * Hands over a task, and gives the result, unread. May be called again before it settles.
   * Rejects with an {@link AdapterFault} where the client breaks: `fatal` where it can be given nothing more.
   */
  perform(task: Readonly<Record<string, unknown>>, site: TaskSite): Promise<unknown>;
  /** Ends the client and frees what it holds. Never rejects; may be called twice. */
  close(): Promise<void>;
}

/** A way to reach one client. */
export interface ClientDoor {
  /** For the report's header: `client module`, `client process`, `client stdio`. */
  readonly transport: string;
  /** How many connections may be open side by side (1 or more). */
  readonly jobs: number;
  /** What a client is told to multiply its waits by: 1 where it waits by the kit's clock, which need not be awaited. */
  readonly waitScale: number;
  /** Rejects with an {@link AdapterFault} where the client cannot be reached. */
  connect(contract: string): Promise<ClientConnection>;
  /** Ends everything that is still open. Never rejects. */
  close(): Promise<void>;
}

/** Serves scripted services over HTTP, each at an address of its own until all of it is closed. */
export interface SiteHost {
  /**
   * @param ask asked for an answer to each request; rejects where there is none to give, and the connection is closed
   * @returns its base URL, without a slash at its end
   */
  open(ask: (request: ClientRequest) => Promise<StagedAnswer>): Promise<string>;
  /** Never rejects. */
  close(): Promise<void>;
}
