import { Agent } from "node:http";
import { Agent as SecureAgent } from "node:https";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";

/** Which certificates of the service are trusted. */
export interface TrustedCertificates {
  readonly ca?: string;
  readonly rejectUnauthorized: boolean;
}

/**
 * A connection of a client, and the one to the service that goes with it. Each ends with the other, so that a client sees
 * of the service's connections what it would see without the proxy: an idle connection that the service closes is closed to
 * the client, too, before a request is sent over it that nobody would answer.
 */
export class ConnectionPair {
  /** Makes the connection to the service, and keeps it for the next request. */
  readonly agent: Agent;
  readonly #client: Socket;
  #serviceIsThere = false;
  #reached = false;
  #underWay = 0;

  constructor(client: Socket, secure: boolean, trusted: TrustedCertificates) {
    this.#client = client;
    const kept = { keepAlive: true, maxSockets: 1 };
    this.agent = secure ? new SecureAgent({ ...kept, ...trusted }) : new Agent(kept);
    const connect = this.agent.createConnection.bind(this.agent);
    this.agent.createConnection = (...given) => {
      const service = connect(...given);
      if (service) this.#watch(service, secure);
      return service;
    };
    client.once("close", () => this.agent.destroy());
  }

  /** Whether the connection to the service that was made last came about. */
  get reached(): boolean {
    return this.#reached;
  }

  begin(): void {
    this.#underWay += 1;
  }

  end(): void {
    this.#underWay -= 1;
    this.#endIdle();
  }

  #watch(service: Duplex, secure: boolean): void {
    this.#reached = false;
    this.#serviceIsThere = true;
    service.once(secure ? "secureConnect" : "connect", () => {
      this.#reached = true;
    });
    service.once("close", () => {
      this.#serviceIsThere = false;
      this.#endIdle();
    });
  }

  #endIdle(): void {
    if (this.#underWay === 0 && !this.#serviceIsThere) this.#client.end();
  }
}
