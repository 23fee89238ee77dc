import type { ServiceRequest } from "../../adapters/adapter.ts";
import type { Moment } from "../../engine/search/model.ts";
import { FINE, type Prediction } from "../../engine/search/model.ts";
import { OUTCOMES } from "../operations.ts";
import { extraMembers } from "../request-fields.ts";
import { bodyFaults } from "./body-faults.ts";
import { type BodyReading, readBody } from "./body-reading.ts";
import { keyHeaderFaults, launchFaults } from "./build-faults.ts";
import { capacityFaults, fullOfOneFaults } from "./capacity.ts";
import { expectedOf } from "./expected-of.ts";
import { type KeyHistory, keyHistory } from "./key-history.ts";
import { knownKeys } from "./known-keys.ts";
import { launchInput } from "./launch-input.ts";
import { type Build, learnBuild, rememberRefusal } from "./learn-build.ts";
import type { RateBelief } from "./rate-belief.ts";
import type { RateVerdict } from "./rate-window.ts";
import { rateBelief } from "./rates.ts";
import { certain, type RequestFault } from "./request-fault.ts";
import { servedRules } from "./served-rules.ts";
import { sessionOf } from "./session-faults.ts";
import type { ModelContext, ServiceInstance } from "./state.ts";

/** A full store may have given up an expired draft to make room: then its key is free. */
const GIVEN_UP = { fresh: true, point: "ORDER-REBUILD-OR-CAPACITY" };

/** `POST /v1/launch/build` in a state of the service. `earlier`: what former instances of it saw. */
export function predictBuild(
  request: ServiceRequest,
  service: ServiceInstance,
  earlier: { readonly bearers: ReadonlySet<string>; readonly keys: ReadonlySet<string> },
  now: Moment,
  context: ModelContext,
): Prediction {
  const { bearer, idempotencyKey: key } = request;
  const body = readBody(request.body);
  const { session, faults: bearerFaults } = sessionOf(bearer, service, earlier.bearers, now, context);
  const keyFaults = keyHeaderFaults(key);
  const faults: RequestFault[] = [
    ...bodyFaults("build", body),
    ...bearerFaults,
    ...keyFaults,
    ...launchFaults(body, context.facts.metadataHosts, knownKeys(service, context)),
  ];
  if (session === undefined) {
    // Whoever has no session may be told of a full store first (the order is open).
    faults.push(...capacityFaults("drafts", service, context, true));
    const usable = keyFaults.length === 0 ? key : undefined;
    const success = { outcome: OUTCOMES.served, rulesFor: () => ["AUTH-5"] };
    const more = () => refusalsOfNamed(body, usable, service, now, context);
    const learn: Prediction["learn"] = ({ status }) => {
      const named = { creator: String(body.members["creator"]), input: launchInput(body.members) };
      if (status !== 200 && usable !== undefined) rememberRefusal(named, usable, service);
      return FINE;
    };
    return { expected: expectedOf(faults, success, more), learn };
  }
  const { creator } = session;
  faults.push(...bindingFaults(body, creator));

  const input = launchInput(body.members);
  const known = key !== undefined && keyFaults.length === 0 && body.kind === "object";
  const remembered = known ? keyHistory(service, creator, key, input, now, context) : undefined;
  const full = [
    ...capacityFaults("drafts", service, context, true),
    ...fullOfOneFaults(creator, service, context),
  ];
  const crowded = full.length > 0;
  const history = crowded && remembered?.rebuild ? { ...remembered, ...GIVEN_UP } : remembered;
  const rates = rateBelief(service, creator, now, context);
  const invalid = faults.some((fault) => fault.certain);
  if (history !== undefined && !invalid) faults.push(...keyFaultsOf(history, rates, now));
  // To weigh the limiter takes longer than all the rest: only where an answer asks for it.
  const more = () => {
    if (history === undefined) return refusals(undefined, rates.verdict(now));
    // With a member more than the five, the same values are other input to whoever compares the whole body.
    const whole = extraMembers("build", body.members);
    if (invalid) return refusals(whole ? history : { ...history, draft: undefined }, rates.verdict(now));
    if (history.replay) return history.rebuild ? spentFaults(rates.verdict(now)) : [];
    return history.fresh ? [] : spentFaults(rates.verdict(now));
  };
  // A replay needs no room; what is refused anyway may be refused for want of it (the order is open).
  const isReplay = history?.replay === true && !history.rebuild;
  if (invalid || !isReplay) faults.push(...full);

  const kind = faults.find((fault) => fault.certain)?.rules[0] ?? "";
  const text = typeof request.body === "string" ? request.body : "";
  const build: Build = { bearer: bearer ?? "", text, input, creator, key, history, rates, kind };
  const asked = { service, earlier, creator, key: key ?? "", bearer, text: build.text, history };
  return {
    expected: expectedOf(faults, { outcome: OUTCOMES.served, rulesFor: servedRules(asked) }, more),
    learn: (answer) => learnBuild(build, answer, service, now),
  };
}

