import type { ClientConnection, ClientDoor } from "./client-door.ts";

/** Connections to one client, as many side by side as its door has room for, each kept for as long as it is of use. */
export class ClientConnections {
  readonly #door: ClientDoor;
  readonly #contract: string;
  readonly #idle: ClientConnection[] = [];
  readonly #waiting: (() => void)[] = [];
  #room: number;

  /** @param contract its name, as connecting says it */
  constructor(door: ClientDoor, contract: string) {
    this.#door = door;
    this.#contract = contract;
    this.#room = Math.max(1, door.jobs);
  }

  /**
   * Does something with a connection that nobody else has meanwhile, once one is free. Rejects as the door does.
   * @param doing gives what came of it, and whether the connection is of no more use
   */
  async use<Done extends { readonly ended: boolean }>(
    doing: (connection: ClientConnection) => Promise<Done>,
  ): Promise<Done> {
    if (this.#room === 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#room -= 1;
    let connection: ClientConnection | undefined;
    try {
      connection = this.#idle.pop() ?? (await this.#door.connect(this.#contract));
      const done = await doing(connection);
      if (!done.ended) {
        this.#idle.push(connection);
        connection = undefined;
      }
      return done;
    } finally {
      await connection?.close();
      const next = this.#waiting.shift();
      if (next === undefined) this.#room += 1;
      else next();
    }
  }

  /** Ends all that are idle. Never rejects. */
  async close(): Promise<void> {
    await Promise.all(this.#idle.splice(0).map((connection) => connection.close()));
  }
}
