import type { Moment } from "../../engine/search/model.ts";
import { LIFETIME_MS } from "../operations.ts";
import type { KeyHistory } from "./key-history.ts";
import { compareInputs, type LaunchInput } from "./launch-input.ts";
import {
  type DraftState,
  keyScope,
  type ModelContext,
  type ServiceInstance,
  type SessionState,
} from "./state.ts";

/** What a key comes to that may have been used, or forgotten, unseen. */
const UNKNOWN: Omit<KeyHistory, "draft"> = {
  replay: false,
  conflict: true,
  rebuild: true,
  fresh: true,
  rule: "ENDPOINT-4",
  point: undefined,
};

/**
 * What may become of a build under its key, as far as the model has seen what came before. A draft that was given may be
 * that of an earlier build, older by as much as drafts live, and a restart may have come in between, unless the session
 * lived through it: whoever is served by it now shows that what was kept then is kept still.
 */
export function keyHistoryInPart(
  service: ServiceInstance,
  creator: string,
  key: string,
  input: LaunchInput,
  now: Moment,
  { doubt, bearerHabit }: ModelContext,
  session: SessionState,
): KeyHistory {
  const draft = service.drafts.get(keyScope(creator, key));
  if (
    draft === undefined ||
    bearerHabit?.mayOutliveRestart === true ||
    !livedThrough(session, draft, service)
  )
    return { ...UNKNOWN, draft };
  const { lateMs, earlyMs } = doubt.timekeeping.others;
  const age = now.latest - draft.built.earliest + 2 * doubt.toleranceMs + Math.max(lateMs, earlyMs);
  // An older one may have expired by now, and been given up in a full store.
  if (age >= LIFETIME_MS.draft) return { ...UNKNOWN, draft };
  const { sameness, rule } = compareInputs(draft.input, input);
  const same = sameness !== "different";
  return {
    draft,
    replay: same,
    conflict: true,
    rebuild: true,
    fresh: false,
    rule: same ? "IDEMPOTENCY-5" : rule,
    point: sameness === "maybe" ? "UNICODE-NORMALISATION" : undefined,
  };
}

/** Whether a session that is alive now was so when a draft was given: sessions end with the service. */
function livedThrough(session: SessionState, draft: DraftState, { sessions }: ServiceInstance): boolean {
  return sessions.get(draft.bearer) === session || session.issued.latest < draft.built.earliest;
}
