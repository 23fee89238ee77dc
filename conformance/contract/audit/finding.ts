import type { Contradiction } from "../../engine/audit/order.ts";
import type { Seen, SeenExchange } from "./seen.ts";

/** An exchange that does not keep the contract, with the few that show it. */
export interface Finding extends Contradiction {
  readonly seen: SeenExchange;
  /** In their order, the exchange itself the last. */
  readonly because: readonly Seen[];
  /** Whether it is one only since nothing is missing of what was recorded. */
  readonly byAbsence: boolean;
  /** Whose challenge, session or draft it is about, where that is known. */
  readonly creator: string | undefined;
}
