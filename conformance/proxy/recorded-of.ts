import { isUtf8 } from "node:buffer";
import { callerIn } from "../audit/http-fields.ts";
import type { RecordedExchange } from "../engine/audit/recorded.ts";
import type { PassedExchange, PassedMessage } from "./passed-exchange.ts";

/** An exchange that passed, as a recording would tell it. @param file stands for the recording */
export function recordedOf(exchange: PassedExchange, file: string): RecordedExchange {
  const { number, startedMs, endedMs, request, response } = exchange;
  const { credentials, ...caller } = callerIn(request.headers);
  const body = request.bytes === 0 ? undefined : contentOf(request);
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
    credentials,
    ...(response === undefined
      ? {}
      : {
          response: {
            status: response.status,
            // What only its start is kept of cannot be read.
            ...(response.body.length < response.bytes ? {} : { body: contentOf(response) }),
          },
        }),
  };
}

function contentOf({ body }: PassedMessage): string | Uint8Array {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  return isUtf8(bytes) ? bytes.toString() : body;
}
