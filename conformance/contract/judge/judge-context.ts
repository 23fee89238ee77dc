import type { Facts } from "../../adapters/adapter.ts";
import type { KnownDrafts } from "./known-drafts.ts";

/** What a judge must know besides the exchange itself. */
export interface JudgeContext {
  readonly facts: Facts;
  /** The step in which the service's clock counts, in ms. */
  readonly resolutionMs: number;
  /** How far the service's clock may differ from the kit's, in ms: 0 with a virtual clock. */
  readonly clockToleranceMs: number;
  /** The profile that this instance of the service gave first. */
  readonly profile: Readonly<Record<string, unknown>> | undefined;
  /** The drafts that the service gave so far; absent where an answer is judged by itself alone. */
  readonly drafts?: KnownDrafts;
}
