import { Agent, request } from "undici";
import type { HttpForm, HttpHeader } from "../../golden/fixture.ts";

/** What a server answered, to the byte. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** One connection for each request, so that none outlives a test. */
const dispatcher = new Agent({ pipelining: 0 });

/** Sends the HTTP form of a recorded request, with further headers, exactly as it was recorded. */
export async function send(
  url: string,
  recorded: HttpForm["request"],
  more: readonly HttpHeader[] = [],
): Promise<RawAnswer> {
  const { method, path, headers, body, bodyBase64 } = recorded;
  const bytes = bodyBase64 === undefined ? body : Buffer.from(bodyBase64, "base64");
  const answer = await request(url + path, {
    method: method as "GET",
    headers: Object.fromEntries([...headers, ...more].map(({ name, value }) => [name, value])),
    body: bytes ?? null,
    dispatcher,
  });
  return { status: answer.statusCode, headers: answer.headers, body: await answer.body.text() };
}
