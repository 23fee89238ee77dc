import { changedMembers, sameJson } from "../../engine/play/compare.ts";
import type { Exchange } from "../../engine/play/exchange.ts";
import type { Moment } from "../../engine/search/model.ts";
import { FINE, type Learnt } from "../../engine/search/model.ts";
import { responseSchemas } from "../judge/response-schemas.ts";
import { codeOf, isAnswered, OUTCOMES } from "../operations.ts";
import type { KeyHistory } from "./key-history.ts";
import type { LaunchInput } from "./launch-input.ts";
import type { RateBelief } from "./rate-belief.ts";
import { keyScope, type ServiceInstance } from "./state.ts";

/** A build that was predicted. */
export interface Build {
  readonly bearer: string;
  /** The body that asked for it. */
  readonly text: string;
  readonly input: LaunchInput;
  readonly creator: string;
  readonly key: string | undefined;
  readonly history: KeyHistory | undefined;
  readonly rates: RateBelief;
  /** The rule of the fault that the build had, if any. */
  readonly kind: string;
}

type Answer = Pick<Exchange, "status" | "body">;

/** Takes in the answer to a build with a live session. */
export function learnBuild(build: Build, answer: Answer, service: ServiceInstance, now: Moment): Learnt {
  const { status, body } = answer;
  const session = service.sessions.get(build.bearer);
  if (session !== undefined && status !== 401) session.uses += 1;
  if (status === 200) return drafted(build, responseSchemas().named("build", answer.body), service, now);
  if (status === 401) {
    if (session !== undefined) session.ended = true;
    return FINE;
  }
  const { draft } = build.history ?? {};
  if (status === 409 && draft !== undefined) {
    if (isAnswered(OUTCOMES.conflict, answer)) draft.conflicts += 1;
    else draft.expired = true;
  }
  if (isAnswered(OUTCOMES.limited, answer)) build.rates.limited(now);
  else build.rates.refused(now, `${status} ${String(codeOf(body))} ${build.kind}`);
  if (draft === undefined && build.key !== undefined) rememberRefusal(build, build.key, service);
  return FINE;
}

/** Takes in that a build was refused under a key, by whose session or without one. */
export function rememberRefusal(
  { creator, input }: Pick<Build, "creator" | "input">,
  key: string,
  { refusedKeys }: ServiceInstance,
): void {
  const scope = keyScope(creator, key);
  refusedKeys.set(scope, [...(refusedKeys.get(scope) ?? []), input]);
}

function drafted(build: Build, answer: Answer["body"], service: ServiceInstance, now: Moment): Learnt {
  const { creator, key, history, rates, input, text, bearer } = build;
  if (key === undefined || history === undefined) return FINE;
  const { draft } = history;
  const isOther = history.fresh && draft !== undefined && !sameJson(draft.answer, answer);
  if (draft !== undefined && history.replay && !isOther) {
    draft.replays += 1;
    const mismatches = changedMembers(draft.answer, answer).map((changed) => ({
      repeats: true as const,
      rule: history.rule,
      ...changed,
    }));
    return mismatches.length === 0 ? FINE : { mismatches, lost: false };
  }
  const again = draft !== undefined && sameJson(draft.answer, answer);
  if (again) rates.maybeAccepted(now);
  else rates.accepted(now);
  service.stored.drafts += 1;
  service.drafts.set(keyScope(creator, key), {
    input,
    text,
    answer,
    built: now,
    bearer,
    replays: 0,
    conflicts: 0,
    expired: false,
  });
  return FINE;
}
