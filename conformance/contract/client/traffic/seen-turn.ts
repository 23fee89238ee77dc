import { headersOf, type RecordedExchange } from "../../../engine/audit/recorded.ts";
import type { StagedAnswer, Turn } from "../../../engine/client/trace.ts";
import type { SourcePlace } from "../../../engine/vectors/vector.ts";
import { operationOf } from "../../operations.ts";
import { holdsRemoved, type ProofSaid, proofSaid, withSignature } from "../../traffic/secret-masks.ts";

/** A recorded request as the judges of clients take it. */
export interface SeenTurn extends Turn {
  readonly source: SourcePlace;
  /** Whether the signature held, where it is masked. */
  readonly maskedProof?: Exclude<ProofSaid, undefined>;
}

/** Reads a recorded exchange as a turn of a client whose tasks are unknown. */
export function seenTurn(recorded: RecordedExchange): SeenTurn {
  const { source, startedMs, endedMs, response } = recorded;
  const { method, path: target } = recorded.request;
  const said = proofSaid(recorded);
  const { body } = said === undefined ? recorded.request : withSignature(recorded.request);
  const [path = ""] = target.split("?", 1);
  return {
    source,
    index: 0,
    operation: operationOf(method, path),
    request: {
      method,
      target,
      headers: headersOf(recorded).map(([name, value]) => [name.toLowerCase(), value]),
      ...(body === undefined ? {} : { body: new Uint8Array(Buffer.from(body)) }),
    },
    answer: answerOf(response),
    tookEffect: response !== undefined,
    tasks: [],
    atMs: startedMs,
    answeredAtMs: endedMs,
    serviceMs: startedMs,
    ...(said === undefined ? {} : { maskedProof: said }),
  };
}

/** A body that was not recorded as it was is read as empty, though the client had it. */
function answerOf(response: RecordedExchange["response"]): StagedAnswer {
  if (response === undefined) return { kind: "lost" };
  const { status, body } = response;
  const text = body === undefined || holdsRemoved(body) ? "" : Buffer.from(body).toString();
  return { kind: "answer", status, headers: [], text, body: valueIn(text) };
}

function valueIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
