import assert from "node:assert/strict";
import { generateKeyPairSync, sign } from "node:crypto";
import { test } from "node:test";
import bs58 from "bs58";
import { ROUTES } from "../../operations.ts";
import { ClientDuties } from "./client-duties.ts";
import { type SeenTurn, seenTurn } from "./seen-turn.ts";

const TERMS = "ab".repeat(32);
const ID = "cd".repeat(24);
const JSON_TYPE = ["content-type", "application/json"] as const;
const newKey = () => {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const address = bs58.encode(Buffer.from(publicKey.export({ format: "jwk" }).x ?? "", "base64url"));
  const proof = (message: string) => sign(null, Buffer.from(message), privateKey).toString("base64");
  const seed = Buffer.from(privateKey.export({ format: "jwk" }).d ?? "", "base64url");
  return { address, proof, seed };
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
function exchange(route: { readonly method: string; readonly path: string }, sketch: Sketch = {}): SeenTurn {
  const { body, headers = [], status = 200, answer = {}, target = route.path } = sketch;
  number += 1;
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const typed = body === undefined ? [] : [JSON_TYPE];
  return seenTurn({
    kind: "exchange",
    source: { file: "traffic", line: number },
    startedMs: 10 * number,
    endedMs: 10 * number + 5,
    request: { method: route.method, path: target, ...(text === undefined ? {} : { body: text }) },
    headers: [["host", "a"], ...typed, ...headers],
    credentials: "none",
    response: { status, body: JSON.stringify(answer) },
  });
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
function broken(...exchanges: readonly SeenTurn[]): readonly string[] {
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
      ["CLIENT-PROOF-4 after 3"],
      ...session.slice(1),
      build(),
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
  ] as readonly (readonly [readonly string[], ...SeenTurn[]])[])
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
    // The user's to correct (CLIENT-INVALID-INPUT), as the texts of a launch are.
    [challenge({ creator: "alice's wallet" }, refused(400, "INVALID_CREATOR"))],
    [
      challenge({}, refused(429, "OFFLINE_CAPACITY")),
      challenge({}, refused(429, "OFFLINE_CAPACITY")),
      challenge(),
    ],
  ])
    assert.deepEqual(broken(...exchanges), []);
  const masked = verify(bob.proof("sign me"), refused(401, "INVALID_PROOF"));
  for (const maskedProof of ["unknown", "holds"] as const)
    assert.deepEqual(broken(challenge(), { ...masked, maskedProof }), []);
  assert.deepEqual(broken(challenge(), { ...masked, maskedProof: "fails" }), ["CLIENT-PROOF-2 after 1"]);
  const unstated = new ClientDuties(undefined);
  const proof = verify(bob.proof("sign me"), refused(401, "INVALID_PROOF"));
  assert.deepEqual(
    [challenge(), proof].flatMap((one) => unstated.take(one)),
    [],
  );
});

/** An exchange that began so much later than it would have. */
const later = (ms: number, exchange: SeenTurn) => ({
  ...exchange,
  atMs: exchange.atMs + ms,
  answeredAtMs: exchange.answeredAtMs + ms,
});
const unanswered = (turn: SeenTurn): SeenTurn => ({
  ...turn,
  answer: { kind: "lost" },
  tookEffect: false,
});
const USED = refused(401, "EXPIRED_OR_USED_CHALLENGE");

test("a proof that is sent again is one whose answer may have been lost, until it was used or came again and again", () => {
  const again = (ms: number) => later(ms, verify(undefined, USED));
  const first = [challenge(), verify()];
  assert.deepEqual(broken(...first, again(0)), []);
  assert.deepEqual(broken(...first, again(2_000), again(4_000)), []);
  const often = [2_000, 4_000, 6_000].map(again);
  assert.deepEqual(broken(...first, ...often), []);
  assert.deepEqual(broken(...first, ...often, again(8_000)), ["CLIENT-PROOF-4 after 5"]);
  // Whoever pressed a button five times had not yet heard of the first.
  assert.deepEqual(broken(...first, again(0), again(0), again(0), again(0)), []);
  const gateways = verify(undefined, { status: 401, answer: "please sign in" });
  assert.deepEqual(
    broken(challenge(), ...[0, 2_000, 4_000, 6_000].map((ms) => later(ms, gateways)), again(8_000)),
    [],
  );
  // A bearer that a creator had before shows nothing of the answer that gave it again.
  const former = verify(undefined, {
    body: { id: "ee".repeat(24), signatureBase64: alice.proof("sign me") },
  });
  assert.deepEqual(broken(former, ...first, build(), again(0)), []);
  const duties = new ClientDuties("utf8", 50);
  const apart = [...first, build(), again(0)].flatMap((one) => duties.take(one));
  assert.deepEqual(apart, []);
});

