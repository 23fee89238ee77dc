import type { ServiceRequest } from "../../adapters/adapter.ts";
import { bodyFaults } from "./body-faults.ts";
import { type BodyReading, readBody } from "./body-reading.ts";
import { keyHeaderFaults, launchFaults } from "./build-faults.ts";
import { capacityFaults } from "./capacity.ts";
import { expectedOf } from "./expected.ts";
import { badRequest, certain, type Fault } from "./fault.ts";
import { type KeyHistory, keyHistory } from "./key-history.ts";
import { knownKeys } from "./known-keys.ts";
import { launchInput } from "./launch-input.ts";
import { type Build, learnBuild } from "./learn-build.ts";
import type { Moment } from "./moment.ts";
import { FINE, type Prediction } from "./prediction.ts";
import type { RateBelief } from "./rate-belief.ts";
import type { RateVerdict } from "./rate-window.ts";
import { rateBelief } from "./rates.ts";
import { servedRules } from "./served-rules.ts";
import { sessionOf } from "./session-faults.ts";
import type { ModelContext, ServiceLife } from "./state.ts";

const SERVED = { status: 200, codes: [] };
const CONFLICT = { status: 409, codes: ["IDEMPOTENCY_CONFLICT"] };
const REBUILD = { status: 409, codes: ["REBUILD_WITH_NEW_KEY"] };
const RATE_LIMIT = { status: 429, codes: ["OFFLINE_RATE_LIMIT"] };

/** A full store may have given up an expired draft to make room: then its key is free. */
const GIVEN_UP = { fresh: true, point: "ORDER-REBUILD-OR-CAPACITY" };

/** `POST /v1/launch/build` in a state of the service. `earlier`: what former lives of it saw. */
export function predictBuild(
  request: ServiceRequest,
  life: ServiceLife,
  earlier: { readonly bearers: ReadonlySet<string>; readonly keys: ReadonlySet<string> },
  now: Moment,
  context: ModelContext,
): Prediction {
  const { bearer, idempotencyKey: key } = request;
  const body = readBody(request.body);
  const { session, faults: bearerFaults } = sessionOf(bearer, life, earlier.bearers, now, context);
  const keyFaults = keyHeaderFaults(key);
  const faults: Fault[] = [
    ...bodyFaults("build", body),
    ...bearerFaults,
    ...keyFaults,
    ...launchFaults(body, context.facts.metadataHosts, knownKeys(life, context)),
  ];
  const creator = session?.creator;
  if (creator === undefined) {
    const usable = keyFaults.length === 0 ? key : undefined;
    const success = { outcome: SERVED, rulesFor: () => ["AUTH-5"] };
    const more = () => refusalsOfNamed(body, usable, life, now, context);
    return { expected: expectedOf(faults, success, more), learn: () => FINE };
  }
  faults.push(...bindingFaults(body, creator));

  const input = launchInput(body.members);
  const known = key !== undefined && keyFaults.length === 0 && body.kind === "object";
  const remembered = known ? keyHistory(life, creator, key, input, now, context) : undefined;
  const crowded = capacityFaults("drafts", life, context, true).length > 0;
  const history = crowded && remembered?.rebuild ? { ...remembered, ...GIVEN_UP } : remembered;
  const rates = rateBelief(life, creator, now, context);
  const invalid = faults.some((fault) => fault.certain);
  if (history !== undefined && !invalid) faults.push(...keyFaultsOf(history, rates, now));
  // To weigh the limiter takes longer than all the rest: only where an answer asks for it.
  const more = () => {
    if (history === undefined || invalid) return refusals(history, rates.verdict(now));
    return history.replay || history.fresh ? [] : spentFaults(rates.verdict(now));
  };
  // A replay needs no room; what is refused anyway may be refused for want of it (the order is open).
  if (invalid || history?.replay !== true) faults.push(...capacityFaults("drafts", life, context, !invalid));

  const kind = faults.find((fault) => fault.certain)?.rules[0] ?? "";
  const text = typeof request.body === "string" ? request.body : "";
  const build: Build = { bearer: bearer ?? "", text, input, creator, key, history, rates, kind };
  const asked = { life, earlier, creator, key: key ?? "", bearer, text: build.text, history };
  return {
    expected: expectedOf(faults, { outcome: SERVED, rulesFor: servedRules(asked) }, more),
    learn: (answer) => learnBuild(build, answer, life, now, context.schemas),
  };
}

function bindingFaults({ kind, members }: BodyReading, creator: string): readonly Fault[] {
  const other = kind === "object" && typeof members["creator"] === "string" && members["creator"] !== creator;
  return other ? [certain("LAUNCH-6", badRequest("CREATOR_BINDING_OR_FIELDS"))] : [];
}

/** Where there is no live session: a service may look at key and minute of the creator that the body names before. */
function refusalsOfNamed(
  { members }: BodyReading,
  key: string | undefined,
  life: ServiceLife,
  now: Moment,
  context: ModelContext,
): readonly Fault[] {
  const creator = String(members["creator"]);
  const history =
    key === undefined ? undefined : keyHistory(life, creator, key, launchInput(members), now, context);
  const rate = life.rates.get(creator)?.verdict(now) ?? "accept";
  return refusals(history === undefined ? undefined : { ...history, draft: undefined }, rate);
}

/** Where the input is invalid anyway: what the key or a spent minute may be answered with instead (the order is open). */
function refusals(history: KeyHistory | undefined, rate: RateVerdict): readonly Fault[] {
  const outcomes = [
    ...(history?.conflict === true || history?.draft !== undefined ? [CONFLICT] : []),
    ...(history?.rebuild === true ? [REBUILD] : []),
    ...(rate === "accept" ? [] : [RATE_LIMIT]),
  ];
  return outcomes.map((outcome) => ({
    outcomes: [outcome],
    rules: [],
    certain: false,
    point: "ORDER-INVALID-OR-RATE",
  }));
}

/** Where the key refuses: in a spent minute the limiter may do so before it (the order is open). */
function spentFaults(rate: RateVerdict): readonly Fault[] {
  return rate === "accept" ? [] : [{ outcomes: [RATE_LIMIT], rules: [], certain: false }];
}

/** Where the input is valid: what key and minute make of it. */
function keyFaultsOf(history: KeyHistory, rates: RateBelief, now: Moment): readonly Fault[] {
  const { replay, conflict, rebuild, fresh } = history;
  const refused = [...(conflict ? [CONFLICT] : []), ...(rebuild ? [REBUILD] : [])];
  const point = history.point === undefined ? {} : { point: history.point };
  // A retry is no new build: it is served in a spent minute, too.
  if (replay) return refused.length === 0 ? [] : [{ outcomes: refused, rules: [], certain: false, ...point }];
  if (!fresh) return [{ outcomes: refused, rules: [history.rule], certain: true, ...point }];
  const rate = rates.verdict(now);
  const spent = rate === "accept" ? [] : [RATE_LIMIT];
  if (rate === "refuse")
    return [{ outcomes: [...spent, ...refused], rules: ["LIMIT-6"], certain: true, ...point }];
  const outcomes = [...refused, ...spent];
  return outcomes.length === 0
    ? []
    : [{ outcomes, rules: [], certain: false, point: history.point ?? "RATE-SHAPE" }];
}
