import type { Moment } from "../../engine/search/model.ts";
import { LIFETIME_MS } from "../operations.ts";
import { compareInputs, type LaunchInput } from "./launch-input.ts";
import { phaseOf } from "./moment.ts";
import { type DraftState, keyScope, type ModelContext, type ServiceInstance } from "./state.ts";

/** Until so long after a draft expired its key must still be known; from that instant on it is open. */
const SURELY_REMEMBERED_MS = 60_000;

/** What may become of a build under its key, were nothing else wrong with it (contract, "States and transitions", Draft). */
export interface KeyHistory {
  /** The draft that is stored under the key, or was. */
  readonly draft: DraftState | undefined;
  readonly replay: boolean;
  readonly conflict: boolean;
  readonly rebuild: boolean;
  readonly fresh: boolean;
  /** The rule that anything else breaks. */
  readonly rule: string;
  readonly point: string | undefined;
}

/** Looks a key up among what an instance of the service holds. */
export function keyHistory(
  service: ServiceInstance,
  creator: string,
  key: string,
  input: LaunchInput,
  now: Moment,
  context: ModelContext,
): KeyHistory {
  const draft = service.drafts.get(keyScope(creator, key));
  if (draft === undefined) return unusedKey(service.refusedKeys.get(keyScope(creator, key)) ?? [], input);
  const { sameness, rule: changed } = compareInputs(draft.input, input);
  const same = sameness !== "different";
  const differs = sameness !== "same";
  const point = sameness === "maybe" ? "UNICODE-NORMALISATION" : undefined;
  const passed = phaseOf(draft.built, now, LIFETIME_MS.draft, context.doubt, "build");
  const phase = passed === "either" && draft.expired ? "over" : passed;
  if (phase === "live") {
    return {
      draft,
      replay: same,
      conflict: differs,
      rebuild: false,
      fresh: false,
      rule: same ? replayRule(draft) : changed,
      point,
    };
  }
  const remembered =
    phaseOf(draft.built, now, LIFETIME_MS.draft + SURELY_REMEMBERED_MS, context.doubt, "build") === "live";
  const open = phase === "either" ? "DRAFT-INSTANT" : remembered ? undefined : "KEY-MEMORY-MINUTE";
  return {
    draft,
    replay: phase === "either" && same,
    conflict: differs,
    rebuild: true,
    fresh: !remembered,
    rule: expiryRule(draft),
    point: open ?? point ?? (differs ? "EXPIRED-CONFLICT" : undefined),
  };
}

/**
 * A build that was refused may have bound its key to its input (open points REFUSED-BUILD-BURNS-KEY,
 * RATE-REFUSED-BUILD-BURNS-KEY). It left no draft, so there is none that could expire.
 */
function unusedKey(refused: readonly LaunchInput[], input: LaunchInput): KeyHistory {
  const conflict = refused.some((earlier) => compareInputs(earlier, input).sameness !== "same");
  const point = conflict ? "REFUSED-BUILD-BURNS-KEY" : undefined;
  return {
    draft: undefined,
    replay: false,
    conflict,
    rebuild: false,
    fresh: true,
    rule: "ENDPOINT-4",
    point,
  };
}

function replayRule({ conflicts }: DraftState): string {
  return conflicts > 0 ? "IDEMPOTENCY-13" : "IDEMPOTENCY-5";
}

function expiryRule({ conflicts, replays }: DraftState): string {
  if (replays > 0) return "IDEMPOTENCY-16";
  return conflicts > 0 ? "IDEMPOTENCY-17" : "IDEMPOTENCY-14";
}
