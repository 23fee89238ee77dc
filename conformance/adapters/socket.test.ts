import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { createInterface } from "node:readline";
import { type TestContext, test } from "node:test";
import { SERVED } from "../testing/adapters/served-contract.ts";
import { attachAdapter } from "./socket.ts";

const GET = { method: "GET", path: "/v1/platform" };
const IDENTITY = {
  protocol: 1,
  implementation: { name: "x", version: "1" },
  facts: { metadataHosts: ["a", "b"] },
};

/** An adapter that listens on a port, as one under a debugger does; gives the port. */
async function listening(
  context: TestContext,
  onHandle: (socket: Socket, id: number) => void,
): Promise<number> {
  const server = createServer((socket) => {
    context.after(() => socket.destroy());
    createInterface({ input: socket }).on("line", (line) => {
      const { id, method } = JSON.parse(line);
      if (method === "handle") onHandle(socket, id);
      else socket.write(`${JSON.stringify({ jsonrpc: "2.0", id, result: IDENTITY })}\n`);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  context.after(() => server.close());
  return (server.address() as AddressInfo).port;
}

test("an adapter on a socket is driven, and another kit may come after", async (context) => {
  const port = await listening(context, (socket, id) =>
    socket.write(`{"jsonrpc":"2.0","id":${id},"result":{"status":200}}\n`),
  );
  for (let kit = 0; kit < 2; kit += 1) {
    const adapter = attachAdapter({ host: "127.0.0.1", port });
    const connection = await adapter.connect(SERVED);
    await connection.start(0);
    assert.deepEqual(await connection.handle(GET), { status: 200 });
    await connection.close();
    await adapter.close();
  }
});

test("a socket that ends in the middle of a call is a fatal fault", async (context) => {
  const port = await listening(context, (socket) => socket.end());
  const connection = await attachAdapter({ host: "localhost", port }).connect(SERVED);
  const fault = { name: "AdapterFault", fatal: true, message: "the adapter closed its output" };
  await assert.rejects(connection.handle(GET), fault);
  await assert.rejects(connection.handle(GET), fault);
  await connection.close();
});

test("a port on which nobody listens is a fatal fault", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  await assert.rejects(attachAdapter({ host: "127.0.0.1", port }).connect(SERVED), {
    name: "AdapterFault",
    fatal: true,
    message: `nothing to attach to at 127.0.0.1:${port}: connect ECONNREFUSED 127.0.0.1:${port}`,
  });
});

test("another machine is refused before anything is sent", async () => {
  await assert.rejects(attachAdapter({ host: "10.0.0.1", port: 1 }).connect(SERVED), {
    message: "10.0.0.1:1 is not this machine; the kit attaches to loopback addresses only",
  });
});
