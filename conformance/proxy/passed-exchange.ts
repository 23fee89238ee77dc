import { codingsIn, isCutShort, textWherePossible, uncoded } from "../audit/http-message.ts";
import {
  type BrokenOff,
  type Fields,
  type RecordedExchange,
  type RecordedResponse,
  recordedExchange,
} from "../engine/audit/recorded.ts";

/** The headers and the body of a request or an answer, as they passed. */
export interface PassedMessage {
  readonly headers: Fields;
  /** The body as far as it is kept, in an array of its own. */
  readonly body: Uint8Array;
  /** Bytes of the body that passed: more than are kept where it was larger than what is kept of one. */
  readonly bytes: number;
}

/** A request that reached the service, and what came of it. */
export interface PassedExchange {
  /** 1 for the first request that the proxy was sent. */
  readonly number: number;
  /** In ms since the Unix epoch: the request was served at some moment from the one to the other. */
  readonly startedMs: number;
  readonly endedMs: number;
  /** How long the service took, in ms, to a fraction. */
  readonly tookMs: number;
  readonly request: PassedMessage & {
    readonly method: string;
    /** Path with the query, as it was sent. */
    readonly target: string;
  };
  /** Absent where no whole answer came. */
  readonly response?: PassedMessage & { readonly status: number; readonly reason: string };
  readonly brokenOff?: BrokenOff;
}

/**
 * An exchange that passed, as a recording tells it: its bodies as they were before they were coded for their way, such as by
 * gzip. Of a body whose coding cannot be undone nothing is left but that there was one.
 * @param file stands for the recording
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
    // What a service makes of a coding is not in the contract.
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
  // What only its start is kept of cannot be read.
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
