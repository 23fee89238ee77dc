import type { Exchange } from "../../engine/play/exchange.ts";
import { requestJson } from "../judge/request-json.ts";
import { isAnswered, LIFETIME_MS, MINUTE_MS, OUTCOMES } from "../operations.ts";
import type { Seen } from "./seen.ts";

/** Ids and bearers are known twice as long as sessions live. */
export const KEPT_MS = 2 * LIFETIME_MS.session;
/** What uses challenges, and what is built, matters for so long; what opens a session as long as that lives. */
export const SHORTLY_MS = 15 * MINUTE_MS;

/** Whether something that was seen may still matter. */
export function matters(seen: Seen, nowMs: number): boolean {
  const age = nowMs - seen.endsMs;
  if (seen.kind === "restart") return age < KEPT_MS;
  const { operation, status } = seen.exchange;
  const isSession = operation === "verify" && status === 200;
  return age < (isSession ? KEPT_MS : SHORTLY_MS);
}

/** Whether two exchanges have a challenge, a session or a key in common, or both count as builds. */
export function isAbout(seen: Seen, other: Seen): boolean {
  if (seen.kind === "restart" || other.kind === "restart") return true;
  const isLimited = isAnswered(OUTCOMES.limited, other.exchange);
  if (isLimited && seen.exchange.operation === other.exchange.operation) return true;
  const names = namesIn(other.exchange);
  return namesIn(seen.exchange).some((name) => names.includes(name));
}

function namesIn({ request, body }: Exchange): readonly string[] {
  const { bearer, idempotencyKey } = request;
  const asked = requestJson(request)?.["id"];
  return [asked, body["id"], body["bearer"], bearer, idempotencyKey].filter(
    (name) => typeof name === "string",
  );
}
