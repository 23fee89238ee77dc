import type { Facts } from "../../adapters/adapter.ts";
import type { Timekeeping } from "../../engine/play/timekeeping.ts";
import type { KnownDrafts } from "./known-drafts.ts";

/** What a judge must know in addition to the exchange. */
export interface JudgeContext {
  readonly facts: Facts;
  /** How the service keeps time. */
  readonly timekeeping: Timekeeping;
  /** Maximum difference between the clocks of the service and the kit, in ms: 0 with a virtual clock. */
  readonly clockToleranceMs: number;
  /** The first profile of this instance of the service. */
  readonly profile: Readonly<Record<string, unknown>> | undefined;
  /** Whether a server stands between the kit and the service. */
  readonly overHttp?: boolean;
  /** The creator of the session that a bearer stands for; undefined where it is unknown. */
  readonly creatorOf?: (bearer: string | undefined) => string | undefined;
  /** The drafts of the service so far; absent where a response is judged by itself alone. */
  readonly drafts?: KnownDrafts;
}
