import { proofWeigher } from "../../contract/model/proof-holds.ts";
import {
  Counter,
  type HiddenFault,
  hiddenFault,
  isChallenge,
  isVerify,
  members,
  refusal,
} from "./hidden-fault.ts";

/** Whether a proof is good, as the good service will find. */
const weigh = proofWeigher();
function holds({ creator, message }: { creator: string; message: string }, signature: string): boolean {
  const bytes = new Uint8Array(Buffer.from(signature, "base64"));
  return bytes.length === 64 && weigh(creator, Buffer.from(message), bytes) === "yes";
}

const HOUR_MS = 3_600_000;

/** Services that go wrong about challenges and their proofs. */
export const brokenChallenges: readonly HiddenFault[] = [
  hiddenFault("a bad proof leaves the challenge alone where its creator has another one", (inner) => {
    const challenges = new Map<string, { readonly creator: string; readonly message: string }>();
    return (call) => {
      const { id, signatureBase64 } = members(call);
      const own = challenges.get(String(id));
      const others = [...challenges].some(([other, { creator }]) => other !== id && creator === own?.creator);
      const bad = own !== undefined && !holds(own, String(signatureBase64));
      if (isVerify(call) && bad && others) return refusal(401, "INVALID_PROOF");
      const answer = inner(call);
      if (isChallenge(call) && answer.status === 200) {
        const creator = String(members(call)["creator"]);
        challenges.set(String(answer.body["id"]), { creator, message: String(answer.body["message"]) });
      }
      return answer;
    };
  }),
  hiddenFault("a good proof uses up every challenge of its creator", (inner) => {
    const owners = new Map<string, string>();
    const spent = new Set<string>();
    return (call) => {
      if (isVerify(call) && spent.has(String(members(call)["id"])))
        return refusal(401, "EXPIRED_OR_USED_CHALLENGE");
      const answer = inner(call);
      if (isChallenge(call)) owners.set(String(answer.body["id"]), String(members(call)["creator"]));
      if (!isVerify(call) || answer.status !== 200) return answer;
      const owner = owners.get(String(members(call)["id"]));
      for (const [id, creator] of owners) if (creator === owner) spent.add(id);
      return answer;
    };
  }),
  hiddenFault("a bad proof uses up the challenge that was issued last, too", (inner) => {
    let last = "";
    const spent = new Set<string>();
    return (call) => {
      if (isVerify(call) && spent.has(String(members(call)["id"])))
        return refusal(401, "EXPIRED_OR_USED_CHALLENGE");
      const answer = inner(call);
      if (isChallenge(call) && answer.status === 200) last = String(answer.body["id"]);
      if (answer.body["code"] === "INVALID_PROOF") spent.add(last);
      return answer;
    };
  }),
  hiddenFault("whoever has a session proves for others, too", (inner, now) => {
    const challenges = new Map<string, { readonly creator: string; readonly message: string }>();
    const known = new Set<string>();
    return (call) => {
      const answer = inner(call);
      const { creator = "", id = "", signatureBase64 = "" } = members(call);
      if (isChallenge(call) && answer.status === 200)
        challenges.set(String(answer.body["id"]), { creator, message: String(answer.body["message"]) });
      const own = challenges.get(id);
      if (!isVerify(call) || own === undefined) return answer;
      if (answer.status === 200) known.add(own.creator);
      const proven = [...known].some((other) => holds({ ...own, creator: other }, signatureBase64));
      if (answer.body["code"] !== "INVALID_PROOF" || !proven) return answer;
      const expiresAt = new Date(now() + HOUR_MS).toISOString();
      const scope = "offline:launch-draft";
      return { status: 200, body: { bearer: id, expiresAt, scope, productionApproved: false } };
    };
  }),
  {
    name: "an expired challenge is taken while its creator has a live one",
    make: () => (start, now) => {
      let clock = 0;
      const inner = start(() => clock);
      const issued = new Map<string, { readonly creator: string; readonly at: number }>();
      return (call) => {
        clock = now();
        if (isVerify(call)) {
          const own = issued.get(String(members(call)["id"]));
          const live = [...issued.values()].some(
            ({ creator, at }) => creator === own?.creator && now() - at < 60_000,
          );
          if (own !== undefined && now() - own.at >= 60_000 && live) clock = own.at + 59_999;
          const answer = inner(call);
          return clock === now() || answer.status !== 200
            ? answer
            : { ...answer, body: { ...answer.body, expiresAt: new Date(now() + HOUR_MS).toISOString() } };
        }
        const answer = inner(call);
        if (isChallenge(call) && answer.status === 200) {
          issued.set(String(answer.body["id"]), { creator: String(members(call)["creator"]), at: now() });
        }
        return answer;
      };
    },
  },
  hiddenFault("a challenge lives for half a minute where its creator has a session", (inner, now) => {
    const issued = new Map<
      string,
      { readonly creator: string; readonly at: number; readonly known: boolean }
    >();
    const known = new Set<string>();
    return (call) => {
      const own = issued.get(String(members(call)["id"]));
      if (isVerify(call) && own?.known === true && now() - own.at > 30_000)
        return refusal(401, "EXPIRED_OR_USED_CHALLENGE");
      const answer = inner(call);
      const creator = String(members(call)["creator"]);
      if (isChallenge(call))
        issued.set(String(answer.body["id"]), { creator, at: now(), known: known.has(creator) });
      if (isVerify(call) && answer.status === 200 && own !== undefined) known.add(own.creator);
      return answer;
    };
  }),
  hiddenFault("the third attempt at one challenge is told that its proof is invalid", (inner) => {
    const attempts = new Counter();
    return (call) => {
      const answer = inner(call);
      const third = isVerify(call) && answer.status === 401 && attempts.add(String(members(call)["id"])) >= 2;
      return third ? refusal(401, "INVALID_PROOF") : answer;
    };
  }),
];
