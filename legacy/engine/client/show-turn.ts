import { isUtf8 } from "node:buffer";
import { startOf } from "../data/start-of.ts";
import { isObject } from "../play/exchange.ts";
import type { Shown } from "../play/result.ts";
import { showRequest, showResponse } from "../play/show-exchange.ts";
import type { ClientRequest, StagedAnswer, TaskEnd, Turn } from "./trace.ts";

/** Longest value of a header that a report keeps. */
const MOST_OF_A_HEADER = 500;
/** Headers that a report keeps. */
const MOST_HEADERS = 60;

/** A request of a client as a report shows it: as those of the kit are shown, and its headers. */
export function showClientRequest({ method, target, headers, body }: ClientRequest): Shown {
  const bearer = /^bearer +(.*)$/i.exec(only(headers, "authorization") ?? "")?.[1];
  const idempotencyKey = only(headers, "idempotency-key");
  const shown = showRequest({
    method,
    path: target,
    ...(body === undefined ? {} : { body: isUtf8(body) ? Buffer.from(body).toString() : body }),
    ...(bearer === undefined ? {} : { bearer }),
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
  });
  const kept = headers
    .slice(0, MOST_HEADERS)
    .map(([name, value]) => [startOf(name, MOST_OF_A_HEADER), startOf(value, MOST_OF_A_HEADER)]);
  return { ...(shown as object), headers: kept };
}

/** What a client was answered, as a report shows it. */
export function showAnswer(answer: StagedAnswer): Shown {
  if (answer.kind === "lost") return { ended: "lost" };
  const { status, headers, body } = answer;
  const shown = showResponse({ status, body }) as object;
  return headers.length === 0 ? shown : { ...shown, headers };
}

/** How a client ended a task, as a report shows it. */
export function showEnd(end: TaskEnd): Shown {
  if (end.kind !== "result")
    return { ended: end.kind, ...(end.kind === "broke" ? { reason: end.reason } : {}) };
  const { result } = end;
  const [kind = "result"] = isObject(result) ? Object.keys(result) : [];
  return { ended: startOf(kind, MOST_OF_A_HEADER), ...(showResponse({ result }) as object) };
}

/** How a client ended a task, in words. */
export function endInWords(end: TaskEnd): string {
  switch (end.kind) {
    case "overdue":
      return "no result within the deadline";
    case "flooded":
      return "more requests than a task is worth, and no result";
    case "broke":
      return end.reason;
    default:
      return "a result";
  }
}

/** What was done to a turn, in words; undefined where nothing was. */
export function disturbance({ answer, disturbed, tookEffect }: Turn): string | undefined {
  if (answer.kind !== "lost") return disturbed;
  return disturbed ?? `the connection is closed, ${tookEffect ? "after" : "before"} it took effect`;
}

function only(headers: ClientRequest["headers"], name: string): string | undefined {
  return headers.find(([one]) => one === name)?.[1];
}
