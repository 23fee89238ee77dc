import assert from "node:assert/strict";
import { generateKeyPairSync, sign } from "node:crypto";
import { test } from "node:test";
import bs58 from "bs58";
import { ROUTES } from "../../operations.ts";
import { ClientDuties, type ClientExchange } from "./client-duties.ts";

const TERMS = "ab".repeat(32);
const ID = "cd".repeat(24);
const JSON_TYPE = ["content-type", "application/json"] as const;
const newKey = () => {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const address = bs58.encode(Buffer.from(publicKey.export({ format: "jwk" }).x ?? "", "base64url"));
  const proof = (message: string) => sign(null, Buffer.from(message), privateKey).toString("base64");
  return { address, proof };
};
const [alice, bob, mint] = [newKey(), newKey(), newKey()];

interface Sketch {
  readonly body?: unknown;
  readonly headers?: readonly (readonly [string, string])[];
  readonly status?: number;
  readonly answer?: unknown;
  readonly target?: string;
}

let number = 0;
/** An exchange of 5 ms, 10 ms after the one before it. */
function exchange(
  route: { readonly method: string; readonly path: string },
  sketch: Sketch = {},
): ClientExchange {
  const { body, headers = [], status = 200, answer = {}, target = route.path } = sketch;
  number += 1;
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const typed = body === undefined ? [] : [JSON_TYPE];
  return {
    source: { file: "traffic", line: number },
    startedMs: 10 * number,
    endedMs: 10 * number + 5,
    request: {
      method: route.method,
      target,
      headers: [["host", "a"], ...typed, ...headers],
      ...(text === undefined ? {} : { body: new Uint8Array(Buffer.from(text)) }),
    },
    response: { status, text: JSON.stringify(answer) },
  };
}

const profile = () => exchange(ROUTES.platform, { answer: { termsHash: TERMS } });
const challenge = (changes: object = {}, sketch: Sketch = {}) =>
  exchange(ROUTES.challenge, {
    body: { creator: alice.address, termsHash: TERMS, ...changes },
    answer: { id: ID, message: "sign me" },
    ...sketch,
  });
const verify = (signatureBase64 = alice.proof("sign me"), sketch: Sketch = {}) =>
  exchange(ROUTES.verify, { body: { id: ID, signatureBase64 }, answer: { bearer: "bearer-1" }, ...sketch });
const launch = {
  creator: alice.address,
  mint: mint.address,
  name: "n",
  symbol: "s",
  uri: "https://a.example/m",
};
const build = (
  changes: object = {},
  key: string | undefined = "key-00001",
  bearer = "Bearer bearer-1",
  sketch: Sketch = {},
) =>
  exchange(ROUTES.build, {
    body: { ...launch, ...changes },
    headers: [["authorization", bearer], ...(key === undefined ? [] : [["idempotency-key", key] as const])],
    ...sketch,
  });
const refused = (status: number, code: string): Sketch => ({ status, answer: { code } });

/** The rules that the last of these exchanges breaks, and by which earlier ones. */
function broken(...exchanges: readonly ClientExchange[]): readonly string[] {
  const duties = new ClientDuties("utf8");
  return (exchanges.map((one) => duties.take(one)).at(-1) ?? []).map(
    ({ violation, isAdvice, because }) =>
      `${violation.rule}${isAdvice ? " (advice)" : ""}${because.length === 0 ? "" : ` after ${because.length}`}`,
  );
}

test("a client that keeps its duties is told of nothing, whatever was not seen", () => {
  const all = [profile(), challenge(), verify(), build(), build(), build({ name: "other" }, "key-00002")];
  for (let from = 0; from < all.length; from++) {
    const duties = new ClientDuties(undefined);
    for (const one of all.slice(from)) assert.deepEqual(duties.take(one), []);
  }
});

