import type { ServiceRequest } from "../adapters/adapter.ts";

/** The operations of the contract; anything else is `other`. */
export type Operation = "platform" | "challenge" | "verify" | "build" | "other";

/** One request and its answer, as observed. */
export interface Exchange {
  readonly operation: Operation;
  readonly request: ServiceRequest;
  /** The envelope exactly as the implementation gave it. */
  readonly envelope: unknown;
  /** `status` of the envelope, where it is an integer. */
  readonly status: number | undefined;
  /** `body` of the envelope, where it is an object; else an empty one. */
  readonly body: Readonly<Record<string, unknown>>;
  /** The service's clock when the request went out and when the answer was in, in ms since the Unix epoch. */
  readonly sentAt: number;
  readonly answeredAt: number;
}

const OPERATIONS: Readonly<Record<string, Operation>> = {
  "GET /v1/platform": "platform",
  "POST /v1/auth/challenge": "challenge",
  "POST /v1/auth/verify": "verify",
  "POST /v1/launch/build": "build",
};

/** Which operation of the contract a request is, by its exact method and path (contract, "Endpoints"). */
export function operationOf(method: string, path: string): Operation {
  return OPERATIONS[`${method} ${path}`] ?? "other";
}

/** Reads an envelope as far as it is one. */
export function readEnvelope(envelope: unknown): Pick<Exchange, "status" | "body"> {
  const { status, body } = isObject(envelope) ? envelope : {};
  return {
    status: Number.isInteger(status) ? (status as number) : undefined,
    body: isObject(body) ? body : {},
  };
}

/** Whether a value is a JSON object. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The request's body as a JSON object, as a lenient reader sees it; undefined where it is none. */
export function requestJson({ body }: ServiceRequest): Readonly<Record<string, unknown>> | undefined {
  if (body === undefined) return undefined;
  try {
    const text = typeof body === "string" ? body : Buffer.from(body).toString("utf8");
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ""));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