function bindingFaults({ kind, members }: BodyReading, creator: string): readonly RequestFault[] {
  const other = kind === "object" && typeof members["creator"] === "string" && members["creator"] !== creator;
  return other ? [certain("LAUNCH-6", OUTCOMES.foreignCreator)] : [];
}

/** Where there is no live session: a service may look at key and minute of the creator that the body names before. */
function refusalsOfNamed(
  { members }: BodyReading,
  key: string | undefined,
  service: ServiceInstance,
  now: Moment,
  context: ModelContext,
): readonly RequestFault[] {
  const creator = String(members["creator"]);
  const history =
    key === undefined ? undefined : keyHistory(service, creator, key, launchInput(members), now, context);
  const rate = service.rates.get(creator)?.verdict(now) ?? "accept";
  return refusals(history === undefined ? undefined : { ...history, draft: undefined }, rate);
}

/** Where the input is invalid anyway: what the key or a spent minute may be answered with instead (the order is open). */
function refusals(history: KeyHistory | undefined, rate: RateVerdict): readonly RequestFault[] {
  const outcomes = [
    ...(history?.conflict === true || history?.draft !== undefined ? [OUTCOMES.conflict] : []),
    ...(history?.rebuild === true ? [OUTCOMES.rebuild] : []),
    ...(rate === "accept" ? [] : [OUTCOMES.limited]),
  ];
  return outcomes.map((outcome) => ({
    outcomes: [outcome],
    rules: [],
    certain: false,
    point: "ORDER-INVALID-OR-RATE",
  }));
}

/** Where the key refuses: in a spent minute the limiter may do so before it (the order is open). */
function spentFaults(rate: RateVerdict): readonly RequestFault[] {
  return rate === "accept" ? [] : [{ outcomes: [OUTCOMES.limited], rules: [], certain: false }];
}

/** Where the input is valid: what key and minute make of it. */
function keyFaultsOf(history: KeyHistory, rates: RateBelief, now: Moment): readonly RequestFault[] {
  const { replay, conflict, rebuild, fresh } = history;
  const refused = [...(conflict ? [OUTCOMES.conflict] : []), ...(rebuild ? [OUTCOMES.rebuild] : [])];
  const point = history.point === undefined ? {} : { point: history.point };
  // A retry is no new build: it is served in a spent minute, too.
  if (replay) return refused.length === 0 ? [] : [{ outcomes: refused, rules: [], certain: false, ...point }];
  if (!fresh) return [{ outcomes: refused, rules: [history.rule], certain: true, ...point }];
  const rate = rates.verdict(now);
  const spent = rate === "accept" ? [] : [OUTCOMES.limited];
  if (rate === "refuse")
    return [{ outcomes: [...spent, ...refused], rules: ["LIMIT-6"], certain: true, ...point }];
  const outcomes = [...refused, ...spent];
  return outcomes.length === 0
    ? []
    : [{ outcomes, rules: [], certain: false, point: history.point ?? "RATE-SHAPE" }];
}
