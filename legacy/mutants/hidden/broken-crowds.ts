import {
  type Answer,
  type HiddenFault,
  hiddenFault,
  isBuild,
  isVerify,
  members,
  refusal,
  scopeOf,
} from "./hidden-fault.ts";

const MINUTE_MS = 60_000;

/** A service that answers two of a kind in flight together with each other's answer. */
function swapping(name: string, swaps: typeof isBuild): HiddenFault {
  return {
    name,
    make: () => (start, now) => {
      const inner = start(now);
      let waiting: { answer: Answer } | undefined;
      return async (call) => {
        const own = { answer: inner(call) };
        if (!swaps(call) || own.answer.status !== 200) return own.answer;
        if (waiting === undefined) {
          waiting = own;
          await Promise.resolve();
          await Promise.resolve();
          waiting = undefined;
        } else [waiting.answer, own.answer] = [own.answer, waiting.answer];
        return own.answer;
      };
    },
  };
}

/** Services that go wrong about many who come at once, and about minutes in which they do. */
export const brokenCrowds: readonly HiddenFault[] = [
  {
    name: "a limiter remembers the last four creators",
    make: () => (start, now) => {
      let ahead = 0;
      const inner = start(() => now() + ahead);
      let recent: string[] = [];
      return (call) => {
        const creator = String(members(call)["creator"]);
        let answer = inner(call);
        if (!isBuild(call)) return answer;
        if (answer.body["code"] === "OFFLINE_RATE_LIMIT" && !recent.includes(creator)) {
          ahead = MINUTE_MS + 1;
          answer = inner(call);
          ahead = 0;
        }
        if (answer.status === 200)
          recent = [...recent.filter((other) => other !== creator), creator].slice(-4);
        return answer;
      };
    },
  },
  hiddenFault("fifteen younger drafts push a draft out", (inner) => {
    const order: string[] = [];
    return (call) => {
      const answer = inner(call);
      if (!isBuild(call) || answer.status !== 200) return answer;
      const place = order.indexOf(scopeOf(call));
      if (place >= 0 && order.length - place > 15) return refusal(409, "REBUILD_WITH_NEW_KEY");
      if (place < 0) order.push(scopeOf(call));
      return answer;
    };
  }),
  hiddenFault("a minute is counted from the last build", (inner, now) => {
    const runs = new Map<string, { last: number; count: number }>();
    const known = new Set<string>();
    return (call) => {
      const creator = String(members(call)["creator"]);
      const run = runs.get(creator);
      const on = run !== undefined && now() - run.last < MINUTE_MS;
      const answer = inner(call);
      if (!isBuild(call) || answer.status !== 200 || known.has(scopeOf(call))) return answer;
      if (on && run.count >= 5) return refusal(429, "OFFLINE_RATE_LIMIT");
      known.add(scopeOf(call));
      runs.set(creator, { last: now(), count: on ? run.count + 1 : 1 });
      return answer;
    };
  }),
  {
    name: "a second session gives its creator five more",
    make: () => (start, now) => {
      let ahead = 0;
      const inner = start(() => now() + ahead);
      const bearers = new Map<string, Set<string>>();
      const given = new Set<string>();
      return (call) => {
        const answer = inner(call);
        if (!isBuild(call)) return answer;
        const creator = String(members(call)["creator"]);
        const own = bearers.get(creator) ?? new Set();
        bearers.set(creator, own);
        if (answer.status === 200) own.add(String(call.bearer));
        const another = own.size > 0 && !own.has(String(call.bearer));
        if (answer.body["code"] !== "OFFLINE_RATE_LIMIT" || !another || given.has(String(call.bearer)))
          return answer;
        given.add(String(call.bearer));
        ahead = MINUTE_MS + 1;
        const served = inner(call);
        ahead = 0;
        return served;
      };
    },
  },
  swapping("two builds in flight together get each other's draft", isBuild),
  swapping("two proofs in flight together get each other's session", isVerify),
];
