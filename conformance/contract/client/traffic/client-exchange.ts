import type { ClientRequest, StagedAnswer, Turn } from "../../../engine/client/trace.ts";
import { isObject } from "../../../engine/play/exchange.ts";
import type { SourcePlace } from "../../../engine/vectors/vector.ts";
import { operationOf } from "../../operations.ts";

/** A request of some client that passed, and what it was answered. */
export interface ClientExchange {
  /** Where it is told of. */
  readonly source: SourcePlace;
  /** In ms since the Unix epoch. */
  readonly startedMs: number;
  readonly endedMs: number;
  readonly request: ClientRequest;
  /** Absent where no whole answer came. */
  readonly response?: { readonly status: number; readonly text: string };
  /** Whether the signature held, where it is masked. */
  readonly maskedProof?: "holds" | "fails" | "unknown";
}

/** An exchange as a turn of a client, the so-many-th. */
export function turnOf({ startedMs, endedMs, request, response }: ClientExchange, index: number): Turn {
  const [path = ""] = request.target.split("?", 1);
  return {
    index,
    operation: operationOf(request.method, path),
    request,
    answer: answerOf(response),
    tookEffect: response !== undefined,
    tasks: [],
    atMs: startedMs,
    answeredAtMs: endedMs,
    serviceMs: startedMs,
  };
}

/** The members of an answer; none where it is no JSON object, or none came. */
export function answerIn(response: ClientExchange["response"]): Readonly<Record<string, unknown>> {
  return response === undefined ? {} : jsonIn(response.text);
}

function answerOf(response: ClientExchange["response"]): StagedAnswer {
  if (response === undefined) return { kind: "lost" };
  const { status, text } = response;
  return { kind: "answer", status, headers: [], text, body: jsonIn(text) };
}

function jsonIn(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}
