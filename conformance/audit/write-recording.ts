import type { Entry, Page, PostData } from "har-format";
import type { ServiceRequest } from "../adapters/adapter.ts";
import {
  callerIn,
  type Fields,
  headersOf,
  type Recorded,
  type RecordedExchange,
  type RecordedRestart,
  type RecordingHeader,
} from "../engine/audit/recorded.ts";
import { byName, pathIn } from "./http-message.ts";
import { momentText, spanMs } from "./moments.ts";

/** Header of a recording, with what its formats need. */
export interface RecordingFacts extends RecordingHeader {
  readonly contract: string;
  readonly creator: { readonly name: string; readonly version: string };
  /** Prefix of the path of each request in a HAR, without a slash at its end. */
  readonly baseUrl: string;
}

/** Members of a HAR entry that do not come from the exchange. */
export type EntryMembers = Pick<Entry, "pageref" | "comment">;

/** A recording as consecutive pieces of text, so that a file of any size is written as exchanges pass. */
export interface RecordingForm {
  readonly begin: string;
  /** Stands between the texts of two exchanges. */
  readonly between: string;
  readonly end: string;
  /** Text of a restart; undefined where the next exchange carries it. */
  restart(item: RecordedRestart): string | undefined;
  /** Text of an exchange. @param after the restart before it, where that has no text of its own */
  exchange(item: RecordedExchange, after?: RecordedRestart, besides?: EntryMembers): string;
}

/** HAR 1.2 for a file whose name ends in `.har`, JSON lines (recording.schema.json) for any other. */
export function recordingForm(file: string, facts: RecordingFacts): RecordingForm {
  return /\.har$/i.test(file) ? harForm(facts) : linesForm(facts);
}

function linesForm({ contract, complete, facts }: RecordingFacts): RecordingForm {
  return {
    begin: `${JSON.stringify({ recording: 1, contract, complete, facts })}\n`,
    between: "",
    end: "",
    restart: (item) => `${JSON.stringify({ restart: true, ...momentMembers(item) })}\n`,
    exchange: (item) => `${JSON.stringify(lineOf(item))}\n`,
  };
}

function lineOf(item: RecordedExchange): object {
  const { startedMs, endedMs, request, headers, response, proof } = item;
  const { method, path, body } = request;
  const { at, ...clock } = momentMembers(item);
  return {
    at,
    durationMs: spanMs(startedMs, endedMs),
    ...clock,
    request: {
      method,
      path,
      ...(headers === undefined ? credentialsOf(request) : { headers: byName(headers) }),
      ...contentMembers(body),
    },
    response:
      response === undefined
        ? null
        : {
            status: response.status,
            ...(response.headers === undefined ? {} : { headers: byName(response.headers) }),
            ...contentMembers(response.body),
          },
    ...(proof === undefined ? {} : { proof }),
  };
}

function credentialsOf({ bearer, idempotencyKey, authorization }: ServiceRequest) {
  return {
    ...(authorization === undefined ? {} : { headers: { authorization } }),
    ...(bearer === undefined || authorization !== undefined ? {} : { bearer }),
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
  };
}

function momentMembers({ startedMs, clockMs }: Recorded): { readonly at: string; readonly clockMs?: number } {
  return { at: momentText(startedMs), ...(clockMs === undefined ? {} : { clockMs }) };
}

function contentMembers(body: string | Uint8Array | undefined): { body?: string; bodyBase64?: string } {
  if (body === undefined) return {};
  return typeof body === "string" ? { body } : { bodyBase64: Buffer.from(body).toString("base64") };
}

/** Members of an entry that have no place in HAR (recording.schema.json, `ofHarEntry`). */
interface OwnMembers {
  readonly restart?: ReturnType<typeof momentMembers>;
  readonly clockMs?: number;
  readonly proof?: RecordedExchange["proof"];
  readonly request?: Partial<Pick<ServiceRequest, "path" | "bearer" | "idempotencyKey">>;
}

/** Members of the log besides those of a recording. */
interface HarPages {
  readonly pages: readonly Page[];
  readonly comment: string;
}

/** HAR 1.2: a restart stands in the entry of the exchange after it. */
export function harForm(facts: RecordingFacts, pages?: HarPages): RecordingForm {
  const { complete, creator, baseUrl } = facts;
  const own = { complete, facts: facts.facts, baseUrl };
  const log = { version: "1.2", creator, _launchDraft: own, ...pages };
  return {
    begin: `${JSON.stringify({ log }).slice(0, -2)},"entries":[\n`,
    between: ",\n",
    end: "\n]}}\n",
    restart: () => undefined,
    exchange: (item, after, besides) => JSON.stringify({ ...harEntry(item, baseUrl, after), ...besides }),
  };
}

