import { isUtf8 } from "node:buffer";
import type { Entry, PostData } from "har-format";
import { byName } from "./end-to-end-headers.ts";
import type { Header, PassedExchange } from "./passed-exchange.ts";

/** What is known of an exchange besides what passed. */
export interface RecordedBesides {
  /** Whether the signature of a proof held, where that is known. */
  readonly proof?: "holds" | "fails" | "unread";
}

/** How exchanges are written, one after the other, so that a file of any size is written as they pass. */
export interface RecordingForm {
  readonly begin: string;
  readonly between: string;
  readonly end: string;
  /** One exchange. */
  text(exchange: PassedExchange, besides: RecordedBesides): string;
}

/** What a recording says of itself. */
export interface RecordingFacts {
  readonly contract: string;
  /** Address of the service, without a slash at its end. */
  readonly baseUrl: string;
  readonly creator: { readonly name: string; readonly version: string };
  readonly facts: Readonly<Record<string, unknown>>;
}

/** HAR 1.2 for a file whose name ends so, JSON lines (recording.schema.json) for any other. */
export function recordingForm(file: string, facts: RecordingFacts): RecordingForm {
  return /\.har$/i.test(file) ? harForm(facts) : linesForm(facts);
}

function linesForm({ contract, facts }: RecordingFacts): RecordingForm {
  return {
    begin: `${JSON.stringify({ recording: 1, contract, complete: false, facts })}\n`,
    between: "",
    end: "",
    text: (exchange, besides) => `${JSON.stringify({ ...lineOf(exchange), ...besides })}\n`,
  };
}

function lineOf({ startedMs, endedMs, request, response }: PassedExchange) {
  const { method, target, headers } = request;
  return {
    at: new Date(startedMs).toISOString(),
    durationMs: endedMs - startedMs,
    request: { method, path: target, headers: byName(headers), ...lineContent(request) },
    response:
      response === undefined
        ? null
        : {
            status: response.status,
            headers: byName(response.headers),
            ...(isCut(response) ? {} : lineContent(response)),
          },
  };
}

function lineContent({ body, bytes }: PassedExchange["request"] | NonNullable<PassedExchange["response"]>) {
  if (bytes === 0) return {};
  const { text, isBase64 } = contentOf(body);
  return isBase64 ? { bodyBase64: text } : { body: text };
}

function harForm({ baseUrl, creator, facts }: RecordingFacts): RecordingForm {
  const log = { version: "1.2", creator, _launchDraft: { complete: false, facts, baseUrl } };
  const begin = JSON.stringify({ log }).slice(0, -2);
  return {
    begin: `${begin},"entries":[\n`,
    between: ",\n",
    end: "\n]}}\n",
    text: (exchange, besides) => JSON.stringify(entryOf(exchange, baseUrl, besides)),
  };
}

function entryOf(
  { startedMs, endedMs, request, response, brokenOff }: PassedExchange,
  baseUrl: string,
  besides: RecordedBesides,
): Entry & { readonly _launchDraft?: RecordedBesides } {
  const url = baseUrl + (request.target.startsWith("/") ? "" : "/") + request.target;
  const took = endedMs - startedMs;
  const mimeType = (headers: readonly Header[]) =>
    headers.find(([name]) => name.toLowerCase() === "content-type")?.[1] ?? "";
  return {
    startedDateTime: new Date(startedMs).toISOString(),
    time: took,
    request: {
      method: request.method,
      url,
      httpVersion: "HTTP/1.1",
      cookies: [],
      headers: request.headers.map(([name, value]) => ({ name, value })),
      queryString: [...new URL(url).searchParams].map(([name, value]) => ({ name, value })),
      ...(request.bytes === 0 ? {} : { postData: postData(request.body, mimeType(request.headers)) }),
      headersSize: -1,
      bodySize: request.bytes,
    },
    response: {
      // HAR has no other way to say that no answer came.
      status: response?.status ?? 0,
      statusText: response?.reason ?? "",
      httpVersion: "HTTP/1.1",
      cookies: [],
      headers: (response?.headers ?? []).map(([name, value]) => ({ name, value })),
      content: {
        size: response?.bytes ?? 0,
        mimeType: mimeType(response?.headers ?? []),
        ...(response === undefined || isCut(response) ? {} : answerText(response.body)),
      },
      redirectURL: "",
      headersSize: -1,
      bodySize: response?.bytes ?? -1,
    },
    cache: {},
    timings: { send: 0, wait: took, receive: 0 },
    ...(brokenOff === undefined ? {} : { comment: `broken off by the ${brokenOff}` }),
    ...(besides.proof === undefined ? {} : { _launchDraft: besides }),
  };
}

function postData(body: Uint8Array, mimeType: string): PostData {
  const { text, isBase64 } = contentOf(body);
  return isBase64 ? Object.assign({ mimeType, text }, { _encoding: "base64" }) : { mimeType, text };
}

function answerText(body: Uint8Array): { readonly text: string; readonly encoding?: string } {
  const { text, isBase64 } = contentOf(body);
  return isBase64 ? { text, encoding: "base64" } : { text };
}

function contentOf(body: Uint8Array): { readonly text: string; readonly isBase64: boolean } {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const isBase64 = !isUtf8(bytes);
  return { text: bytes.toString(isBase64 ? "base64" : "utf8"), isBase64 };
}

/** Whether only the start of a body is there. */
function isCut({ body, bytes }: NonNullable<PassedExchange["response"]>): boolean {
  return body.length < bytes;
}
