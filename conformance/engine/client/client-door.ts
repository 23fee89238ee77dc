/**
 * The one interface through which the kit reaches a client, whatever its language and the way there. Doors only carry
 * tasks and results; nothing above this file knows which one is in use.
 */

/** Where a task's service is reached, and by which clock the client waits. */
export interface TaskSite {
  /** Base URL, without a slash at its end. */
  readonly baseUrl: string;
  /** Calls the service in this process, in place of HTTP: for doors in whose process the client runs. */
  readonly handle: (call: unknown) => Promise<unknown>;
  /** Moves the client's clock on where it waits by the kit's: for doors in whose process the client runs. */
  readonly sleep: (ms: number) => Promise<void>;
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
   * Hands over a task, and gives the result, unread.
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
  /** Rejects with an {@link AdapterFault} where the client cannot be reached. */
  connect(contract: string): Promise<ClientConnection>;
  /** Ends everything that is still open. Never rejects. */
  close(): Promise<void>;
}
