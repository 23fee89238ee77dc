import type { ClientExchange } from "../contract/client/traffic/client-exchange.ts";
import type { PassedExchange } from "./passed-exchange.ts";

/** An exchange that passed, as clients are judged by it. @param file stands for the traffic */
export function clientExchangeOf(
  { number, startedMs, endedMs, request, response }: PassedExchange,
  file: string,
): ClientExchange {
  const { method, target, headers, body } = request;
  return {
    source: { file, line: number },
    startedMs,
    endedMs,
    request: {
      method,
      target,
      headers: headers.map(([name, value]) => [name.toLowerCase(), value]),
      ...(body.length === 0 ? {} : { body }),
    },
    ...(response === undefined
      ? {}
      : { response: { status: response.status, text: Buffer.from(response.body).toString() } }),
  };
}
