import { type HiddenFault, hiddenFault, isBuild, members, refusal, scopeOf } from "./hidden-fault.ts";

/** Services that go wrong about what a request holds, and only now and then. */
export const brokenInputs: readonly HiddenFault[] = [
  hiddenFault("a body that is too large loses the last draft", (inner) => {
    const lost = new Set<string>();
    let last = "";
    return (call) => {
      if (Buffer.byteLength(String(call.body ?? "")) > 16_384) lost.add(last);
      const answer = inner(call);
      if (!isBuild(call) || answer.status !== 200) return answer;
      if (lost.has(scopeOf(call))) return refusal(409, "REBUILD_WITH_NEW_KEY");
      last = scopeOf(call);
      return answer;
    };
  }),
  hiddenFault("the host of a long metadata address is not looked at", (inner) => (call) => {
    const { uri, ...rest } = members(call);
    const long = typeof uri === "string" && uri.startsWith("https://") && Buffer.byteLength(uri) === 200;
    if (!isBuild(call) || !long) return inner(call);
    const allowed = uri.replace(/^https:\/\/[^/?#]*/, "https://gateway-a.example").slice(0, 200);
    return inner({ ...call, body: JSON.stringify({ ...rest, uri: allowed }) });
  }),
  hiddenFault("an escaped slash makes another input", (inner) => {
    const first = new Map<string, boolean>();
    return (call) => {
      const answer = inner(call);
      if (!isBuild(call) || answer.status !== 200) return answer;
      const escaped = String(call.body).includes("\\/");
      const before = first.get(scopeOf(call)) ?? escaped;
      first.set(scopeOf(call), before);
      return escaped === before ? answer : refusal(409, "IDEMPOTENCY_CONFLICT");
    };
  }),
];
