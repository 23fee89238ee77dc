import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { answerOf, digestOf, NUMBER } from "./load-bytes.ts";

/** A service that tells of each request what came of it, and can die and come back at the same address. */
export class LoadService {
  /** How often each request was received whole. */
  readonly received = new Map<number, number>();
  readonly #onHead: (number: number) => void;
  #server: Server | undefined;
  #port = 0;

  /** @param onHead told of each request whose head has come */
  constructor(onHead: (number: number) => void) {
    this.#onHead = onHead;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  async listen(): Promise<void> {
    const server = createServer((request, response) => this.#answer(request, response));
    server.listen(this.#port, "127.0.0.1");
    await once(server, "listening");
    this.#port = (server.address() as AddressInfo).port;
    this.#server = server;
  }

  /** Ends at once, with all that is under way. */
  async die(): Promise<void> {
    const server = this.#server;
    if (server === undefined) return;
    this.#server = undefined;
    const closed = once(server, "close");
    server.close();
    server.closeAllConnections();
    await closed;
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const number = Number(request.headers[NUMBER]);
    this.#onHead(number);
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("error", () => {});
    request.on("end", () => {
      this.received.set(number, (this.received.get(number) ?? 0) + 1);
      const digest = digestOf(
        request.method ?? "",
        request.url ?? "",
        request.rawHeaders,
        Buffer.concat(chunks),
      );
      const { pieces, headers } = answerOf(number);
      response.writeHead(200, [...headers, "x-digest", digest]);
      for (const piece of pieces) response.write(piece);
      response.end();
    });
  }
}
