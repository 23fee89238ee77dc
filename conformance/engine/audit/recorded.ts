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

/** Names and values of headers, in the order in which they were sent. */
export type Fields = readonly (readonly [name: string, value: string])[];

/** Who broke an exchange off: the client, which went away, or the service, which closed the connection or sent no HTTP. */
export type BrokenOff = "client" | "service";

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
  /** All headers of the request, where the recorder kept them; {@link headersOf} makes up the others from the request. */
  readonly headers?: Fields;
  /** Whether the body of the request was not recorded as it was, though it had one. */
  readonly requestLost?: boolean;
  readonly credentials: Credentials;
  /** Absent where no answer came. */
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

/** What the headers of a request say of who asks, and under which key. */
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
  // Of several lines services take the first, the last or all.
  return bearer === undefined || keys.length > 1
    ? { ...own, authorization: authorization.join(", "), credentials: "odd" }
    : { ...own, bearer, credentials: "bearer" };
}

/** What a recording says of an exchange, in whichever form it is. */
interface RecordedParts
  extends Pick<RecordedExchange, "source" | "startedMs" | "endedMs" | "clockMs" | "response" | "proof"> {
  readonly method: string;
  readonly path: string;
  /** Headers of the request. */
  readonly fields: Fields;
  /** What the service was handed in place of what headers say. */
  readonly bearer?: string;
  readonly idempotencyKey?: string;
  readonly body?: string | Uint8Array;
  /** Whether the request had a body that is not the one above, or is not known. */
  readonly isBodyLost: boolean;
}

/** Puts together an exchange of what a recording says of it. */
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

/** The id of the result that tells how recorded traffic breaks a rule. */
export function auditId(rule: string): string {
  return `audit/${rule}`;
}
