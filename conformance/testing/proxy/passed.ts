import type { Fields } from "../../engine/audit/recorded.ts";
import type { PassedExchange } from "../../proxy/passed-exchange.ts";

/** What a test says of an exchange; the rest is a GET that is answered 200 with an empty object. */
export interface PassedSketch {
  readonly number?: number;
  readonly startedMs?: number;
  readonly tookMs?: number;
  readonly method?: string;
  readonly target?: string;
  readonly headers?: Fields;
  readonly body?: string | Uint8Array;
  readonly status?: number;
  readonly answer?: string | Uint8Array;
  readonly answerHeaders?: Fields;
  /** Bytes of the answer that passed, where more than are kept. */
  readonly answerBytes?: number;
  readonly brokenOff?: "client" | "service";
}

/** An exchange as the proxy tells of it. */
export function passed({
  number = 1,
  startedMs = 1_000,
  tookMs = 5,
  method = "GET",
  target = "/v1/platform",
  headers = [],
  body = "",
  status = 200,
  answer = "{}",
  answerHeaders = [["content-type", "application/json"]],
  answerBytes,
  brokenOff,
}: PassedSketch = {}): PassedExchange {
  const [asked, answered] = [bytesOf(body), bytesOf(answer)];
  return {
    number,
    startedMs,
    endedMs: startedMs + tookMs,
    tookMs,
    request: { method, target, headers, body: asked, bytes: asked.length },
    ...(brokenOff === undefined
      ? {
          response: {
            status,
            reason: "OK",
            headers: answerHeaders,
            body: answered,
            bytes: answerBytes ?? answered.length,
          },
        }
      : { brokenOff }),
  };
}

function bytesOf(content: string | Uint8Array): Uint8Array {
  return new Uint8Array(Buffer.from(content));
}
