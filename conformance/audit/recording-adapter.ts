import {
  type Adapter,
  type Connection,
  type ImplementationInfo,
  NotTransportable,
  type ServiceRequest,
} from "../adapters/adapter.ts";
import type { Recorded, RecordedExchange, RecordedResponse } from "../engine/audit/recorded.ts";
import { isObject } from "../engine/play/exchange.ts";
import { isJson } from "./http-message.ts";

/** Reads the time in ms; each reading is later than the one before. */
export type Ticks = () => number;

/** Listener to the traffic of an adapter. */
export interface Listener {
  /** Called when a connection was opened: all that passes until the next one is of this implementation. */
  connected(info: ImplementationInfo): void;
  /** Called when an exchange has ended, or the service was started. */
  passed(item: Recorded): void;
}

/**
 * Reports what passes through an adapter: every exchange as it ends, and every start of a service that can be
 * restarted, with the reading of the service's clock where that is virtual.
 */
export function recordingAdapter(adapter: Adapter, ticks: Ticks, listener: Listener): Adapter {
  return {
    transport: adapter.transport,
    // A recording is of one service at a time.
    jobs: 1,
    async connect(contract) {
      const connection = await adapter.connect(contract);
      listener.connected(connection.info);
      return recordingConnection(connection, ticks, listener);
    },
    renew: async () => adapter.renew?.(),
    close: () => adapter.close(),
  };
}

function recordingConnection(connection: Connection, ticks: Ticks, listener: Listener): Connection {
  const { info } = connection;
  const { clock, restart } = info.capabilities;
  let clockMs: number | undefined;
  let line = 1;
  const nextSource = () => {
    line += 1;
    return { file: "recording", line };
  };
  const onClock = () => (clockMs === undefined ? {} : { clockMs });
  return {
    info,
    ...(connection.carrier === undefined ? {} : { carrier: connection.carrier }),
    async start(nowMs) {
      await connection.start(nowMs);
      if (clock === "virtual") clockMs = nowMs;
      if (restart)
        listener.passed({ kind: "restart", source: nextSource(), startedMs: ticks(), ...onClock() });
    },
    async advance(ms) {
      clockMs = await connection.advance(ms);
      return clockMs;
    },
    async handle(request) {
      const asked = { kind: "exchange" as const, startedMs: ticks(), ...onClock(), ...askedBy(request) };
      const ended = (answered: Pick<RecordedExchange, "response">) =>
        listener.passed({ ...asked, source: nextSource(), endedMs: ticks(), ...answered });
      try {
        const envelope = await connection.handle(request);
        // Values that only a caller in the same process can hand over have no place in a recording, and explain the response.
        ended(request.handed === undefined ? { response: responseOf(envelope, info) } : {});
        return envelope;
      } catch (error) {
        if (!(error instanceof NotTransportable)) ended({});
        throw error;
      }
    },
    bytesToSign: (message) => connection.bytesToSign(message),
    close: () => connection.close(),
  };
}

/** A request as it was carried: a complete Authorization header replaces the bearer. */
function askedBy({ handed: _, chunked: __, bearer, ...request }: ServiceRequest) {
  if (request.authorization !== undefined) return { request, credentials: "odd" } as const;
  if (bearer === undefined) return { request, credentials: "none" } as const;
  return { request: { ...request, bearer }, credentials: "bearer" } as const;
}

/** An envelope as HTTP carries it. */
function responseOf(envelope: unknown, { transport }: ImplementationInfo): RecordedResponse {
  const { status, body } = isObject(envelope) ? envelope : {};
  // Over HTTP a text is a response that is not JSON.
  const isText = transport === "http" && typeof body === "string" && !isJson(body);
  return {
    status: Number.isInteger(status) ? (status as number) : 0,
    body: isText ? body : (JSON.stringify(body) ?? ""),
  };
}
