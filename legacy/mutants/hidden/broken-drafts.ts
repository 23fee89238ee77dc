import {
  Counter,
  type HiddenFault,
  hiddenFault,
  isBuild,
  members,
  refusal,
  scopeOf,
} from "./hidden-fault.ts";

/** Services that go wrong about drafts and idempotency keys. */
export const brokenDrafts: readonly HiddenFault[] = [
  hiddenFault("the third retry gets another draft", (inner) => {
    const answers = new Counter();
    return (call) => {
      const answer = inner(call);
      if (!isBuild(call) || answer.status !== 200 || answers.add(scopeOf(call)) !== 4) return answer;
      return { ...answer, body: { ...answer.body, nextGate: "SOMETHING_ELSE" } };
    };
  }),
  hiddenFault("the fourth retry is told to take a new key", (inner) => {
    const answers = new Counter();
    return (call) => {
      const answer = inner(call);
      const fourth = isBuild(call) && answer.status === 200 && answers.add(scopeOf(call)) >= 5;
      return fourth ? refusal(409, "REBUILD_WITH_NEW_KEY") : answer;
    };
  }),
  {
    name: "a restart after a wait leaves keys to whoever used them before",
    make: () => {
      const owners = new Map<string, string>();
      const reading = { first: 0, last: 0 };
      return (start, now) => {
        const inner = start(now);
        const kept = now() === reading.last && reading.last > reading.first;
        const former = kept ? new Map(owners) : new Map<string, string>();
        reading.first = now();
        return (call) => {
          reading.last = now();
          const creator = String(members(call)["creator"]);
          const owner = former.get(String(call.idempotencyKey));
          const answer = inner(call);
          if (!isBuild(call) || answer.status !== 200) return answer;
          if (owner !== undefined && owner !== creator) return refusal(409, "IDEMPOTENCY_CONFLICT");
          owners.set(String(call.idempotencyKey), creator);
          return answer;
        };
      };
    },
  },
  {
    name: "a restart within the half minute keeps the keys",
    make: () => {
      const inputs = new Map<string, { readonly text: string; readonly at: number }>();
      return (start, now) => {
        const inner = start(now);
        const former = new Map(inputs);
        return (call) => {
          const answer = inner(call);
          if (!isBuild(call) || answer.status !== 200) return answer;
          const before = former.get(scopeOf(call));
          const text = JSON.stringify(Object.entries(members(call)).sort());
          if (before !== undefined && before.text !== text && now() - before.at < 30_000)
            return refusal(409, "IDEMPOTENCY_CONFLICT");
          inputs.set(scopeOf(call), { text, at: now() });
          return answer;
        };
      };
    },
  },
  hiddenFault("the second retry begins the half minute anew", (inner, now) => {
    const drafts = new Map<
      string,
      { readonly text: string; readonly answer: ReturnType<typeof inner>; count: number; until: number }
    >();
    return (call) => {
      if (!isBuild(call)) return inner(call);
      const draft = drafts.get(scopeOf(call));
      const text = JSON.stringify(Object.entries(members(call)).sort());
      const answer = inner(call);
      if (
        draft !== undefined &&
        draft.count >= 2 &&
        draft.text === text &&
        now() < draft.until &&
        answer.status === 409
      )
        return draft.answer;
      if (answer.status !== 200) return answer;
      if (draft === undefined) drafts.set(scopeOf(call), { text, answer, count: 0, until: 0 });
      else {
        draft.count += 1;
        draft.until = now() + 30_000;
      }
      return answer;
    };
  }),
  hiddenFault("a conflict begins the half minute anew", (inner, now) => {
    const drafts = new Map<string, { readonly answer: ReturnType<typeof inner>; until: number }>();
    return (call) => {
      if (!isBuild(call)) return inner(call);
      const answer = inner(call);
      const draft = drafts.get(scopeOf(call));
      if (answer.status === 200) drafts.set(scopeOf(call), draft ?? { answer, until: 0 });
      if (draft === undefined || answer.status !== 409) return answer;
      if (answer.body["code"] === "IDEMPOTENCY_CONFLICT") draft.until = now() + 30_000;
      return answer.body["code"] === "REBUILD_WITH_NEW_KEY" && now() < draft.until ? draft.answer : answer;
    };
  }),
  hiddenFault("two conflicts and the first input has lost its draft", (inner) => {
    const conflicts = new Counter();
    return (call) => {
      const answer = inner(call);
      if (answer.body["code"] === "IDEMPOTENCY_CONFLICT") conflicts.add(scopeOf(call));
      const lost = isBuild(call) && answer.status === 200 && conflicts.get(scopeOf(call)) >= 2;
      return lost ? refusal(409, "IDEMPOTENCY_CONFLICT") : answer;
    };
  }),
  hiddenFault("a retry finds the draft that was last built under its key, whoever built it", (inner) => {
    const drafts = new Map<string, ReturnType<typeof inner>>();
    const own = new Map<string, ReturnType<typeof inner>>();
    return (call) => {
      const answer = inner(call);
      if (!isBuild(call) || answer.status !== 200) return answer;
      const key = String(call.idempotencyKey);
      if (own.has(scopeOf(call))) return drafts.get(key) ?? answer;
      own.set(scopeOf(call), answer);
      drafts.set(key, answer);
      return answer;
    };
  }),
  hiddenFault("once a key was retried, its upper and lower case are one", (inner) => {
    const retried = new Map<string, string>();
    const seen = new Set<string>();
    return (call) => {
      const answer = inner(call);
      if (!isBuild(call) || answer.status !== 200) return answer;
      const scope = scopeOf(call);
      const taken = retried.get(scope.toLowerCase());
      if (taken !== undefined && taken !== scope) return refusal(409, "IDEMPOTENCY_CONFLICT");
      if (seen.has(scope)) retried.set(scope.toLowerCase(), scope);
      seen.add(scope);
      return answer;
    };
  }),
  hiddenFault("a second attempt under an expired key is served", (inner) => {
    const expired = new Counter();
    return (call) => {
      const answer = inner(call);
      if (answer.body["code"] !== "REBUILD_WITH_NEW_KEY" || expired.add(scopeOf(call)) < 2) return answer;
      return inner({ ...call, idempotencyKey: `${call.idempotencyKey}-again`.slice(-64) });
    };
  }),
  hiddenFault("after one conflict a changed name goes unnoticed", (inner) => {
    const drafts = new Map<string, ReturnType<typeof inner>>();
    const names = new Map<string, unknown>();
    const conflicts = new Counter();
    return (call) => {
      const answer = inner(call);
      const { name } = members(call);
      if (isBuild(call) && answer.status === 200) {
        drafts.set(scopeOf(call), answer);
        names.set(scopeOf(call), name);
      }
      if (answer.body["code"] !== "IDEMPOTENCY_CONFLICT" || conflicts.add(scopeOf(call)) < 2) return answer;
      const renamed = name !== names.get(scopeOf(call));
      return renamed ? (drafts.get(scopeOf(call)) ?? answer) : answer;
    };
  }),
  hiddenFault("the order of members counts from the second retry on", (inner) => {
    const first = new Map<string, string>();
    const answers = new Counter();
    return (call) => {
      const answer = inner(call);
      if (!isBuild(call) || answer.status !== 200) return answer;
      const order = Object.keys(members(call)).join();
      const before = first.get(scopeOf(call)) ?? order;
      first.set(scopeOf(call), before);
      return answers.add(scopeOf(call)) > 2 && order !== before
        ? refusal(409, "IDEMPOTENCY_CONFLICT")
        : answer;
    };
  }),
];
