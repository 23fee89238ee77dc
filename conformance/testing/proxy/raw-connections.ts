import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import type { TestContext } from "node:test";

/** Bytes that come over a connection, as text of one character a byte. */
export class Received {
  readonly socket: Socket;
  #text = "";
  #ended = false;
  readonly #waiting = new Set<() => void>();

  constructor(socket: Socket) {
    this.socket = socket;
    socket.on("data", (chunk: Buffer) => {
      this.#text += chunk.toString("latin1");
      this.#wake();
    });
    socket.on("error", () => {});
    for (const event of ["end", "close"])
      socket.once(event, () => {
        this.#ended = true;
        this.#wake();
      });
  }

  get text(): string {
    return this.#text;
  }

  /** Settles when what came fits, with all that came; rejects where the connection ends before. */
  async until(fits: RegExp): Promise<string> {
    while (!fits.test(this.#text)) {
      if (this.#ended) throw new Error(`ended before ${fits} came, with ${JSON.stringify(this.#text)}`);
      await this.#more();
    }
    return this.#text;
  }

  /** Settles when nothing more will come, with all that came. */
  async end(): Promise<string> {
    while (!this.#ended) await this.#more();
    return this.#text;
  }

  #more(): Promise<void> {
    return new Promise((resolve) => this.#waiting.add(resolve));
  }

  #wake(): void {
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }
}

/** A server of bytes on this machine. */
export interface RawService {
  readonly origin: string;
  readonly port: number;
  /** How many connections there were. */
  readonly connections: number;
  /** The next connection that nobody has taken yet. */
  next(): Promise<Received>;
  /** Takes no more connections, and ends those that there are. */
  close(): Promise<void>;
}

/** Listens for connections, which a test then answers byte by byte. */
export async function rawService(context: TestContext): Promise<RawService> {
  const all: Received[] = [];
  let taken = 0;
  const server = createServer((socket) => {
    all.push(new Received(socket));
    server.emit("taken");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    if (!server.listening) return;
    server.close();
    for (const { socket } of all) socket.destroy();
    await once(server, "close");
  };
  context.after(close);
  return {
    origin: `http://127.0.0.1:${port}`,
    port,
    get connections() {
      return all.length;
    },
    async next() {
      while (all[taken] === undefined) await once(server, "taken");
      taken += 1;
      return all[taken - 1] as Received;
    },
    close,
  };
}

/** Connects to a port of this machine, to send bytes. */
export async function rawClient(context: TestContext, port: number): Promise<Received> {
  const socket = connect(port, "127.0.0.1");
  context.after(() => socket.destroy());
  await once(socket, "connect");
  return new Received(socket);
}
