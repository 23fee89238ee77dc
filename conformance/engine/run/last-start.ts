import type { Connection } from "../../adapters/adapter.ts";
import type { Line } from "../play/line.ts";
import { allSteps } from "../vectors/needs.ts";
import type { Vector } from "../vectors/vector.ts";

/**
 * A connection for one vector, which tells when its service was started for the last time. Never tells where how often it
 * will be is not known before it is played.
 */
export function tellingLastStart(connection: Connection, vector: Vector, tell: () => void): Line {
  const line: Line = connection;
  let left = startsOf(vector);
  return {
    info: connection.info,
    ...(connection.carrier === undefined ? {} : { carrier: connection.carrier }),
    async start(nowMs) {
      await connection.start(nowMs);
      left -= 1;
      if (left === 0) tell();
    },
    handle: (request, purpose) => line.handle(request, purpose),
    advance: (ms) => connection.advance(ms),
    bytesToSign: (message) => connection.bytesToSign(message),
    close: () => connection.close(),
  };
}

/** How often a vector starts its service, at its beginning and in its restarts; infinite where it repeats some. */
function startsOf({ steps }: Vector): number {
  const kinds = allSteps(steps).map(({ kind }) => kind);
  return kinds.includes("repeat") ? Infinity : 1 + kinds.filter((kind) => kind === "restart").length;
}