test("each duty that traffic shows to be neglected is told, with what shows it", () => {
  const session = [profile(), challenge(), verify()];
  for (const [rules, ...exchanges] of [
    [["CLIENT-ROUTE-1"], exchange({ method: "POST", path: "/v1/launch/sign" })],
    [["CLIENT-ROUTE-2 (advice)"], exchange({ method: "GET", path: "/v1/health" })],
    [["CLIENT-PROFILE-2"], exchange(ROUTES.platform, { target: "/v1/platform?x=1" })],
    [
      ["CLIENT-PROFILE-1 after 1"],
      profile(),
      challenge({ termsHash: "00".repeat(32) }, refused(400, "INVALID_FIELDS")),
    ],
    [["CLIENT-CHALLENGE-1"], challenge({ creator: 7 })],
    [["CLIENT-CHALLENGE-1"], challenge({ more: 1 })],
    [["CLIENT-BUILD-4"], challenge({}, { body: "{" })],
    [["CLIENT-PROOF-3"], verify("short")],
    [["CLIENT-PROOF-2 after 1"], challenge(), verify(bob.proof("sign me"), refused(401, "INVALID_PROOF"))],
    [
      ["CLIENT-PROOF-4 after 2"],
      ...session.slice(1),
      verify(undefined, refused(401, "EXPIRED_OR_USED_CHALLENGE")),
    ],
    [["CLIENT-SESSION-1"], build({}, "key-00001", "Basic x")],
    [["CLIENT-SESSION-2 after 2"], ...session, build({ creator: bob.address })],
    [
      ["CLIENT-SESSION-4 (advice)"],
      ...session,
      exchange(ROUTES.platform, { headers: [["authorization", "Bearer bearer-1"]] }),
    ],
    [["CLIENT-BUILD-1"], build({ name: undefined })],
    [["CLIENT-BUILD-3"], build({}, "short")],
    [["CLIENT-RETRY-1 after 3"], ...session, build(), build({ name: "other" })],
  ] as readonly (readonly [readonly string[], ...ClientExchange[]])[])
    assert.deepEqual(broken(...exchanges), rules);
});

test("what another process may have been told, and what the service itself may do otherwise, is not held against a client", () => {
  const late = { ...verify(undefined, refused(401, "EXPIRED_OR_USED_CHALLENGE")), startedMs: 1 };
  for (const exchanges of [
    [profile(), challenge({ termsHash: "00".repeat(32) })],
    [challenge(), verify(bob.proof("sign me"))],
    [challenge(), verify(), late],
    [
      build({}, "key-00001", "Bearer before", refused(401, "UNAUTHORIZED")),
      build({}, "key-00001", "Bearer before"),
    ],
    [challenge({}, refused(400, "INVALID_CREATOR")), challenge({}, refused(400, "INVALID_CREATOR"))],
    [
      challenge({}, refused(429, "OFFLINE_CAPACITY")),
      challenge({}, refused(429, "OFFLINE_CAPACITY")),
      challenge(),
    ],
  ])
    assert.deepEqual(broken(...exchanges), []);
  const masked = verify(bob.proof("sign me"), refused(401, "INVALID_PROOF"));
  const unknown = build({}, "key-00001", "");
  for (const exchange of [
    { ...masked, maskedProof: "unknown" as const },
    { ...masked, maskedProof: "holds" as const },
    {
      ...unknown,
      request: { ...unknown.request, headers: [JSON_TYPE, ["idempotency-key", "key-00001"]] as const },
      callerUnknown: true,
    },
  ])
    assert.deepEqual(broken(challenge(), exchange), []);
  assert.deepEqual(broken(challenge(), { ...masked, maskedProof: "fails" }), ["CLIENT-PROOF-2 after 1"]);
  const unstated = new ClientDuties(undefined);
  const proof = verify(bob.proof("sign me"), refused(401, "INVALID_PROOF"));
  assert.deepEqual(
    [challenge(), proof].flatMap((one) => unstated.take(one)),
    [],
  );
});
