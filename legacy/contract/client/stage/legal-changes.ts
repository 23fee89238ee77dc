import type { LegalChange } from "../judge/stage-knowledge.ts";
import type { Deeds, Disturbance } from "../script/scenario.ts";

/** What of a script changes an answer and leaves it as legal as it was. */
const LEGAL: Readonly<Partial<Record<keyof Deeds, LegalChange>>> = {
  add: "members",
  headers: "headers",
  timestamps: "timestamps",
  message: "message",
  bearer: "bearer",
  spelling: "spelling",
};

/** What disturbances changed about an answer that no client may stumble over; none where they did anything else. */
export function legalChanges(came: readonly Disturbance[]): readonly LegalChange[] {
  const deeds = came.flatMap(({ does }) => Object.keys(does) as (keyof Deeds)[]);
  const changes = deeds.map((deed) => LEGAL[deed]);
  return changes.every((change) => change !== undefined) ? [...new Set(changes)] : [];
}
