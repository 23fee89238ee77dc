import type { Expected } from "../../engine/search/model.ts";
import { BUILDS_PER_MINUTE, OUTCOMES } from "../operations.ts";
import type { KeyHistory } from "./key-history.ts";
import { keyScope, type ServiceInstance } from "./state.ts";

/** A build that nothing forbids: whose it is, under which key and session, and what came before. */
export interface ServedBuild {
  readonly service: ServiceInstance;
  readonly earlier: { readonly keys: ReadonlySet<string> };
  readonly creator: string;
  readonly key: string;
  readonly bearer: string | undefined;
  readonly text: string;
  readonly history: KeyHistory | undefined;
}

/** It must be served: which rule a refusal breaks, by what it says and by what makes this build special. */
export function servedRules(build: ServedBuild): Expected["rulesFor"] {
  const replay = build.history?.replay === true;
  return (status, code) => {
    if (status === 401) return [sessionRule(build)];
    if (status === 409) return [replay ? replayRule(build) : keyRule(build)];
    if (code === OUTCOMES.limited.codes[0]) return [replay ? "LIMIT-11" : rateRule(build)];
    return [replay ? (build.history?.rule ?? "IDEMPOTENCY-5") : "ENDPOINT-4"];
  };
}

function sessionRule({ service, creator, bearer }: ServedBuild): string {
  const session = service.sessions.get(bearer ?? "");
  const others = [...service.sessions].some(
    ([other, { creator: owner }]) => other !== bearer && owner === creator,
  );
  if (others) return "SESSION-9";
  return session !== undefined && session.uses > 0 ? "SESSION-6" : "SESSION-5";
}

function replayRule({ history, bearer, text }: ServedBuild): string {
  const draft = history?.draft;
  if (draft === undefined) return "IDEMPOTENCY-5";
  if (draft.bearer !== bearer) return "IDEMPOTENCY-19";
  return draft.text === text ? (history?.rule ?? "IDEMPOTENCY-5") : "IDEMPOTENCY-6";
}

function keyRule({ service, earlier, creator, key }: ServedBuild): string {
  const scopes = [...service.drafts.keys()];
  if (scopes.some((scope) => scope.endsWith(` ${key}`))) return "IDEMPOTENCY-18";
  const scope = keyScope(creator, key).toLowerCase();
  if (scopes.some((other) => other.toLowerCase() === scope)) return "IDEMPOTENCY-20";
  return earlier.keys.has(key) ? "IDEMPOTENCY-23" : "IDEMPOTENCY-15";
}

function rateRule({ service, creator }: ServedBuild): string {
  const own = [...service.drafts].filter(([scope]) => scope.startsWith(`${creator} `));
  if (own.some(([, { replays }]) => replays > 0)) return "LIMIT-10";
  if (own.length === 0) return "LIMIT-8";
  return own.length < BUILDS_PER_MINUTE ? "LIMIT-5" : "LIMIT-7";
}
