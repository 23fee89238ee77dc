import { codingsIn, isCutShort, textWherePossible, uncoded } from "../audit/http-message.ts";
import {
  type BrokenOff,
  type Fields,
  type RecordedExchange,
  type RecordedResponse,
  recordedExchange,
} from "../engine/audit/recorded.ts";

/** Headers and body of a request or a response, as they passed. */
export interface PassedMessage {
  readonly headers: Fields;
  /** The kept part of the body, in an array of its own. */
  readonly body: Uint8Array;
  /** Length of the whole body, of which a part may be kept. */
  readonly bytes: number;
}

/** A request that reached the service, and its response. */
export interface PassedExchange {
  /** 1 for the first request to the proxy. */
  readonly number: number;
  /** In ms since the Unix epoch; the request was served between the two. */
  readonly startedMs: number;
  readonly endedMs: number;
  /** How long the service took, in ms, to a fraction. */
  readonly tookMs: number;
  readonly request: PassedMessage & {
    readonly method: string;
    /** Path with the query, as it was sent. */
    readonly target: string;
  };
  /** Absent without a complete response. */
  readonly response?: PassedMessage & { readonly status: number; readonly reason: string };
  readonly brokenOff?: BrokenOff;
}

/**
 * Converts an exchange that passed to a recorded exchange, with its content codings, such as
 * gzip, removed. A body whose coding cannot be removed is dropped.
 * @param file name of the recording
 */
export function recordedOf(exchange: PassedExchange, file: string): RecordedExchange {
  const { number, startedMs, endedMs, request, response, brokenOff } = exchange;
  const { method, target: path, headers } = request;
  const recorded = recordedExchange({
    source: { file, line: number },
    startedMs,
    endedMs,
    method,
    path,
    fields: headers,
    ...(request.bytes === 0 ? {} : { body: textWherePossible(readable(request).body) }),
    // Content codings of requests are outside the contract.
    isBodyLost: codingsIn(headers).length > 0 || isCutShort(headers, request.bytes),
    ...(response === undefined ? {} : { response: recordedResponse(response) }),
  });
  return {
    ...recorded,
    headers,
    ...(brokenOff === undefined ? {} : { brokenOff }),
  };
}

function recordedResponse(response: NonNullable<PassedExchange["response"]>): RecordedResponse {
  const { status, reason, headers } = response;
  const { body, bytes } = readable(response);
  // A partly kept body cannot be read.
  return { status, reason, headers, ...(body.length < bytes ? {} : { body: textWherePossible(body) }) };
}

function readable(message: PassedMessage): Pick<PassedMessage, "body" | "bytes"> {
  const codings = message.bytes === 0 ? [] : codingsIn(message.headers);
  if (codings.length === 0) return message;
  const isWhole = message.body.length === message.bytes;
  const body = isWhole ? uncoded(message.body, codings) : undefined;
  if (body === undefined) return { body: new Uint8Array(), bytes: message.bytes };
  return { body: new Uint8Array(body), bytes: body.length };
}
