import type { Entry, Har, Page, PostData } from "har-format";
import { momentText } from "../audit/moment-text.ts";
import { kitVersion } from "../paths.ts";
import type { ExchangeStep, Fixture, HttpForm } from "./fixture.ts";
import type { GoldenFolder } from "./read-golden.ts";

/** The contract has no base URL, and HAR wants one: a name that never resolves (RFC 2606, section 2). */
const NOWHERE = "http://launch-draft.invalid";

/** RFC 9110, section 15, and RFC 6585; Node's own words differ between its versions. */
const REASONS: Readonly<Record<number, string>> = {
  200: "OK",
  400: "Bad Request",
  401: "Unauthorized",
  404: "Not Found",
  409: "Conflict",
  413: "Content Too Large",
  429: "Too Many Requests",
};

/**
 * Fixtures as HAR 1.2, for browsers' and proxies' tools: a page for each fixture, an entry for each exchange.
 * @param baseUrl what stands before each request's path, without a slash at its end
 */
export function harText({ index, fixtures }: GoldenFolder, baseUrl = NOWHERE): string {
  const { name, version } = index.implementation;
  const onTestClock = index.clock === "virtual";
  const log = {
    version: "1.2",
    creator: { name: "launch-draft-conformance", version: kitVersion() },
    _launchDraft: { complete: onTestClock, facts: index.facts, baseUrl },
  };
  const har: Har = {
    log: {
      ...log,
      pages: fixtures.map(page),
      entries: fixtures.flatMap((fixture) => entriesOf(fixture, onTestClock, baseUrl)),
      comment: `Golden fixtures ${index.version}, as ${name} ${version} answered them. Times are those of its test clock.`,
    },
  };
  return `${JSON.stringify(har, null, 2)}\n`;
}

/** Each fixture as a HAR of its own, by its file's name: what answers from a HAR takes the first entry that fits. */
export function harFiles(golden: GoldenFolder, baseUrl?: string): ReadonlyMap<string, string> {
  return new Map(
    golden.fixtures.map((fixture) => [
      `${fixture.name}.har`,
      harText({ ...golden, fixtures: [fixture] }, baseUrl),
    ]),
  );
}

function page({ name, title, steps }: Fixture): Page {
  return { id: name, title, startedDateTime: moment(steps[0]?.nowMs ?? 0), pageTimings: {} };
}

/** Each fixture is of a service of its own, which `audit` is told where the clock is the service's. */
function entriesOf(fixture: Fixture, onTestClock: boolean, baseUrl: string): readonly Entry[] {
  const entries: Entry[] = [];
  let started: number | undefined = fixture.steps[0]?.nowMs;
  for (const step of fixture.steps) {
    if (step.kind === "restart") started = step.nowMs;
    if (step.kind !== "exchange") continue;
    // On a clock that stands still a microsecond tells what came first.
    const at = (ms: number) => momentText(ms + entries.length / 1000);
    const restart = started === undefined ? {} : { restart: { at: at(started), clockMs: started } };
    const besides = onTestClock ? { _launchDraft: { clockMs: step.nowMs, ...restart } } : {};
    entries.push({ ...entry(fixture, step, baseUrl), startedDateTime: at(step.nowMs), ...besides });
    started = undefined;
  }
  return entries;
}

function entry({ name }: Fixture, { step, nowMs, http }: ExchangeStep, baseUrl: string): Entry {
  const { request, response } = http;
  return {
    pageref: name,
    startedDateTime: moment(nowMs),
    time: 0,
    request: {
      method: request.method,
      url: baseUrl + request.path,
      httpVersion: "HTTP/1.1",
      cookies: [],
      headers: [...request.headers],
      queryString: queryOf(request.path),
      ...postData(request),
      headersSize: -1,
      bodySize: bytesOf(request).length,
    },
    response: {
      status: response.status,
      statusText: REASONS[response.status] ?? "",
      httpVersion: "HTTP/1.1",
      cookies: [],
      headers: [...response.headers],
      content: { size: Buffer.byteLength(response.body), mimeType: "application/json", text: response.body },
      redirectURL: "",
      headersSize: -1,
      bodySize: Buffer.byteLength(response.body),
    },
    cache: {},
    timings: { send: 0, wait: 0, receive: 0 },
    comment: `step ${step}`,
  };
}

/** HAR 1.2 has no way to write bytes that are no text in a request, so a member of our own says that it is base64. */
function postData(request: HttpForm["request"]): { readonly postData?: PostData } {
  const { body, bodyBase64 } = request;
  const mimeType = "application/json";
  if (bodyBase64 !== undefined) {
    const data = { mimeType, text: bodyBase64, _encoding: "base64" };
    return { postData: data };
  }
  return body === undefined ? {} : { postData: { mimeType, text: body } };
}

function bytesOf({ body = "", bodyBase64 }: HttpForm["request"]): Buffer {
  return bodyBase64 === undefined ? Buffer.from(body) : Buffer.from(bodyBase64, "base64");
}

function queryOf(path: string): { readonly name: string; readonly value: string }[] {
  return [...new URL(path, NOWHERE).searchParams].map(([name, value]) => ({ name, value }));
}

function moment(ms: number): string {
  return new Date(ms).toISOString();
}
