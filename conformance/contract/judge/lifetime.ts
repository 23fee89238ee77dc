import type { Exchange } from "../../engine/play/exchange.ts";
import { type Mismatch, show } from "../../engine/play/judgement.ts";
import type { JudgeContext } from "./judge-context.ts";
import { clockResolution, isNoMoment, parseTimestamp } from "./timestamp.ts";

/**
 * Whether `expiresAt` lies `lifetimeMs` after the issue, to within the step in which the service counts time and the
 * way it writes it (contract, "Challenge" and "Session"; the format is open). What is a moment in a form that the kit
 * cannot read is not judged.
 */
export function judgeLifetime(
  exchange: Exchange,
  expiresAt: unknown,
  lifetimeMs: number,
  rule: string,
  context: JudgeContext,
): readonly Mismatch[] {
  const { operation, sentAt, answeredAt } = exchange;
  if (isNoMoment(expiresAt, sentAt)) {
    return [{ rule, path: "expiresAt", expected: "a moment, in any form", got: show(expiresAt) }];
  }
  const written = parseTimestamp(expiresAt, sentAt + lifetimeMs);
  if (written === undefined) return [];
  const isWithin = (stepMs: number) => {
    const slack = Math.max(stepMs, clockResolution(written)) - 1 + context.clockToleranceMs;
    return written.ms >= sentAt + lifetimeMs - slack && written.ms <= answeredAt + lifetimeMs + slack;
  };
  // Only what is not exact depends on the step in which the service counts time, which is measured for it.
  const stepMs = () => context.timekeeping.lives.find((one) => one.operation === operation)?.stepMs ?? 1;
  if (isWithin(1) || isWithin(stepMs())) return [];
  const off = written.ms - (sentAt + lifetimeMs);
  const expected = `issue + ${lifetimeMs / 1000} s: ${new Date(sentAt + lifetimeMs).toISOString()}`;
  return [
    {
      rule,
      path: "expiresAt",
      expected,
      got: `${show(expiresAt)}, ${Math.abs(off)} ms ${off < 0 ? "before" : "after"} it`,
    },
  ];
}