/**
 * An exchange as an entry of a HAR.
 * @param after the restart before it, where no other entry carries it
 */
function harEntry(
  exchange: RecordedExchange,
  baseUrl: string,
  after?: RecordedRestart,
): Entry & { readonly _launchDraft?: OwnMembers } {
  const { startedMs, endedMs, request, response, brokenOff } = exchange;
  const took = spanMs(startedMs, endedMs);
  const fields = headersOf(exchange);
  const answerFields = response?.headers ?? [];
  const url = baseUrl + (request.path.startsWith("/") ? "" : "/") + request.path;
  const own = ownMembers(exchange, after, url);
  return {
    startedDateTime: momentText(startedMs),
    time: took,
    request: {
      method: request.method,
      url,
      httpVersion: "HTTP/1.1",
      cookies: [],
      headers: listed(fields),
      queryString: queryOf(url),
      ...postData(request.body, mimeTypeIn(exchange.headers)),
      headersSize: -1,
      bodySize: Buffer.byteLength(request.body ?? ""),
    },
    response: {
      // HAR has no other way to say that there was no response.
      status: response?.status ?? 0,
      statusText: response?.reason ?? "",
      httpVersion: "HTTP/1.1",
      cookies: [],
      headers: listed(answerFields),
      content: {
        size: sizeOf(response),
        mimeType: mimeTypeIn(response?.headers),
        ...harContent(response?.body),
      },
      redirectURL: "",
      headersSize: -1,
      bodySize: response === undefined ? -1 : sizeOf(response),
    },
    cache: {},
    timings: { send: 0, wait: took, receive: 0 },
    ...(brokenOff === undefined ? {} : { comment: `broken off by the ${brokenOff}` }),
    ...(Object.keys(own).length === 0 ? {} : { _launchDraft: own }),
  };
}

function listed(fields: Fields): { name: string; value: string }[] {
  return fields.map(([name, value]) => ({ name, value }));
}

function queryOf(url: string): { name: string; value: string }[] {
  const query = URL.canParse(url) ? [...new URL(url).searchParams] : [];
  return listed(query);
}

/** Media type of a body; JSON where no headers were kept. */
function mimeTypeIn(fields: Fields | undefined): string {
  if (fields === undefined) return "application/json";
  return fields.find(([name]) => name.toLowerCase() === "content-type")?.[1] ?? "";
}

/** Bytes of a response's body; -1 where it was not recorded. */
function sizeOf(response: RecordedExchange["response"]): number {
  if (response === undefined) return 0;
  return response.body === undefined ? -1 : Buffer.byteLength(response.body);
}

/** HAR 1.2 cannot represent binary request bodies; a custom member marks base64. */
function postData(body: string | Uint8Array | undefined, mimeType: string): { readonly postData?: PostData } {
  if (body === undefined) return {};
  const { text = "", encoding } = harContent(body);
  return { postData: encoding === undefined ? { mimeType, text } : withEncoding({ mimeType, text }) };
}

function withEncoding(postData: { readonly mimeType: string; readonly text: string }): PostData {
  return Object.assign({}, postData, { _encoding: "base64" });
}

function harContent(body: string | Uint8Array | undefined): {
  readonly text?: string;
  readonly encoding?: string;
} {
  const { body: text, bodyBase64 } = contentMembers(body);
  if (bodyBase64 !== undefined) return { text: bodyBase64, encoding: "base64" };
  return text === undefined ? {} : { text };
}

function ownMembers(exchange: RecordedExchange, after: RecordedRestart | undefined, url: string): OwnMembers {
  const { clockMs, proof, request } = exchange;
  const carried = { ...callerIn(headersOf(exchange)), path: pathIn(url) };
  const names = ["path", "bearer", "idempotencyKey"] as const;
  const lost = names.filter(
    (name) => request[name] !== undefined && !isCarried(name, carried[name], request),
  );
  return {
    ...(after === undefined ? {} : { restart: momentMembers(after) }),
    ...(clockMs === undefined ? {} : { clockMs }),
    ...(proof === undefined ? {} : { proof }),
    ...(lost.length === 0 ? {} : { request: Object.fromEntries(lost.map((name) => [name, request[name]])) }),
  };
}

/** Whether a URL or a header carries a value of the request; the path may have a prefix. */
function isCarried(
  name: "path" | "bearer" | "idempotencyKey",
  carried: string | undefined,
  request: ServiceRequest,
): boolean {
  if (name === "path") return request.path.startsWith("/") && carried?.endsWith(request.path) === true;
  return carried === request[name];
}
