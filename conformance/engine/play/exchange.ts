import type { ServiceRequest } from "../../adapters/adapter.ts";

/** The operations of the contract; anything else is `other`. */
export type Operation = "platform" | "challenge" | "verify" | "build" | "other";

/** One request and its answer, as observed. */
export interface Exchange {
  readonly operation: Operation;
  readonly request: ServiceRequest;
  /** The envelope as the implementation gave it. */
  readonly envelope: unknown;
  /** `status` of the envelope, where it is an integer. */
  readonly status: number | undefined;
  /** `body` of the envelope, where it is an object; else an empty one. */
  readonly body: Readonly<Record<string, unknown>>;
  /** The service's clock when the request went out and when the answer was in, in ms since the Unix epoch. */
  readonly sentAt: number;
  readonly answeredAt: number;
  /** When it was to be sent, in ms since its vector began: time that waits take, and nothing else. */
  readonly plannedMs: number;
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

/** Beyond this, recursion over an answer could exhaust the stack; no answer of the contract has more than five. */
const DEEPEST = 100;

/** Reads what an implementation gave as its envelope, as far as it is one. */
export function readEnvelope(given: unknown): Pick<Exchange, "envelope" | "status" | "body"> {
  const envelope = isDeeperThan(DEEPEST, given) ? `(nested more than ${DEEPEST} levels deep)` : given;
  const { status, body } = isObject(envelope) ? envelope : {};
  return {
    envelope,
    status: Number.isInteger(status) ? (status as number) : undefined,
    body: isObject(body) ? body : {},
  };
}

function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((member) => isDeeperThan(levels - 1, member));
}

/** Whether a value is a JSON object. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * The request's body as a JSON object, as a lenient reader sees it; undefined where it is none, and where it names a
 * member twice: which of the two counts is open.
 */
export function requestJson({ body }: ServiceRequest): Readonly<Record<string, unknown>> | undefined {
  if (body === undefined) return undefined;
  try {
    const text = typeof body === "string" ? body : Buffer.from(body).toString("utf8");
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ""));
    return isObject(value) && membersIn(text) === membersOf(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** How many members a JSON text spells out: every colon outside of its strings. */
function membersIn(json: string): number {
  return json.replace(/"(?:[^"\\]|\\.)*"/gs, "").split(":").length - 1;
}

function membersOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  const inner = Object.values(value);
  return inner.reduce<number>(
    (sum, member) => sum + membersOf(member),
    Array.isArray(value) ? 0 : inner.length,
  );
}
