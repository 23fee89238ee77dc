import type { Facts } from "../../../adapters/adapter.ts";
import type { Turn } from "../../../engine/client/trace.ts";

/** What a script can change about an answer without making it less legal, by what it puts to the test. */
export type LegalChange = "members" | "headers" | "timestamps" | "message" | "bearer" | "spelling";

/** What a judge of clients must know of the scripted service, besides what stands in the trace. */
export interface StageKnowledge {
  readonly facts: Pick<Facts, "metadataHosts" | "operatorKey" | "signedBytes">;
  /**
   * What the script changed about the answer of a turn, where all of that is legal and no client may stumble over it;
   * none where it did anything else, such as refusing or losing it. Nothing counts as that unless told.
   */
  readonly changes?: (turn: Turn) => readonly LegalChange[];
}
