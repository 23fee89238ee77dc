import type { Exchange } from "../../engine/play/exchange.ts";
import type { Mismatch } from "../../engine/play/judgement.ts";
import { judgeExchange } from "./judge.ts";
import type { JudgeContext } from "./judge-context.ts";

/** More answers than this are not remembered. */
const MOST_KNOWN = 2000;

/**
 * Judges answers by themselves, and those that it has seen before at once: a search sees the same few refusals and
 * drafts again and again. Of a draft the moment of its expiry differs each time, about which the judge asks no more
 * than that it is an integer.
 */
export class QuickJudge {
  readonly #sound = new Set<string>();

  mismatches(exchange: Exchange, context: JudgeContext): readonly Mismatch[] {
    const key = keyOf(exchange, context);
    if (key !== undefined && this.#sound.has(key)) return [];
    const { mismatches } = judgeExchange(exchange, context);
    if (mismatches.length === 0 && key !== undefined && this.#sound.size < MOST_KNOWN) this.#sound.add(key);
    return mismatches;
  }
}

/** What decides on the judgement; undefined where moments do. */
function keyOf(
  { operation, request, status, body, envelope }: Exchange,
  { profile }: JudgeContext,
): string | undefined {
  if (status !== 200) {
    const { code, productionApproved, ...rest } = body;
    const plain = productionApproved === false && Object.keys(rest).length === 0;
    return plain ? `${operation} ${status} ${String(code)}` : undefined;
  }
  if (operation === "platform") return `${JSON.stringify(envelope)} ${JSON.stringify(profile)}`;
  if (operation !== "build" || !Number.isInteger(body["expiresAt"])) return undefined;
  return `${String(request.body)} ${JSON.stringify({ ...(envelope as object), body: { ...body, expiresAt: 0 } })}`;
}
