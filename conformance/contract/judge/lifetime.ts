import type { Exchange } from "../../engine/play/exchange.ts";
import { type Mismatch, show } from "../../engine/play/judgement.ts";
import type { JudgeContext } from "./judge-context.ts";
import { parseTimestamp } from "./timestamp.ts";

/**
 * Whether `expiresAt` lies `lifetimeMs` after the issue, to within the step in which the service counts time and the
 * way it writes it (contract, "Challenge" and "Session"; the format is open).
 */
export function judgeLifetime(
  exchange: Exchange,
  expiresAt: unknown,
  lifetimeMs: number,
  rule: string,
  context: JudgeContext,
): readonly Mismatch[] {
  const written = parseTimestamp(expiresAt);
  if (written === undefined) {
    const stands = typeof expiresAt === "number";
    return stands
      ? [{ rule, path: "expiresAt", expected: "a moment in a usual form", got: show(expiresAt) }]
      : [];
  }
  const slack = Math.max(context.resolutionMs, written.precisionMs) - 1 + context.clockToleranceMs;
  const earliest = exchange.sentAt + lifetimeMs - slack;
  const latest = exchange.answeredAt + lifetimeMs + slack;
  if (written.ms >= earliest && written.ms <= latest) return [];
  const off = written.ms - (exchange.sentAt + lifetimeMs);
  const expected = `issue + ${lifetimeMs / 1000} s: ${new Date(exchange.sentAt + lifetimeMs).toISOString()}`;
  return [
    {
      rule,
      path: "expiresAt",
      expected,
      got: `${show(expiresAt)}, ${Math.abs(off)} ms ${off < 0 ? "before" : "after"} it`,
    },
  ];
}
