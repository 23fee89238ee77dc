import type { JudgeContext } from "../../contract/judge/judge-context.ts";
import type { Exchange } from "../../engine/play/exchange.ts";

/** An answer that is good but for one thing, and the rule that it breaks. */
export interface BrokenAnswer {
  readonly rule: string;
  readonly what: string;
  /** Other rules that cannot but be broken with it. */
  readonly also?: readonly string[];
  readonly exchange: Exchange;
  /** Where the judge knows something else than usual. */
  readonly context?: Partial<JudgeContext>;
}
