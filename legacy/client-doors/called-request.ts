import { Buffer } from "node:buffer";
import type { ClientRequest, StagedAnswer } from "../engine/client/trace.ts";

/** A call in process, as it is carried: values that JSON has, bytes as base64. */
export type CarriedCall = Readonly<Record<string, unknown>>;

/** Members of a call that are no headers. */
const OWN: ReadonlySet<string> = new Set([
  "method",
  "path",
  "body",
  "bodyBase64",
  "bearer",
  "idempotencyKey",
]);

/**
 * The request that a call in process stands for, by the contract's HTTP mapping. Of a member that the call shape does not
 * have a header of its name is made, so that nothing of what a client gives away goes unseen.
 */
export function calledRequest(call: CarriedCall): ClientRequest {
  const { method, path, body, bodyBase64, bearer, idempotencyKey } = call;
  const bytes =
    typeof bodyBase64 === "string"
      ? Buffer.from(bodyBase64, "base64")
      : body === undefined || body === null
        ? undefined
        : Buffer.from(text(body));
  const others = Object.entries(call).filter(([name, value]) => !OWN.has(name) && value !== undefined);
  return {
    method: text(method ?? ""),
    target: text(path ?? ""),
    headers: [
      ...(bytes === undefined ? [] : [["content-type", "application/json"] as const]),
      ...(isAbsent(bearer) ? [] : [["authorization", `Bearer ${text(bearer)}`] as const]),
      ...(isAbsent(idempotencyKey) ? [] : [["idempotency-key", text(idempotencyKey)] as const]),
      ...others.map(([name, value]) => [name.toLowerCase(), text(value)] as const),
    ],
    ...(bytes === undefined ? {} : { body: bytes }),
  };
}

/** What a call in process is given of an answer; undefined where the answer was lost on its way. */
export function envelopeOf(
  answer: StagedAnswer,
): { readonly status: number; readonly body: unknown } | undefined {
  return answer.kind === "lost" ? undefined : { status: answer.status, body: answer.body };
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}

function text(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? String(value));
}
