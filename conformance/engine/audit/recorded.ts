import type { ServiceRequest } from "../../adapters/adapter.ts";
import type { SourcePlace } from "../vectors/vector.ts";

/** What a recording says of itself. */
export interface RecordingHeader {
  /** Whether nothing is missing of what the service was asked since its start, or since the last restart. */
  readonly complete: boolean;
  /** The adapter protocol's facts, as far as they are told. */
  readonly facts: Readonly<Record<string, unknown>>;
}

/** How a request says who asks: by a bearer, by nothing, or in a way that services read differently. */
export type Credentials = "bearer" | "none" | "odd";

/** One request and what came of it, as it was recorded. */
export interface RecordedExchange {
  readonly kind: "exchange";
  readonly source: SourcePlace;
  /** When the request began and when its answer had ended, in ms since the Unix epoch, by the clock of whoever recorded. */
  readonly startedMs: number;
  readonly endedMs: number;
  /** What the service's own clock showed, where that is known. */
  readonly clockMs?: number;
  readonly request: ServiceRequest;
  /** Whether the body of the request was not recorded as it was, though it had one. */
  readonly requestLost?: boolean;
  readonly credentials: Credentials;
  /** Absent where no answer came. */
  readonly response?: RecordedResponse;
  /** Whether the signature held, where it is masked. */
  readonly proof?: "holds" | "fails" | "unread";
}

export interface RecordedResponse {
  readonly status: number;
  /** Absent where it was not recorded. */
  readonly body?: string | Uint8Array;
}

/** The service was started anew, with nothing in memory. */
export interface RecordedRestart {
  readonly kind: "restart";
  readonly source: SourcePlace;
  readonly startedMs: number;
  /** By when it was, where `startedMs` is not known to the millisecond. */
  readonly endedMs?: number;
  readonly clockMs?: number;
}

export type Recorded = RecordedExchange | RecordedRestart;

/** A recording that is read as it is needed. */
export interface Recording {
  readonly file: string;
  readonly header: RecordingHeader;
  /** In the order of the file. @throws {DataError} where the file has a fault */
  readonly items: Iterable<Recorded>;
}
