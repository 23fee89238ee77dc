import { sameJson } from "../../engine/play/compare.ts";
import { type Exchange, isObject } from "../../engine/play/exchange.ts";
import type { Mismatch } from "../../engine/play/judgement.ts";
import { judgeExchange } from "./judge.ts";
import type { JudgeContext } from "./judge-context.ts";
import { responseSchemas } from "./response-schemas.ts";

/** More answers than this are not remembered. */
const MOST_KNOWN = 2000;

/**
 * Judges answers by themselves, and those that it has seen before at once: a search sees the same few refusals and
 * drafts again and again. Of a draft the moment of its expiry differs each time, about which the judge asks no more
 * than that it is an integer.
 */
export class QuickJudge {
  /** Bodies that were found right, by what decides on them besides. */
  readonly #sound = new Map<string, Exchange["body"]>();

  mismatches(exchange: Exchange, context: JudgeContext): readonly Mismatch[] {
    const key = keyOf(exchange, context);
    const known = key === undefined ? undefined : this.#sound.get(key);
    if (known !== undefined && sameButMoment(exchange.body, known)) return [];
    const { mismatches } = judgeExchange(exchange, context);
    if (mismatches.length === 0 && key !== undefined && this.#sound.size < MOST_KNOWN)
      this.#sound.set(key, exchange.body);
    return mismatches;
  }
}

/** What decides on the judgement besides the body itself; undefined where moments do. */
function keyOf(
  { operation, request, status, body, envelope }: Exchange,
  { profile, creatorOf }: JudgeContext,
): string | undefined {
  if (!isObject(envelope) || Object.keys(envelope).length > 2) return undefined;
  if (status !== 200) {
    const known = responseSchemas().errorFields;
    const plain = Object.keys(body).every((name) => known.has(name));
    return plain ? `${operation} ${status} ${String(body["code"])}` : undefined;
  }
  // A profile is held to the one that came first, too.
  if (operation === "platform")
    return profile === undefined || sameJson(body, profile) ? operation : undefined;
  if (operation !== "build" || !Number.isInteger(body["expiresAt"])) return undefined;
  return `${creatorOf?.(request.bearer) ?? ""} ${String(request.body)}`;
}

function sameButMoment(body: Exchange["body"], known: Exchange["body"]): boolean {
  const names = Object.keys(body);
  return (
    names.length === Object.keys(known).length &&
    names.every((name) => name === "expiresAt" || sameJson(body[name], known[name]))
  );
}
