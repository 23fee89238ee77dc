import type { Exchange } from "../../engine/play/exchange.ts";
import type { Mismatch } from "../../engine/play/judgement.ts";
import type { JudgeContext } from "../judge/judge-context.ts";
import { requestJson } from "../judge/request-json.ts";
import { LIFETIME_MS } from "../operations.ts";

/** What a clock of whole seconds, or a number of seconds, leaves open, in ms. */
const WITHIN_A_SECOND_MS = 999;

/**
 * The expiries of the drafts that one instance of a service gave. Where they follow its clock, a fresh draft has one of
 * its own, and a retry gets that of its draft for as long as the draft lives (contract, "States and transitions").
 */
export class DraftExpiries {
  readonly #given = new Map<string, { readonly sentAt: number; readonly expiresAt: unknown }>();
  /** When each key got its first draft, by creator and key. */
  readonly #firstAt = new Map<string, number>();

  /** Judges the expiry of a draft that was given, and remembers it. */
  judge(exchange: Exchange, context: Pick<JudgeContext, "timekeeping">): readonly Mismatch[] {
    const { operation, status, request, body, sentAt } = exchange;
    if (operation !== "build" || status !== 200) return [];
    const scope = scopeOf(request);
    if (!this.#firstAt.has(scope)) this.#firstAt.set(scope, sentAt);
    const { expiresAt } = body;
    if (typeof expiresAt !== "number") return [];
    const life = context.timekeeping.lives.find((one) => one.operation === operation);
    if (life?.stated === undefined) return [];
    const { unitMs, afterMs, withinMs } = life.stated;
    const slack = withinMs > 0 || unitMs > 1 ? WITHIN_A_SECOND_MS : 0;
    const due = sentAt + afterMs;
    if (Math.abs(expiresAt * unitMs - due) <= slack) {
      this.#given.set(scope, { sentAt, expiresAt });
      return [];
    }
    const earlier = this.#given.get(scope);
    const ofFirst = earlier !== undefined && earlier.expiresAt === expiresAt;
    if (ofFirst && sentAt - earlier.sentAt <= LIFETIME_MS.draft + life.lateMs) return [];
    const expected = `that of a fresh draft, ${Math.round(due / unitMs)}`;
    return [{ rule: "IDEMPOTENCY-41", path: "expiresAt", expected, got: String(expiresAt) }];
  }

  /** Whether this is the draft of a key that got its first so long ago that its retry window is over. */
  isOfOldKey({ operation, status, request, sentAt }: Exchange): boolean {
    const firstAt = this.#firstAt.get(scopeOf(request));
    return (
      operation === "build" &&
      status === 200 &&
      firstAt !== undefined &&
      sentAt - firstAt >= LIFETIME_MS.draft
    );
  }

  /** The service was started anew. */
  restarted(): void {
    this.#given.clear();
    this.#firstAt.clear();
  }
}

/** Keys belong to their creator (contract, "POST /v1/launch/build" 2). */
function scopeOf(request: Exchange["request"]): string {
  return `${String(requestJson(request)?.["creator"])} ${request.idempotencyKey}`;
}
