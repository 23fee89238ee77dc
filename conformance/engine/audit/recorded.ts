import type { ServiceRequest } from "../../adapters/adapter.ts";
import type { SourcePlace } from "../vectors/vector.ts";

/** Header of a recording. */
export interface RecordingHeader {
  /** Whether the recording has every request since the service's start, or since its last restart. */
  readonly complete: boolean;
  /** Facts of the adapter protocol that are stated. */
  readonly facts: Readonly<Record<string, unknown>>;
}

/** How a request identifies its sender: by a bearer, not at all, or in a way that services read differently. */
export type Credentials = "bearer" | "none" | "odd";

/** Names and values of headers, in the order in which they were sent. */
export type Fields = readonly (readonly [name: string, value: string])[];

/** Who aborted an exchange: the client, which went away, or the service, which closed the connection or sent invalid HTTP. */
export type BrokenOff = "client" | "service";

/** One request and its response, as recorded. */
export interface RecordedExchange {
  readonly kind: "exchange";
  readonly source: SourcePlace;
  /** When the request began and when its response had ended, in ms since the Unix epoch, by the recorder's clock. */
  readonly startedMs: number;
  readonly endedMs: number;
  /** Reading of the service's own clock, where that is known. */
  readonly clockMs?: number;
  readonly request: ServiceRequest;
  /** All headers of the request, where the recorder kept them; {@link headersOf} makes up the others from the request. */
  readonly headers?: Fields;
  /** Whether the request had a body that was not recorded as it was sent. */
  readonly requestLost?: boolean;
  readonly credentials: Credentials;
  /** Absent without a response. */
  readonly response?: RecordedResponse;
  readonly brokenOff?: BrokenOff;
  /** Whether the signature held, where it is masked. */
  readonly proof?: "holds" | "fails" | "unread";
}

export interface RecordedResponse {
  readonly status: number;
  readonly reason?: string;
  readonly headers?: Fields;
  /** Absent where it was not recorded. */
  readonly body?: string | Uint8Array;
}

/** A restart of the service, which loses its memory. */
export interface RecordedRestart {
  readonly kind: "restart";
  readonly source: SourcePlace;
  readonly startedMs: number;
  /** Latest moment of the restart, where `startedMs` is not exact to the millisecond. */
  readonly endedMs?: number;
  readonly clockMs?: number;
}

export type Recorded = RecordedExchange | RecordedRestart;

/** A recording that is read lazily. */
export interface Recording {
  readonly file: string;
  readonly header: RecordingHeader;
  /** In the order of the file. @throws {DataError} where the file has a fault */
  readonly items: Iterable<Recorded>;
}

/** The headers that a request was sent with, or those that carry its credentials and its key where no others were kept. */
export function headersOf({ headers, request }: Pick<RecordedExchange, "headers" | "request">): Fields {
  if (headers !== undefined) return headers;
  const { bearer, authorization, idempotencyKey } = request;
  const credentials = authorization ?? (bearer === undefined ? undefined : `Bearer ${bearer}`);
  return [
    ...(credentials === undefined ? [] : [["authorization", credentials] as const]),
    ...(idempotencyKey === undefined ? [] : [["idempotency-key", idempotencyKey] as const]),
  ];
}

/** Reads the sender and the idempotency key from the headers of a request. */
export function callerIn(fields: Fields): Pick<
  ServiceRequest,
  "bearer" | "idempotencyKey" | "authorization"
> & {
  readonly credentials: Credentials;
} {
  const values = (wanted: string) =>
    fields.flatMap(([name, value]) => (name.toLowerCase() === wanted ? [value.trim()] : []));
  const authorization = values("authorization");
  const keys = values("idempotency-key");
  const own = keys.length === 0 ? {} : { idempotencyKey: keys.join(", ") };
  if (authorization.length === 0) return { ...own, credentials: keys.length > 1 ? "odd" : "none" };
  const bearer = authorization.length === 1 ? /^Bearer (\S+)$/.exec(authorization[0] ?? "")?.[1] : undefined;
  // Of several header lines, services take the first, the last or all.
  return bearer === undefined || keys.length > 1
    ? { ...own, authorization: authorization.join(", "), credentials: "odd" }
    : { ...own, bearer, credentials: "bearer" };
}

/** What a recording of any format says about an exchange. */
interface RecordedParts
  extends Pick<RecordedExchange, "source" | "startedMs" | "endedMs" | "clockMs" | "response" | "proof"> {
  readonly method: string;
  readonly path: string;
  /** Headers of the request. */
  readonly fields: Fields;
  /** Values that the service was called with, which take precedence over the headers. */
  readonly bearer?: string;
  readonly idempotencyKey?: string;
  readonly body?: string | Uint8Array;
  /** Whether the request had a body that is not the one above, or is not known. */
  readonly isBodyLost: boolean;
}

/** Makes a recorded exchange. */
export function recordedExchange(parts: RecordedParts): RecordedExchange {
  const { method, path, fields, bearer, idempotencyKey, body, isBodyLost, ...rest } = parts;
  const { credentials, authorization, ...told } = callerIn(fields);
  return {
    kind: "exchange",
    ...rest,
    request: {
      method,
      path,
      ...told,
      ...(authorization === undefined || bearer !== undefined ? {} : { authorization }),
      ...(bearer === undefined ? {} : { bearer }),
      ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
      ...(body === undefined ? {} : { body }),
    },
    ...(isBodyLost ? { requestLost: true } : {}),
    credentials: bearer === undefined ? credentials : "bearer",
  };
}

/** Returns the id of the result for a rule that recorded traffic violates. */
export function auditId(rule: string): string {
  return `audit/${rule}`;
}
