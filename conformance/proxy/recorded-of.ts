import { codingsIn, textWherePossible } from "../audit/content-coding.ts";
import { callerIn, isCutShort } from "../audit/http-fields.ts";
import type { RecordedExchange } from "../engine/audit/recorded.ts";
import type { PassedExchange } from "./passed-exchange.ts";

/** An exchange that passed, as a recording would tell it. @param file stands for the recording */
export function recordedOf(exchange: PassedExchange, file: string): RecordedExchange {
  const { number, startedMs, endedMs, request, response } = exchange;
  const { credentials, ...caller } = callerIn(request.headers);
  // What a service makes of a coding is not in the contract.
  const isLost = codingsIn(request.headers).length > 0 || isCutShort(request.headers, request.bytes);
  const body = request.bytes === 0 ? undefined : textWherePossible(request.body);
  return {
    kind: "exchange",
    source: { file, line: number },
    startedMs,
    endedMs,
    request: {
      method: request.method,
      path: request.target,
      ...caller,
      ...(body === undefined ? {} : { body }),
    },
    ...(isLost ? { requestLost: true } : {}),
    credentials,
    ...(response === undefined
      ? {}
      : {
          response: {
            status: response.status,
            // What only its start is kept of cannot be read.
            ...(response.body.length < response.bytes ? {} : { body: textWherePossible(response.body) }),
          },
        }),
  };
}
