import {
  type Answer,
  type Call,
  Counter,
  type HiddenFault,
  hiddenFault,
  isBuild,
  members,
  refusal,
  scopeOf,
} from "./hidden-fault.ts";

const MINUTE_MS = 60_000;

function isNew(call: Call, answer: Answer, known: Set<string>): boolean {
  if (!isBuild(call) || answer.status !== 200 || known.has(scopeOf(call))) return false;
  known.add(scopeOf(call));
  return true;
}

/** A limiter that lets one more build pass where `leaks` says so, by showing the good service a later clock. */
function leaking(name: string, leaks: (creator: string, answers: readonly Answer[]) => boolean): HiddenFault {
  return {
    name,
    make: () => (start, now) => {
      let ahead = 0;
      const inner = start(() => now() + ahead);
      const history = new Map<string, Answer[]>();
      return (call) => {
        ahead = 0;
        const creator = String(members(call)["creator"]);
        const before = history.get(creator) ?? [];
        let answer = inner(call);
        if (isBuild(call) && answer.body["code"] === "OFFLINE_RATE_LIMIT" && leaks(creator, before)) {
          ahead = MINUTE_MS + 1;
          answer = inner(call);
          ahead = 0;
        }
        if (isBuild(call)) history.set(creator, [...before, answer]);
        return answer;
      };
    },
  };
}

/** Services that go wrong about the five new builds a minute. */
export const brokenRates: readonly HiddenFault[] = [
  leaking("a build that was refused for its input frees a place", (_, answers) =>
    answers.some(({ status }) => status === 400),
  ),
  leaking("a conflict frees a place", (_, answers) =>
    answers.some(({ body }) => body["code"] === "IDEMPOTENCY_CONFLICT"),
  ),
  leaking("whoever was refused for the rate twice is served", (_, answers) =>
    answers.slice(-2).every(({ status }) => status === 429),
  ),
  hiddenFault("from the third retry on, retries count", (inner, now) => {
    const known = new Set<string>();
    const built = new Map<string, number[]>();
    const retries = new Counter();
    return (call) => {
      const creator = String(members(call)["creator"]);
      const recent = (built.get(creator) ?? []).filter((at) => now() - at < MINUTE_MS);
      const spent = recent.length + Math.max(0, retries.get(creator) - 2) >= 5;
      const answer = inner(call);
      if (isNew(call, answer, known)) {
        if (spent && recent.length > 0) return refusal(429, "OFFLINE_RATE_LIMIT");
        built.set(creator, [...recent, now()]);
      } else if (isBuild(call) && answer.status === 200) retries.add(creator);
      return answer;
    };
  }),
  hiddenFault("a spent minute lasts two", (inner, now) => {
    const spentAt = new Map<string, number>();
    const known = new Set<string>();
    return (call) => {
      const creator = String(members(call)["creator"]);
      const at = spentAt.get(creator);
      const spent = at !== undefined && now() - at < 2 * MINUTE_MS;
      const answer = inner(call);
      if (isNew(call, answer, known) && spent) return refusal(429, "OFFLINE_RATE_LIMIT");
      if (answer.body["code"] === "OFFLINE_RATE_LIMIT") spentAt.set(creator, now());
      return answer;
    };
  }),
  hiddenFault("two creators who build in turn share the five", (inner, now) => {
    const known = new Set<string>();
    const built: { readonly creator: string; readonly at: number }[] = [];
    return (call) => {
      const creator = String(members(call)["creator"]);
      const recent = built.filter(({ at }) => now() - at < MINUTE_MS);
      const own = recent.filter((build) => build.creator === creator).length;
      const shared = recent.length >= 5 && own >= 2 && own < recent.length;
      const answer = inner(call);
      if (!isNew(call, answer, known)) return answer;
      if (shared) return refusal(429, "OFFLINE_RATE_LIMIT");
      built.push({ creator, at: now() });
      return answer;
    };
  }),
  hiddenFault("a retry in a spent minute is refused from the second time on", (inner) => {
    const spent = new Set<string>();
    const retries = new Counter();
    return (call) => {
      const answer = inner(call);
      const creator = String(members(call)["creator"]);
      if (answer.body["code"] === "OFFLINE_RATE_LIMIT") spent.add(creator);
      if (!isBuild(call) || answer.status !== 200 || !spent.has(creator)) return answer;
      return retries.add(creator) >= 2 ? refusal(429, "OFFLINE_RATE_LIMIT") : answer;
    };
  }),
];
