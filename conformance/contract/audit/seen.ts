import type { Spanned } from "../../engine/audit/order.ts";
import type { Credentials, RecordedExchange, RecordedResponse } from "../../engine/audit/recorded.ts";
import { type Exchange, readEnvelope } from "../../engine/play/exchange.ts";
import type { Moment } from "../../engine/search/model.ts";
import type { SourcePlace } from "../../engine/vectors/vector.ts";
import { codeOf, operationOf } from "../operations.ts";
import type { RoomThen } from "./seen-room.ts";

/** An exchange that was recorded, as it is judged. */
export interface SeenExchange extends Spanned {
  readonly kind: "exchange";
  readonly source: SourcePlace;
  /** When it was served, on the service's clock or on that of whoever recorded. */
  readonly moment: Moment;
  readonly exchange: Exchange;
  /** Who asked, as far as it was recorded. */
  readonly caller: Credentials;
  readonly room: RoomThen;
  /** How old the draft that it gives may have been, in ms. */
  readonly draftAgeMs: number;
  /** What the recording says of a signature that it does not hold. */
  readonly told: "holds" | "fails" | "unknown" | undefined;
}

/** A restart of the service, as it was marked. */
export interface SeenRestart extends Spanned {
  readonly kind: "restart";
  readonly source: SourcePlace;
  readonly moment: Moment;
}

export type Seen = SeenExchange | SeenRestart;

/** What a recorder puts in place of a signature; the same for the same one. */
const MASKED = /("signatureBase64"\s*:\s*")(masked:[^"]*)"/;

/** What stands in place of a mask: 64 bytes that begin as masks do. */
const STAND_IN = /("signatureBase64"\s*:\s*")(bWFza2VkO[A-Za-z0-9+/]{77}==)"/;

/** Statuses by which a server in front of a service speaks for itself or of the connection (RFC 9110, 8470 and 6585). */
const INTERMEDIARY: ReadonlySet<number> = new Set([304, 407, 408, 421, 425, 431, 502, 503, 504, 511]);

/** Whether a status is no service's; numbers that are not registered are vendors' own, such as nginx's 499. */
function isOfIntermediary(status: number): boolean {
  return INTERMEDIARY.has(status) || (status > 451 && status < 500) || status > 511;
}

/** What a recording says of a signature that it does not hold; undefined where it holds it. */
export function toldOfProof({ request, proof }: RecordedExchange): SeenExchange["told"] {
  if (proof === "holds" || proof === "fails") return proof;
  return proof === undefined && typeof request.body === "string" && MASKED.test(request.body)
    ? "unknown"
    : undefined;
}

/** A recorded exchange as the judge and the model take it; undefined where the service gave no answer. */
export function exchangeOf(
  { request, startedMs, endedMs, clockMs }: RecordedExchange,
  response: RecordedResponse,
  told: SeenExchange["told"],
): Exchange | undefined {
  const body = contentIn(response.body ?? "");
  const read = readEnvelope({ status: response.status, body });
  if (isOfIntermediary(response.status) && codeOf(read.body) === undefined) return undefined;
  return {
    operation: operationOf(request.method, request.path),
    request: told === undefined ? request : withStandIn(request),
    ...read,
    sentAt: clockMs ?? startedMs,
    answeredAt: clockMs ?? endedMs,
    plannedMs: 0,
  };
}

/** A request with another signature in place of a masked one, so that all but its value can be judged. */
function withStandIn(request: Exchange["request"]): Exchange["request"] {
  if (typeof request.body !== "string") return request;
  const body = request.body.replace(MASKED, (_, before: string, mask: string) => {
    const bytes = Buffer.alloc(64);
    bytes.write(mask.slice(-64), "latin1");
    return `${before}${bytes.toString("base64")}"`;
  });
  return { ...request, body };
}

/** A request as it was recorded, with the mask that {@link withStandIn} replaced. */
export function asRecorded(request: Exchange["request"]): Exchange["request"] {
  if (typeof request.body !== "string") return request;
  const body = request.body.replace(STAND_IN, (_, before: string, base64: string) => {
    const [mask = ""] = Buffer.from(base64, "base64").toString("latin1").split("\0");
    return `${before}${mask}"`;
  });
  return { ...request, body };
}

/** What an answer is about, where it is no JSON its text. */
function contentIn(body: string | Uint8Array): unknown {
  if (typeof body !== "string") return Buffer.from(body).toString("latin1").slice(0, 2000);
  try {
    return JSON.parse(body);
  } catch {
    return body.slice(0, 2000);
  }
}
