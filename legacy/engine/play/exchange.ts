import type { ServiceRequest } from "../../adapters/adapter.ts";
import type { SourcePlace } from "../vectors/vector.ts";

/** One request and its answer, as observed. */
export interface Exchange {
  /** Name of the contract's operation; `other` for a request that is none. */
  readonly operation: string;
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
  /** What the adapter was asked about the answer, where the contract has to know more to judge it. */
  readonly aside?: unknown;
}

/** Where in the vector an exchange belongs. */
export interface StepPlace {
  /** `3` or `2.1` for a step of the vector; `1 (prepared)` for what the kit did on its behalf. */
  readonly step: string;
  readonly place: SourcePlace;
}

/** Beyond this, recursion over an answer could exhaust the stack; nobody reads answers that deep. */
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
  if (levels === 0) return true;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++)
      if (isDeeperThan(levels - 1, value[index])) return true;
    return false;
  }
  for (const name in value) {
    if (isDeeperThan(levels - 1, (value as Readonly<Record<string, unknown>>)[name])) return true;
  }
  return false;
}

/** Whether a value is a JSON object. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
