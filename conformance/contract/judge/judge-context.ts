import type { Facts } from "../../adapters/adapter.ts";
import type { Timekeeping } from "../../engine/play/timekeeping.ts";
import type { KnownDrafts } from "./known-drafts.ts";

/** What a judge must know besides the exchange itself. */
export interface JudgeContext {
  readonly facts: Facts;
  /** How the service keeps time. */
  readonly timekeeping: Timekeeping;
  /** How far the service's clock may differ from the kit's, in ms: 0 with a virtual clock. */
  readonly clockToleranceMs: number;
  /** The profile that this instance of the service gave first. */
  readonly profile: Readonly<Record<string, unknown>> | undefined;
  /** Whether a server stands between the kit and the service. */
  readonly overHttp?: boolean;
  /** The creator of the session that a bearer stands for; undefined where nobody can tell. */
  readonly creatorOf?: (bearer: string | undefined) => string | undefined;
  /** The drafts that the service gave so far; absent where an answer is judged by itself alone. */
  readonly drafts?: KnownDrafts;
}
