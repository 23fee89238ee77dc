import type { Exchange } from "./exchange.ts";
import { show } from "./judgement.ts";
import { lateness } from "./lateness.ts";
import type { Failure } from "./result.ts";
import type { Scene, StepPlace } from "./scene.ts";
import { showRequest, showResponse } from "./show-exchange.ts";

/** A step did not get what it must: the rest of the vector is not reached. The scene holds the failure. */
export class StepFailed extends Error {
  override readonly name = "StepFailed";
}

/** The service has no more room, as it may: the vector asks for more than it can hold, and is left out. */
export class StoreFull extends Error {
  override readonly name = "StoreFull";
}

/** On a real clock the answer came so late that it may rightly be another: nothing can be said of it. */
export class TooLate extends Error {
  override readonly name = "TooLate";
}

/** Statuses that the same request gets at one time and not at another (contract, "States and transitions"). */
const TIMELY: readonly unknown[] = [200, 401, 409, 429, undefined];

/** Writes the failure down and gives what to throw. Where the rules are mere advice, it is a warning and no failure. */
export function fail(
  scene: Scene,
  at: StepPlace,
  rules: readonly string[],
  exchange: Exchange | undefined,
  told: Pick<Failure, "message" | "expected" | "got"> & { readonly differences?: Failure["differences"] },
): StepFailed | StoreFull | TooLate {
  if (exchange !== undefined && isFull(exchange)) {
    const room = scene.roomFor(exchange.operation);
    if (room !== undefined) return new StoreFull(room);
  }
  const late = whyTooLate(scene, exchange, told.expected);
  if (late !== undefined) return new TooLate(late);
  if (rules.every((rule) => scene.stage.contract.rules.get(rule)?.level === "advice")) {
    for (const rule of rules)
      scene.advice.push({ rule, message: `${told.message}: ${told.got}, rather than ${told.expected}` });
    return new StepFailed(told.message);
  }
  scene.failures.push({
    rule: rules[0] ?? "",
    rules,
    ...told,
    ...at,
    clockMs: scene.elapsedMs,
    ...(exchange === undefined
      ? {}
      : { request: showRequest(exchange.request), response: showResponse(exchange.envelope) }),
    differences: told.differences ?? [{ path: "status", expected: told.expected, got: told.got }],
  });
  return new StepFailed(told.message);
}

/** Why the answer may be that of another time; only where time cannot be moved. */
function whyTooLate(scene: Scene, exchange: Exchange | undefined, expected: string): string | undefined {
  if (!scene.clock.real || (exchange !== undefined && !TIMELY.includes(exchange.status))) return undefined;
  const onRate = expected.includes("OFFLINE_RATE_LIMIT");
  return lateness(scene.timed, { onRate, toleranceMs: scene.stage.clockToleranceMs });
}

/** Whether an answer says that a store is full (contract, "Limits"). */
export function isFull({ status, body }: Exchange): boolean {
  return status === 429 && body["code"] === "OFFLINE_CAPACITY";
}

/** What an answer was, in two words. */
export function statusAndCode({ status, body, envelope }: Exchange): string {
  if (status === undefined) return `no status: ${show(envelope)}`;
  return typeof body["code"] === "string" ? `${status} ${show(body["code"]).slice(1, -1)}` : String(status);
}