test("a key may be used for other input where it cannot stand for a draft any more, or never did", () => {
  const session = [challenge(), verify()];
  const refusedInput = build({}, "key-00001", undefined, refused(400, "METADATA_HOST"));
  const other = (sketch: Sketch = {}, bearer = "Bearer bearer-1") =>
    build({ name: "other" }, "key-00001", bearer, sketch);
  // Its answer had come, though nobody wrote down when.
  assert.deepEqual(
    broken(...session, { ...refusedInput, answeredAtMs: refusedInput.atMs + 30_000 }, other()),
    [],
  );
  const opened = { answer: { bearer: "bearer-2" } };
  const after = "Bearer bearer-2";
  assert.deepEqual(broken(...session, build(), challenge(), verify(undefined, opened), other({}, after)), []);
  assert.deepEqual(broken(build(), other({}, after)), []);
  assert.deepEqual(broken(...session, build(), other(refused(401, "UNAUTHORIZED"))), []);
  const conflict = refused(409, "IDEMPOTENCY_CONFLICT");
  assert.deepEqual(broken(build(), other(conflict, after)), ["CLIENT-RETRY-1 after 1"]);
  const lost = unanswered(build());
  assert.deepEqual(broken(...session, lost, other()), ["CLIENT-RETRY-1 after 3"]);
  assert.deepEqual(broken(build(), ...[1, 2, 3].map(() => other(conflict)), other(conflict)), [
    "CLIENT-RETRY-1 after 1",
  ]);
  const duties = new ClientDuties("utf8");
  duties.take(build());
  duties.restarted();
  assert.deepEqual(duties.take(other(conflict)), []);
  // A service may take both for the same name.
  const [one, same] = [build({ name: "\u00e9" }), build({ name: "e\u0301" })];
  assert.deepEqual(broken(...session, one, same), []);
});

test("an id or a bearer that a service gave to two stands for neither, and two hashes for any", () => {
  const to = (person: typeof bob) => challenge({ creator: person.address });
  const failed = refused(401, "INVALID_PROOF");
  assert.deepEqual(broken(to(bob), to(alice), verify(bob.proof("sign me"), failed)), []);
  const id = "ef".repeat(24);
  const bobs = challenge({ creator: bob.address }, { answer: { id, message: "sign me" } });
  const signed = verify(undefined, { body: { id, signatureBase64: bob.proof("sign me") } });
  assert.deepEqual(broken(challenge(), verify(), bobs, signed, build()), []);
  const [former, latter, unknown] = ["00", "11", "22"].map((byte) => byte.repeat(32));
  const profiles = [former, latter].map((termsHash) => exchange(ROUTES.platform, { answer: { termsHash } }));
  const asked = challenge({ termsHash: unknown }, refused(400, "INVALID_DEMO_TERMS_OR_FIELDS"));
  assert.deepEqual(broken(...profiles, asked), []);
  const taken = challenge({ termsHash: latter });
  assert.deepEqual(
    broken(profile(), taken, challenge({ termsHash: latter }, refused(429, "OFFLINE_RATE_LIMIT"))),
    [],
  );
});

test("what browsers and servers ask of any server is no request of a client to the service", () => {
  const page = (method: string, path: string, sketch: Sketch = {}) => exchange({ method, path }, sketch);
  for (const one of [
    page("OPTIONS", "/v1/launch/build", { status: 204 }),
    page("HEAD", "/v1/platform"),
    page("GET", "/how-to-buy.html"),
    page("GET", "/healthz"),
    page("POST", "/newsletter/send", { status: 404, answer: "not here" }),
  ])
    assert.deepEqual(broken(one), []);
  assert.deepEqual(broken(page("GET", "/v1/auth/signIn", { status: 404 })), ["CLIENT-ROUTE-2 (advice)"]);
  assert.deepEqual(broken(page("POST", "/launch/sign", refused(404, "NO_EXECUTION_ENDPOINT"))), [
    "CLIENT-ROUTE-1",
  ]);
});

test("a request that was broken off before it was whole has no form", () => {
  const whole = build();
  for (const bytes of [0, 20]) {
    const { body = new Uint8Array(), ...rest } = whole.request;
    const cut = { ...whole, request: { ...rest, body: body.slice(0, bytes) } };
    assert.deepEqual(broken(unanswered(cut)), []);
    assert.notDeepEqual(broken(cut), []);
  }
});

test("a private key that a request shows to be one is told, and shown nowhere", () => {
  const pair = Buffer.concat([alice.seed, bs58.decode(alice.address)]);
  const writings = [
    bs58.encode(pair),
    pair.toString("base64"),
    [...pair],
    JSON.stringify([...pair]),
    alice.seed.toString("hex"),
    bs58.encode(alice.seed),
    Buffer.concat([Buffer.from("302e020100300506032b657004220420", "hex"), alice.seed]).toString("base64"),
  ];
  for (const secretKey of writings) {
    const duties = new ClientDuties("utf8").take(build({ secretKey }));
    assert.deepEqual(
      duties.map(({ violation, creator }) => [violation.rule, creator]),
      [
        ["CLIENT-SECRET-1", alice.address],
        ["CLIENT-BUILD-1", alice.address],
      ],
    );
    const told = JSON.stringify(
      duties.map(({ turn: { request }, violation }) => [
        violation,
        request.target,
        request.headers,
        Buffer.from(request.body ?? "").toString(),
      ]),
    );
    const text = typeof secretKey === "string" ? secretKey : secretKey.join(",");
    assert.equal(told.includes(JSON.stringify(text).slice(1, -1)), false, text);
  }
  const header = exchange(ROUTES.platform, { headers: [["x-key", bs58.encode(pair)]] });
  assert.deepEqual(broken(header), ["CLIENT-SECRET-1"]);
  assert.deepEqual(
    broken(exchange({ method: "POST", path: "/wallets" }, { body: { key: bs58.encode(pair) } })),
    [],
  );
  const query = exchange(ROUTES.platform, { target: `/v1/platform?seed=${alice.seed.toString("hex")}` });
  assert.deepEqual(broken(challenge(), query), ["CLIENT-SECRET-1", "CLIENT-PROFILE-2"]);
  // Bytes of which nothing shows what they are.
  for (const extra of [bob.seed.toString("hex"), bob.address, bob.proof("x")])
    assert.deepEqual(broken(build({ extra })), ["CLIENT-BUILD-1"]);
});
