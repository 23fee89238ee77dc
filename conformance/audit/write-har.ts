import type { Entry, PostData } from "har-format";
import type { ServiceRequest } from "../adapters/adapter.ts";
import type { RecordedExchange, RecordedRestart, RecordingHeader } from "../engine/audit/recorded.ts";
import { callerIn, type Fields } from "./http-fields.ts";
import { momentText, spanMs } from "./moment-text.ts";
import { pathIn } from "./path-in.ts";

/** A HAR in pieces, which stand in a file one after the other. */
export interface HarText {
  readonly begin: string;
  readonly between: string;
  readonly end: string;
  /** An exchange; `after` is the restart that came before it, where no other exchange tells of that. */
  entry(exchange: RecordedExchange, after?: RecordedRestart): string;
}

/** What is said of an entry for which HAR has no place (recording.schema.json, `ofHarEntry`). */
interface Besides {
  readonly restart?: { readonly at: string; readonly clockMs?: number };
  readonly clockMs?: number;
  readonly proof?: RecordedExchange["proof"];
  readonly request?: Partial<Pick<ServiceRequest, "path" | "bearer" | "idempotencyKey">>;
}

/** HAR 1.2 of what was recorded. @param baseUrl what stands before the path of each request */
export function harText(
  { complete, facts }: RecordingHeader,
  creator: { readonly name: string; readonly version: string },
  baseUrl: string,
): HarText {
  const log = { version: "1.2", creator, _launchDraft: { complete, facts, baseUrl } };
  return {
    begin: `${JSON.stringify({ log }).slice(0, -2)},"entries":[\n`,
    between: ",\n",
    end: "\n]}}\n",
    entry: (exchange, after) => JSON.stringify(entryOf(exchange, after, baseUrl)),
  };
}

function entryOf(
  exchange: RecordedExchange,
  after: RecordedRestart | undefined,
  baseUrl: string,
): Entry & { readonly _launchDraft?: Besides } {
  const { startedMs, endedMs, request, response } = exchange;
  const took = spanMs(startedMs, endedMs);
  const fields = fieldsOf(request);
  const url = baseUrl + (request.path.startsWith("/") ? "" : "/") + request.path;
  const besides = besidesOf(exchange, after, fields, url);
  const content = contentOf(response?.body);
  return {
    startedDateTime: momentText(startedMs),
    time: took,
    request: {
      method: request.method,
      url,
      httpVersion: "HTTP/1.1",
      cookies: [],
      headers: fields.map(([name, value]) => ({ name, value })),
      queryString: [],
      ...(request.body === undefined ? {} : { postData: postData(request.body) }),
      headersSize: -1,
      bodySize: Buffer.byteLength(request.body ?? ""),
    },
    response: {
      // HAR has no other way to say that no answer came.
      status: response?.status ?? 0,
      statusText: "",
      httpVersion: "HTTP/1.1",
      cookies: [],
      headers: [],
      content: { size: Buffer.byteLength(response?.body ?? ""), mimeType: "application/json", ...content },
      redirectURL: "",
      headersSize: -1,
      bodySize: response === undefined ? -1 : Buffer.byteLength(response.body ?? ""),
    },
    cache: {},
    timings: { send: 0, wait: took, receive: 0 },
    ...(Object.keys(besides).length === 0 ? {} : { _launchDraft: besides }),
  };
}

function fieldsOf({ bearer, authorization, idempotencyKey }: ServiceRequest): Fields {
  const credentials = authorization ?? (bearer === undefined ? undefined : `Bearer ${bearer}`);
  return [
    ...(credentials === undefined ? [] : [["authorization", credentials] as const]),
    ...(idempotencyKey === undefined ? [] : [["idempotency-key", idempotencyKey] as const]),
  ];
}

function besidesOf(
  { clockMs, proof, request }: RecordedExchange,
  after: RecordedRestart | undefined,
  fields: Fields,
  url: string,
): Besides {
  const carried = { ...callerIn(fields), path: pathIn(url) };
  const names = ["path", "bearer", "idempotencyKey"] as const;
  const lost = names.filter(
    (name) => request[name] !== undefined && !isCarried(name, carried[name], request),
  );
  return {
    ...(after === undefined ? {} : { restart: restartOf(after) }),
    ...(clockMs === undefined ? {} : { clockMs }),
    ...(proof === undefined ? {} : { proof }),
    ...(lost.length === 0 ? {} : { request: Object.fromEntries(lost.map((name) => [name, request[name]])) }),
  };
}

function restartOf({ startedMs, clockMs }: RecordedRestart): NonNullable<Besides["restart"]> {
  return { at: momentText(startedMs), ...(clockMs === undefined ? {} : { clockMs }) };
}

/** Whether a URL or a header tells what the service was handed; the path stands behind whatever comes before it. */
function isCarried(
  name: "path" | "bearer" | "idempotencyKey",
  carried: string | undefined,
  request: ServiceRequest,
): boolean {
  if (name === "path") return request.path.startsWith("/") && carried?.endsWith(request.path) === true;
  return carried === request[name];
}

/** HAR 1.2 has no way to write bytes that are no text in a request, so a member of our own says that it is base64. */
function postData(body: string | Uint8Array): PostData {
  const mimeType = "application/json";
  const { text, encoding } = contentOf(body);
  return encoding === undefined
    ? { mimeType, text: text ?? "" }
    : Object.assign({ mimeType, text: text ?? "" }, { _encoding: encoding });
}

function contentOf(body: string | Uint8Array | undefined): {
  readonly text?: string;
  readonly encoding?: string;
} {
  if (body === undefined) return {};
  if (typeof body === "string") return { text: body };
  return { text: Buffer.from(body).toString("base64"), encoding: "base64" };
}
