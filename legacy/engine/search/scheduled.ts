// biome-ignore lint/plugin/edges: it yields to other work, and waits for no time
import { setImmediate as nextTurn } from "node:timers/promises";
import type fc from "fast-check";
import type { ServiceRequest } from "../../adapters/adapter.ts";
import type { Line, Purpose } from "../play/line.ts";

/**
 * Lets a scheduler decide in which order requests reach the service: each waits to be released, and is under way while
 * the next one is.
 */
export async function scheduled<Value>(
  connection: Line,
  scheduler: fc.Scheduler,
  play: (connection: Line) => Promise<Value>,
): Promise<Value> {
  const held: Line = {
    info: connection.info,
    start: (nowMs) => connection.start(nowMs),
    advance: (ms) => connection.advance(ms),
    bytesToSign: (message) => connection.bytesToSign(message),
    close: () => connection.close(),
    handle: async (request: ServiceRequest, purpose?: Purpose) => {
      await scheduler.schedule(Promise.resolve(), request.path);
      return connection.handle(request, purpose);
    },
  };
  let done = false;
  const finish = () => {
    done = true;
  };
  const played = play(held);
  played.then(finish, finish);
  while (!done) {
    if (scheduler.count() > 0) await scheduler.waitOne();
    else await nextTurn();
  }
  return played;
}
