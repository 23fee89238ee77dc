import type { Adapter, Connection, ServiceRequest } from "../adapters/adapter.ts";
import type { Recorded, RecordedResponse } from "../engine/audit/recorded.ts";
import { isObject } from "../engine/play/exchange.ts";

/** Tells when a request goes out and when its answer is in, in ms; each time later than before. */
export type Ticks = () => number;

/** An adapter with all that passed through each of its connections. */
export interface RecordingAdapter extends Adapter {
  /** One recording for each connection, in the order in which they were opened. */
  readonly recordings: readonly (readonly Recorded[])[];
}

/**
 * Records what passes through an adapter whose services have a clock that can be moved: every exchange with the reading of
 * that clock, and every start.
 */
export function recordingAdapter(adapter: Adapter, ticks: Ticks): RecordingAdapter {
  const recordings: Recorded[][] = [];
  return {
    transport: adapter.transport,
    jobs: adapter.jobs,
    recordings,
    async connect(contract) {
      const recording: Recorded[] = [];
      recordings.push(recording);
      return recordingConnection(await adapter.connect(contract), recording, ticks);
    },
    close: () => adapter.close(),
  };
}

function recordingConnection(connection: Connection, recording: Recorded[], ticks: Ticks): Connection {
  let clockMs = 0;
  const nextSource = () => ({ file: "recording", line: recording.length + 1 });
  return {
    info: connection.info,
    ...(connection.carrier === undefined ? {} : { carrier: connection.carrier }),
    async start(nowMs) {
      await connection.start(nowMs);
      clockMs = nowMs;
      recording.push({ kind: "restart", source: nextSource(), startedMs: ticks(), clockMs });
    },
    async advance(ms) {
      clockMs = await connection.advance(ms);
      return clockMs;
    },
    async handle(request) {
      const startedMs = ticks();
      const at = { startedMs, clockMs };
      // It is in its place from when it goes out: others may be answered before it.
      const source = nextSource();
      const place = recording.length;
      recording.push({ kind: "exchange", source, ...at, endedMs: startedMs, ...asked(request) });
      const answered = (response: RecordedResponse | undefined) => {
        const told = response === undefined ? {} : { response };
        recording[place] = { kind: "exchange", source, ...at, endedMs: ticks(), ...asked(request), ...told };
      };
      try {
        const envelope = await connection.handle(request);
        // What only a caller in the same process can hand over has no place in a recording, and explains its answer.
        answered(request.handed === undefined ? responseOf(envelope) : undefined);
        return envelope;
      } catch (error) {
        answered(undefined);
        throw error;
      }
    },
    bytesToSign: (message) => connection.bytesToSign(message),
    close: () => connection.close(),
  };
}

function asked({ handed: _, ...request }: ServiceRequest) {
  const { bearer, authorization } = request;
  const credentials = authorization !== undefined ? "odd" : bearer === undefined ? "none" : "bearer";
  return { request, credentials } as const;
}

/** An envelope as HTTP would carry it. */
function responseOf(envelope: unknown): RecordedResponse {
  const { status, body } = isObject(envelope) ? envelope : {};
  return {
    status: Number.isInteger(status) ? (status as number) : 0,
    body: JSON.stringify(body) ?? "",
  };
}
