import {
  type Answer,
  type Call,
  type HiddenFault,
  isBuild,
  isVerify,
  members,
  type Start,
  scopeOf,
} from "./hidden-fault.ts";

/** A service that answers some calls late, and by what it knew when they came in. */
function hasty(name: string, late: (call: Call) => boolean, forget: (call: Call) => Call): HiddenFault {
  return {
    name,
    make: () => (start: Start, now: () => number) => {
      const inner = start(now);
      let underWay = 0;
      return async (call: Call): Promise<Answer> => {
        if (!late(call)) return inner(call);
        underWay += 1;
        const crowded = underWay > 1;
        await Promise.resolve();
        const answer = inner(crowded ? forget(call) : call);
        await Promise.resolve();
        underWay -= 1;
        return answer;
      };
    },
  };
}

/** Services that go wrong about requests in flight together. */
export const brokenRaces: readonly HiddenFault[] = [
  {
    name: "proofs in flight together open a session each",
    make: () => (start, now) => {
      const inner = start(now);
      const waiting = new Map<string, Promise<Answer>>();
      return (call) => {
        const id = String(members(call)["id"]);
        if (!isVerify(call)) return Promise.resolve(inner(call));
        const other = waiting.get(id);
        const own = (async () => {
          await Promise.resolve();
          return other ?? inner(call);
        })();
        waiting.set(id, own);
        return own.finally(() => waiting.delete(id));
      };
    },
  },
  hasty("a key in flight twice gives two drafts", isBuild, (call) => ({
    ...call,
    idempotencyKey: `${call.idempotencyKey}-2`.slice(-64),
  })),
  {
    name: "six builds in flight together are all served",
    make: () => (start, now) => {
      let ahead = 0;
      const inner = start(() => now() + ahead);
      const underWay = new Set<string>();
      return async (call) => {
        if (!isBuild(call)) return inner(call);
        underWay.add(scopeOf(call));
        await Promise.resolve();
        const answer = inner(call);
        if (answer.body["code"] !== "OFFLINE_RATE_LIMIT" || underWay.size < 2) {
          underWay.delete(scopeOf(call));
          return answer;
        }
        ahead = 60_001;
        const served = inner(call);
        ahead = 0;
        underWay.delete(scopeOf(call));
        return served;
      };
    },
  },
];
