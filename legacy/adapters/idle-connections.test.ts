import assert from "node:assert/strict";
import type { Socket } from "node:net";
import { test } from "node:test";
import { closeIdleConnections } from "./idle-connections.ts";

test("a connection is closed once nobody has used it from one look to the next", (context) => {
  context.mock.timers.enable({ apis: ["setInterval"] });
  const closed: string[] = [];
  const connection = (name: string) => {
    const socket = { bytesWritten: 0, destroy: () => closed.push(name) };
    return socket as unknown as Socket & { bytesWritten: number };
  };
  const [used, idle, busy] = [connection("used"), connection("idle"), connection("busy")];
  const freeSockets: Record<string, Socket[]> = { "one:80:": [used, idle], "two:80:": [] };
  const end = closeIdleConnections({ freeSockets });
  const look = () => context.mock.timers.tick(500);
  look();
  assert.deepEqual(closed, []);
  used.bytesWritten += 100;
  freeSockets["two:80:"]?.push(busy);
  look();
  assert.deepEqual(closed, ["idle"]);
  freeSockets["one:80:"] = [used];
  busy.bytesWritten += 1;
  look();
  assert.deepEqual(closed, ["idle", "used"]);
  end();
  look();
  assert.deepEqual(closed, ["idle", "used"]);
});
