import {
  type Handle,
  type HiddenFault,
  hiddenFault,
  isBuild,
  isChallenge,
  isVerify,
  members,
  scopeOf,
} from "./hidden-fault.ts";

const HOUR_MS = 3_600_000;

/** Whose challenges and sessions there are, in the order in which they came. */
class SignIns {
  readonly #owners = new Map<string, string>();
  readonly sessions = new Map<string, { readonly creator: string; readonly at: number }>();

  /** A service that is watched for them. */
  watching(inner: Handle, now: () => number): Handle {
    return (call) => {
      const answer = inner(call);
      if (isChallenge(call) && answer.status === 200)
        this.#owners.set(String(answer.body["id"]), String(members(call)["creator"]));
      if (isVerify(call) && answer.status === 200) {
        const creator = this.#owners.get(String(members(call)["id"])) ?? "";
        this.sessions.set(String(answer.body["bearer"]), { creator, at: now() });
      }
      return answer;
    };
  }
}

/** A service that takes some bearers as if it were still the hour of their session. */
function withTimeless(
  name: string,
  takes: (bearer: string, sessions: SignIns["sessions"], now: number) => boolean,
): HiddenFault {
  return {
    name,
    make: () => (start, now) => {
      let clock: number | undefined;
      const signIns = new SignIns();
      const inner = signIns.watching(
        start(() => clock ?? now()),
        now,
      );
      return (call) => {
        const bearer = String(call.bearer);
        const session = signIns.sessions.get(bearer);
        const over = session !== undefined && now() - session.at >= HOUR_MS;
        clock = over && isBuild(call) && takes(bearer, signIns.sessions, now()) ? session.at : undefined;
        const answer = inner(call);
        clock = undefined;
        return answer;
      };
    },
  };
}

/** Services in which what is over comes back. */
export const brokenRevivals: readonly HiddenFault[] = [
  hiddenFault("an expired key that met other input serves its draft again", (inner) => {
    const drafts = new Map<string, { readonly body: unknown; readonly answer: ReturnType<Handle> }>();
    const woken = new Set<string>();
    return (call) => {
      const answer = inner(call);
      const scope = scopeOf(call);
      if (!isBuild(call)) return answer;
      if (answer.status === 200 && !drafts.has(scope)) drafts.set(scope, { body: call.body, answer });
      const draft = drafts.get(scope);
      if (answer.body["code"] !== "REBUILD_WITH_NEW_KEY" || draft === undefined) return answer;
      if (draft.body !== call.body) woken.add(scope);
      return woken.has(scope) && draft.body === call.body ? draft.answer : answer;
    };
  }),
  {
    name: "a challenge from before the restart is good once its creator has asked anew",
    make: () => {
      const issued = new Map<string, string>();
      return (start, now) => {
        const inner = start(now);
        const former = new Map(issued);
        const back = new Set<string>();
        return (call) => {
          const { id = "", creator = "" } = members(call);
          const answer = inner(call);
          if (isChallenge(call) && answer.status === 200) {
            issued.set(String(answer.body["id"]), creator);
            back.add(creator);
          }
          if (!isVerify(call) || answer.status !== 401 || !back.has(former.get(id) ?? "")) return answer;
          const expiresAt = new Date(now() + HOUR_MS).toISOString();
          const scope = "offline:launch-draft";
          return { status: 200, body: { bearer: id, expiresAt, scope, productionApproved: false } };
        };
      };
    },
  },
  withTimeless("of two sessions that are over, the younger works", (bearer, sessions, now) => {
    const own = sessions.get(bearer)?.creator;
    const over = [...sessions].filter(([, { creator, at }]) => creator === own && now - at >= HOUR_MS);
    return over.length > 1 && over.at(-1)?.[0] === bearer;
  }),
  withTimeless("a session that is over works again once its creator has another", (bearer, sessions, now) => {
    const own = sessions.get(bearer)?.creator;
    return [...sessions.values()].some(({ creator, at }) => creator === own && now - at < HOUR_MS);
  }),
  withTimeless("no session ends while four creators have five each", (_, sessions) => {
    const own = new Map<string, number>();
    for (const { creator } of sessions.values()) own.set(creator, (own.get(creator) ?? 0) + 1);
    return [...own.values()].filter((count) => count >= 5).length >= 4;
  }),
];
