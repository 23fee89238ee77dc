import type { ServiceRequest } from "../adapters/adapter.ts";
import type { Recorded, RecordedResponse, RecordingHeader } from "../engine/audit/recorded.ts";
import { momentText, spanMs } from "./moment-text.ts";

/** The first line of a recording (recording.schema.json), without its end. */
export function headerLine({ complete, facts }: RecordingHeader, contract: string): string {
  return JSON.stringify({ recording: 1, contract, complete, facts });
}

/** The line of an exchange or a restart, without its end. */
export function recordedLine(item: Recorded): string {
  const { startedMs, clockMs } = item;
  const at = momentText(startedMs);
  const clock = clockMs === undefined ? {} : { clockMs };
  if (item.kind === "restart") return JSON.stringify({ restart: true, at, ...clock });
  const { endedMs, request, response, proof } = item;
  return JSON.stringify({
    at,
    durationMs: spanMs(startedMs, endedMs),
    ...clock,
    request: requestMembers(request),
    response: response === undefined ? null : { status: response.status, ...contentMembers(response) },
    ...(proof === undefined ? {} : { proof }),
  });
}

function requestMembers({ method, path, body, bearer, idempotencyKey, authorization }: ServiceRequest) {
  return {
    method,
    path,
    ...(authorization === undefined ? {} : { headers: { authorization } }),
    ...(bearer === undefined || authorization !== undefined ? {} : { bearer }),
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
    ...contentMembers({ body }),
  };
}

function contentMembers({ body }: { readonly body?: RecordedResponse["body"] | undefined }) {
  if (body === undefined) return {};
  return typeof body === "string" ? { body } : { bodyBase64: Buffer.from(body).toString("base64") };
}
