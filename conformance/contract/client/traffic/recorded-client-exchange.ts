import type { RecordedExchange, RecordedResponse } from "../../../engine/audit/recorded.ts";
import { holdsRemoved, isRemoved } from "../../traffic/removed-text.ts";
import { MASKED } from "../../traffic/secret-masks.ts";
import type { ClientExchange } from "./client-exchange.ts";

/** Where a mask stands in place of a signature. */
const MASKED_SIGNATURE = new RegExp(`("signatureBase64"\\s*:\\s*")${MASKED}[^"]*"`);
/** Stands for a signature of which only the mask was recorded: its form is right. */
const STAND_IN = Buffer.alloc(64).toString("base64");

/** A recorded exchange, as clients are judged by it; undefined where its request was not recorded whole. */
export function recordedClientExchange(recorded: RecordedExchange): ClientExchange | undefined {
  const { source, startedMs, endedMs, request, requestLost, response, proof } = recorded;
  const { method, path, body, bearer, authorization, idempotencyKey } = request;
  const isCleaned = holdsRemoved(body) || [bearer, authorization, idempotencyKey].some(isRemoved);
  if (requestLost || isCleaned) return undefined;
  const isMasked = typeof body === "string" && MASKED_SIGNATURE.test(body);
  const whole = isMasked ? body.replace(MASKED_SIGNATURE, `$1${STAND_IN}"`) : body;
  const known = proof === "holds" || proof === "fails" ? proof : "unknown";
  return {
    source,
    startedMs,
    endedMs,
    request: {
      method,
      target: path,
      headers: [
        ...(bearer === undefined ? [] : [["authorization", `Bearer ${bearer}`] as const]),
        ...(authorization === undefined ? [] : [["authorization", authorization] as const]),
        ...(idempotencyKey === undefined ? [] : [["idempotency-key", idempotencyKey] as const]),
      ],
      ...(whole === undefined ? {} : { body: new Uint8Array(Buffer.from(whole)) }),
    },
    ...(response === undefined ? {} : { response: { status: response.status, text: textOf(response) } }),
    ...(isMasked ? { maskedProof: known } : {}),
  };
}

/** What an answer says; nothing where that was not recorded, though the client had it. */
function textOf({ body }: RecordedResponse): string {
  return body === undefined || holdsRemoved(body) ? "" : Buffer.from(body).toString();
}
