import {
  Counter,
  type HiddenFault,
  hiddenFault,
  isBuild,
  isChallenge,
  isVerify,
  members,
  refusal,
  scopeOf,
} from "./hidden-fault.ts";

const HOUR_MS = 3_600_000;

/** Services that go wrong about sessions. */
export const brokenSessions: readonly HiddenFault[] = [
  {
    name: "a session lives for an hour since its last use",
    make: () => (start, now) => {
      let clock = 0;
      const inner = start(() => clock);
      const used = new Map<string, number>();
      const opened = new Map<string, number>();
      return (call) => {
        clock = now();
        const bearer = String(call.bearer);
        const last = used.get(bearer);
        const late =
          last !== undefined && now() - last < HOUR_MS && now() - (opened.get(bearer) ?? now()) >= HOUR_MS;
        if (late) clock = (opened.get(bearer) ?? 0) + HOUR_MS - 1;
        const answer = inner(call);
        if (isVerify(call) && answer.status === 200) opened.set(String(answer.body["bearer"]), now());
        if (isBuild(call) && answer.status === 200) used.set(bearer, now());
        return answer;
      };
    },
  },
  hiddenFault("the third session of a creator ends the first", (inner) => {
    const sessions = new Map<string, string[]>();
    const owners = new Map<string, string>();
    const ended = new Set<string>();
    return (call) => {
      if (isBuild(call) && ended.has(String(call.bearer))) return refusal(401, "UNAUTHORIZED");
      const answer = inner(call);
      if (isChallenge(call)) owners.set(String(answer.body["id"]), String(members(call)["creator"]));
      if (!isVerify(call) || answer.status !== 200) return answer;
      const owner = owners.get(String(members(call)["id"])) ?? "";
      const own = [...(sessions.get(owner) ?? []), String(answer.body["bearer"])];
      sessions.set(owner, own);
      if (own.length > 2) ended.add(own[own.length - 3] ?? "");
      return answer;
    };
  }),
  {
    name: "a bearer from before the restart works once its creator has a new one",
    make: () => {
      const bearers = new Map<string, string>();
      return (start, now) => {
        const inner = start(now);
        const former = new Map(bearers);
        const owners = new Map<string, string>();
        const fresh = new Map<string, string>();
        return (call) => {
          const owner = former.get(String(call.bearer));
          const answer = inner(
            owner === undefined ? call : { ...call, bearer: fresh.get(owner) ?? String(call.bearer) },
          );
          if (isChallenge(call)) owners.set(String(answer.body["id"]), String(members(call)["creator"]));
          if (isVerify(call) && answer.status === 200) {
            const creator = owners.get(String(members(call)["id"])) ?? "";
            fresh.set(creator, String(answer.body["bearer"]));
            bearers.set(String(answer.body["bearer"]), creator);
          }
          return answer;
        };
      };
    },
  },
  hiddenFault("a bad proof ends the sessions of its creator", (inner) => {
    const owners = new Map<string, string>();
    const bearers = new Map<string, string>();
    const ended = new Set<string>();
    return (call) => {
      if (isBuild(call) && ended.has(String(call.bearer))) return refusal(401, "UNAUTHORIZED");
      const answer = inner(call);
      if (isChallenge(call)) owners.set(String(answer.body["id"]), String(members(call)["creator"]));
      const owner = owners.get(String(members(call)["id"])) ?? "";
      if (isVerify(call) && answer.status === 200) bearers.set(String(answer.body["bearer"]), owner);
      if (answer.body["code"] !== "INVALID_PROOF") return answer;
      for (const [bearer, creator] of bearers) if (creator === owner) ended.add(bearer);
      return answer;
    };
  }),
  hiddenFault("whoever built twice may build for another creator", (inner) => {
    const bearers = new Map<string, string>();
    const builds = new Counter();
    return (call) => {
      const creator = String(members(call)["creator"]);
      const bearer = String(call.bearer);
      const trusted = isBuild(call) && builds.get(bearer) >= 2;
      const answer = inner(trusted ? { ...call, bearer: bearers.get(creator) ?? bearer } : call);
      if (!isBuild(call) || answer.status !== 200) return answer;
      builds.add(bearer);
      if (!trusted) bearers.set(creator, bearer);
      return answer;
    };
  }),
  hiddenFault("an answer to an expired session, the second time, states no lack of approval", (inner) => {
    const refused = new Counter();
    return (call) => {
      const answer = inner(call);
      if (answer.body["code"] !== "UNAUTHORIZED" || refused.add(scopeOf(call)) < 2) return answer;
      return { status: 401, body: { code: "UNAUTHORIZED" } };
    };
  }),
];
