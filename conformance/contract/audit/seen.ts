import type { Spanned } from "../../engine/audit/partition.ts";
import type { Credentials, RecordedExchange } from "../../engine/audit/recorded.ts";
import { type Exchange, readEnvelope } from "../../engine/play/exchange.ts";
import type { Moment } from "../../engine/search/model.ts";
import type { SourcePlace } from "../../engine/vectors/vector.ts";
import { codeOf, operationOf } from "../operations.ts";
import { type ProofSaid, withSignature } from "../traffic/secret-masks.ts";

/** State of the service's capacity when a response was given. */
export interface CapacityThen {
  /** Whether a store may have been full. */
  readonly crowded: boolean;
  /** Whether there were many requests for challenges and sessions. */
  readonly manyAsked: boolean;
}

/** A recorded exchange as it is judged. */
export interface SeenExchange extends Spanned {
  readonly kind: "exchange";
  readonly source: SourcePlace;
  /** When it was served, by the service's clock or the recorder's. */
  readonly moment: Moment;
  readonly exchange: Exchange;
  /** How the request identifies its sender. */
  readonly caller: Credentials;
  readonly room: CapacityThen;
  /** Greatest age of the draft in the response, in ms. */
  readonly draftAgeMs: number;
  /** What the recording says of a signature that it does not contain. */
  readonly told: ProofSaid;
}

/** A recorded restart of the service. */
export interface SeenRestart extends Spanned {
  readonly kind: "restart";
  readonly source: SourcePlace;
  readonly moment: Moment;
}

export type Seen = SeenExchange | SeenRestart;

/** Statuses by which a server in front of a service speaks for itself or of the connection (RFC 9110, 8470 and 6585). */
const INTERMEDIARY: ReadonlySet<number> = new Set([304, 407, 408, 421, 425, 431, 502, 503, 504, 511]);

/** Whether a status is no service's; numbers that are not registered are vendors' own, such as nginx's 499. */
function isOfIntermediary(status: number): boolean {
  return INTERMEDIARY.has(status) || (status > 451 && status < 500) || status > 511;
}

/** Reads a recorded exchange for the judge and the model; undefined where the service gave no response. */
export function exchangeOf(recorded: RecordedExchange, told: ProofSaid): Exchange | undefined {
  const { request, response, startedMs, endedMs, clockMs } = recorded;
  if (response === undefined) return undefined;
  const body = contentIn(response.body ?? "");
  const read = readEnvelope({ status: response.status, body });
  if (isOfIntermediary(response.status) && codeOf(read.body) === undefined) return undefined;
  return {
    operation: operationOf(request.method, request.path),
    request: told === undefined ? request : withSignature(request),
    ...read,
    sentAt: clockMs ?? startedMs,
    answeredAt: clockMs ?? endedMs,
    plannedMs: 0,
  };
}

/** Value of a body, or its text where it is not JSON. */
function contentIn(body: string | Uint8Array): unknown {
  if (typeof body !== "string") return Buffer.from(body).toString("latin1").slice(0, 2000);
  try {
    return JSON.parse(body);
  } catch {
    return body.slice(0, 2000);
  }
}
