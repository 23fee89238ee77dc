import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { test } from "node:test";
import bs58 from "bs58";
import type { Trace } from "../../../engine/client/trace.ts";
import { loadRuleBook } from "../../../engine/rule-book.ts";
import { PATHS } from "../../../paths.ts";
import { ALICE, BOB, ClientTrace, LAUNCH, refusal } from "../../../testing/client-trace.ts";
import { CONTEXT, GOOD } from "../../../testing/exchanges.ts";
import { judgeClient } from "./judge-client.ts";
import type { LegalChange } from "./stage-knowledge.ts";

const book = loadRuleBook(join(PATHS.contract, "client"), PATHS.contract);
const { facts } = CONTEXT;
const judge = (trace: Trace, changes: readonly LegalChange[] = []) =>
  judgeClient(trace, { facts, changes: ({ disturbed }) => (disturbed === "legal" ? changes : []) });
const rulesOf = (told: readonly { readonly rule: string }[]) =>
  [...new Set(told.map(({ rule }) => rule))].sort();

const start = () => new ClientTrace().task();
const signedIn = () => start().signIn();
const SECRET = Buffer.from(ALICE.secretKeyBase64, "base64").subarray(0, 32);
const UNAUTHORIZED = refusal(401, "UNAUTHORIZED");
const SPENT = refusal(401, "EXPIRED_OR_USED_CHALLENGE");
const BAD_PROOF = refusal(401, "INVALID_PROOF");
const FULL = refusal(429, "OFFLINE_CAPACITY");
const REBUILD = refusal(409, "REBUILD_WITH_NEW_KEY");
const CONFLICT = refusal(409, "IDEMPOTENCY_CONFLICT");
const FIELDS = refusal(400, "INVALID_FIELDS");
const BROKEN = { status: 500, body: { code: "INTERNAL_ERROR" } };
const second = { token: { name: "Another" } };

/** Launches of one creator, each built. */
function launchesInARow(count: number): ClientTrace {
  const trace = new ClientTrace();
  for (let place = 1; place <= count; place++) {
    const name = `Number ${place}`;
    trace.task(`launch ${place}`, { token: { name } });
    (place === 1 ? trace.signIn() : trace).build({ key: `key-0000000${place}`, body: { name } }).draft();
  }
  return trace;
}

/** Deeds that the contract allows. */
const LEGAL: Readonly<Record<string, Trace>> = {
  "a plain launch": signedIn().build().draft().trace(),
  "a launch that is given up after each kind of refusal": signedIn()
    .build({ answer: FULL, disturbed: "full" })
    .refused()
    .trace(),
  "another spelling of bodies": start()
    .profile()
    .challenge({
      body: JSON.stringify(
        { termsHash: GOOD.platform.body["termsHash"], creator: ALICE.pair.address },
        undefined,
        2,
      ),
    })
    .verify()
    .build()
    .draft()
    .trace(),
  "a session and a profile that serve several launches": signedIn()
    .build()
    .draft()
    .task("second", second)
    .build({ key: "key-00000002", body: { name: "Another" } })
    .draft()
    .trace(),
  "the same launch again under its key": signedIn()
    .build()
    .draft()
    .task("again", { launch: "first" })
    .build()
    .draft()
    .trace(),
  "the same launch again, its draft remembered": signedIn()
    .build()
    .draft()
    .task("again", { launch: "first" })
    .end({ draft: GOOD.build.body })
    .trace(),
  "a build sent again under its key after its answer was lost": signedIn()
    .build({ lost: true })
    .build()
    .draft()
    .trace(),
  "a build sent again under another key after 500": signedIn()
    .build({ answer: BROKEN, disturbed: "500" })
    .build({ key: "key-00000002" })
    .draft()
    .trace(),
  "a proof sent again after its answer was lost": start()
    .profile()
    .challenge()
    .verify({ lost: true })
    .verify()
    .build()
    .draft()
    .trace(),
  "a proof sent again after one that was held back": start()
    .profile()
    .challenge()
    .verify({ delayMs: 150 })
    .verify({ answer: SPENT })
    .challenge()
    .verify()
    .build()
    .draft()
    .trace(),
  "a new challenge after 401": start()
    .profile()
    .challenge()
    .verify({ answer: SPENT, disturbed: "401" })
    .challenge()
    .verify()
    .build()
    .draft()
    .trace(),
  "another session after 401, and the same key": signedIn()
    .build({ answer: UNAUTHORIZED, disturbed: "401" })
    .challenge()
    .verify()
    .build()
    .draft()
    .trace(),
  "a bearer that two launches side by side were refused for, each once": (() => {
    const trace = signedIn().build().draft().task("second", second).task("third", second);
    return trace
      .build({ key: "key-00000002", body: { name: "Another" }, answer: UNAUTHORIZED, disturbed: "401" })
      .build({ key: "key-00000003", body: { name: "Another" }, answer: UNAUTHORIZED, disturbed: "401" })
      .refused()
      .trace();
  })(),
  "a refused bearer in a later launch that helps itself": signedIn()
    .build({ answer: UNAUTHORIZED, disturbed: "401" })
    .refused()
    .task("second", second)
    .build({ key: "key-00000002", body: { name: "Another" }, answer: UNAUTHORIZED, disturbed: "401" })
    .challenge()
    .verify()
    .build({ key: "key-00000002", body: { name: "Another" } })
    .draft()
    .trace(),
  "another key after REBUILD_WITH_NEW_KEY": signedIn()
    .build({ answer: REBUILD, disturbed: "409" })
    .build({ key: "key-00000002" })
    .draft()
    .trace(),
  "the old key of an expired draft in another launch of it": signedIn()
    .build({ answer: REBUILD, disturbed: "409" })
    .refused()
    .task("again", { launch: "first" })
    .build({ answer: REBUILD, disturbed: "409" })
    .build({ key: "key-00000002" })
    .draft()
    .trace(),
  "the same input, and then another key, after a conflict": signedIn()
    .build({ answer: CONFLICT, disturbed: "409" })
    .build({ answer: CONFLICT, disturbed: "409" })
    .build({ key: "key-00000002" })
    .draft()
    .trace(),
  "the key of a refused build with corrected input": signedIn()
    .build({ answer: refusal(400, "METADATA_HOST"), disturbed: "400" })
    .build({ body: { uri: `https://${facts.metadataHosts[1]}/x.json` } })
    .draft()
    .trace(),
  "a build sent again with a key after one without was refused": signedIn()
    .build({ answer: refusal(400, "IDEMPOTENCY_REQUIRED"), disturbed: "400" })
    .build({ key: "key-00000002" })
    .draft()
    .trace(),
  "the same challenge after the profile was asked for again": start()
    .profile()
    .challenge({ answer: refusal(400, "INVALID_DEMO_TERMS_OR_FIELDS"), disturbed: "400" })
    .signIn()
    .build()
    .draft()
    .trace(),
  "the same again in a launch of its own after 400": signedIn()
    .build({ answer: FIELDS, disturbed: "400" })
    .refused()
    .task("again", { launch: "first" })
    .build({ answer: FIELDS, disturbed: "400" })
    .refused()
    .trace(),
  "waits that grow, one of them short by chance": signedIn()
    .build({ answer: FULL, disturbed: "429" })
    .build({ answer: FULL, disturbed: "429", waitMs: 3 })
    .build({ answer: FULL, disturbed: "429", waitMs: 250 })
    .build({ waitMs: 500 })
    .draft()
    .trace(),
  "waits that are scaled": signedIn()
    .build({ answer: FULL, disturbed: "429" })
    .build({ answer: FULL, disturbed: "429", waitMs: 5 })
    .build({ answer: FULL, disturbed: "429", waitMs: 5 })
    .build({ waitMs: 5 })
    .draft()
    .trace(0.25),
  "a draft without the members that nobody named": signedIn()
    .build({ answerHas: { warnings: ["none"] }, disturbed: "members" })
    .end({ draft: GOOD.build.body })
    .trace(),
  "a refusal that is told without a code": signedIn()
    .build({ answer: FULL, disturbed: "429" })
    .end({ refused: { status: 429, code: null, reason: "full" } })
    .trace(),
  "input that is refused unasked": new ClientTrace()
    .task("first", { token: { name: "n".repeat(33) } })
    .end({ refused: { reason: "the name is too long" } })
    .trace(),
  "input that the service refuses": new ClientTrace()
    .task("first", { token: { name: "n".repeat(33) } })
    .signIn()
    .build({ answer: FIELDS })
    .refused()
    .trace(),
  "a rate that is used up": signedIn()
    .build({ answer: refusal(429, "OFFLINE_RATE_LIMIT") })
    .refused()
    .trace(),
  "two creators, each with a session": (() => {
    const trace = signedIn().build().draft().task("second", { by: BOB });
    return trace.signIn().build({ key: "key-00000002" }).draft().trace();
  })(),
  "a build sent twice at once, and each refused": signedIn()
    .build({ answer: FIELDS, disturbed: "400", isLate: true })
    .build({ answer: FIELDS, disturbed: "400" })
    .refused()
    .trace(),
  "waits that are short by chance after longer ones": signedIn()
    .build({ answer: FULL, disturbed: "429" })
    .build({ answer: FULL, disturbed: "429", waitMs: 100 })
    .build({ answer: FULL, disturbed: "429", waitMs: 3 })
    .build({ answer: FULL, disturbed: "429", waitMs: 2 })
    .build({ answer: FULL, disturbed: "429", waitMs: 200 })
    .build({ waitMs: 400 })
    .draft()
    .trace(),
  "a draft that came beside an answer that was lost, and is given up for it": signedIn()
    .build({ lost: true, isLate: true })
    .build()
    .end({ refused: { reason: "lost" } })
    .trace(),
  "a sixth build of a minute that is not asked for": launchesInARow(5)
    .task("sixth", second)
    .end({ refused: { reason: "five builds a minute" } })
    .trace(),
  "a service left alone for a while after it had lost a build": signedIn()
    .build({ lost: true })
    .refused()
    .task("second", second)
    .end({ refused: { reason: "circuit open" } })
    .trace(),
  "builds left alone for a while after one met no room": signedIn()
    .build({ answer: FULL, disturbed: "429" })
    .refused()
    .task("second", second)
    .signIn()
    .end({ refused: { reason: "circuit open" } })
    .trace(),
  "signing in is no signing": signedIn().build().draft().trace(),
};

for (const [what, trace] of Object.entries(LEGAL)) {
  test(`legal: ${what}`, () => assert.deepEqual(judge(trace).violations, []));
}

const hash = (text: string) => createHash("sha256").update(text).digest("hex");
const conflicts = () => {
  const trace = signedIn();
  for (let times = 0; times < 12; times++) trace.build({ answer: CONFLICT, disturbed: "409" });
  return trace.refused();
};

/** Deeds that break a rule: those that must be told, and no other. */
const BREAKS: readonly (readonly [
  rule: string,
  what: string,
  trace: ClientTrace,
  also?: readonly string[],
])[] = [
  [
    "CLIENT-FLOW-1",
    "a launch is given up for nothing",
    signedIn()
      .build()
      .end({ refused: { reason: "no" } }),
  ],
  ["CLIENT-FLOW-1", "a good service is distrusted", signedIn().build().end({ distrusted: "no" })],
  ["CLIENT-FLOW-1", "nothing is asked at all", start().end({ refused: { reason: "no" } })],
  [
    "CLIENT-FLOW-1",
    "a route that is none is all that is asked",
    start()
      .profile({ target: "/platform", answer: { status: 404 } })
      .refused(),
  ],
  [
    "CLIENT-FLOW-2",
    "a draft that nobody gave",
    signedIn()
      .build()
      .end({ draft: { ...GOOD.build.body, nextGate: "x" } }),
  ],
  [
    "CLIENT-FLOW-2",
    "a draft with a member that nobody gave",
    signedIn()
      .build()
      .end({ draft: { ...GOOD.build.body, x: 1 } }),
  ],
  [
    "CLIENT-FLOW-2",
    "a draft without a member",
    signedIn()
      .build()
      .end({ draft: { ...GOOD.build.body, cost: undefined } }),
  ],
  [
    "CLIENT-FLOW-2",
    "a draft where the build was refused",
    signedIn().build({ answer: FULL }).end({ draft: GOOD.build.body }),
  ],
  [
    "CLIENT-FLOW-2",
    "the draft of another launch",
    signedIn()
      .build()
      .draft()
      .task("second", second)
      .build({ key: "key-00000002", body: { name: "Another" }, answerHas: { messageHash: hash("x") } })
      .end({ draft: GOOD.build.body }),
  ],
  [
    "CLIENT-FLOW-2",
    "a refusal that was not given",
    signedIn()
      .build({ answer: FULL })
      .end({ refused: { status: 500 } }),
  ],
  [
    "CLIENT-FLOW-2",
    "a code that was not given",
    signedIn()
      .build({ answer: FULL })
      .end({ refused: { status: 429, code: "OFFLINE_RATE_LIMIT" } }),
  ],
  [
    "CLIENT-FLOW-3",
    "it breaks",
    signedIn().build({ answer: BROKEN, disturbed: "500" }).end({ kind: "broke", reason: "exit status 1" }),
  ],
  [
    "CLIENT-FLOW-3",
    "its result is none",
    signedIn()
      .build({ answer: BROKEN, disturbed: "500" })
      .end({ kind: "result", result: { ok: true } }),
  ],
  [
    "CLIENT-FLOW-3",
    "its result is two",
    signedIn()
      .build()
      .end({ kind: "result", result: { draft: {}, refused: {} } }),
  ],
  ["CLIENT-FLOW-3", "its result is a list", signedIn().build().end({ kind: "result", result: [] })],
  [
    "CLIENT-FLOW-3",
    "its refusal has a status that is none",
    signedIn()
      .build({ answer: FULL })
      .end({ refused: { status: "429" } }),
  ],
  [
    "CLIENT-ROUTE-1",
    "the draft is sent",
    signedIn()
      .build()
      .build({ target: "/v1/launch/send", answer: refusal(404, "NO_EXECUTION_ENDPOINT") })
      .end({ draft: GOOD.build.body }),
  ],
  [
    "CLIENT-ROUTE-1",
    "a route in camel case",
    signedIn()
      .build()
      .build({ target: "/v1/signTransaction?x=1", answer: refusal(404, "NO_EXECUTION_ENDPOINT") })
      .end({ draft: GOOD.build.body }),
  ],
  [
    "CLIENT-ROUTE-1",
    "the draft is submitted",
    signedIn()
      .build()
      .build({ target: "/v1/launch/submit", answer: refusal(404, "NO_EXECUTION_ENDPOINT") })
      .end({ draft: GOOD.build.body }),
  ],
  [
    "CLIENT-ROUTE-1",
    "a route to pay out",
    signedIn()
      .build()
      .build({ target: "/pay-out", answer: refusal(404, "NO_EXECUTION_ENDPOINT") })
      .end({ draft: GOOD.build.body }),
  ],
  [
    "CLIENT-PROFILE-1",
    "a hash of one's own",
    start()
      .profile()
      .challenge({ body: { termsHash: hash("x") } })
      .verify()
      .build()
      .draft(),
  ],
  [
    "CLIENT-PROFILE-1",
    "a hash before the profile was asked for",
    start().challenge().verify().build().draft(),
  ],
  [
    "CLIENT-PROFILE-1",
    "a hash of a profile that came too late",
    start().challenge().profile().verify().build().draft(),
  ],
  ["CLIENT-PROFILE-2", "a body", start().profile({ body: "{}" }).challenge().verify().build().draft()],
  [
    "CLIENT-PROFILE-2",
    "by POST",
    start()
      .profile({ method: "POST", body: "{}", answer: { status: 404 } })
      .refused(),
  ],
  [
    "CLIENT-PROFILE-2",
    "parameters",
    start().profile({ target: "/v1/platform?creator=x" }).challenge().verify().build().draft(),
  ],
  [
    "CLIENT-CHALLENGE-1",
    "a member besides",
    start()
      .profile()
      .challenge({ body: { audience: "x" } })
      .verify()
      .build()
      .draft(),
  ],
  [
    "CLIENT-CHALLENGE-1",
    "no creator",
    start()
      .profile()
      .challenge({ body: { creator: undefined }, answer: FIELDS })
      .refused(),
  ],
  [
    "CLIENT-CHALLENGE-1",
    "a creator of no launch",
    start()
      .profile()
      .challenge({ body: { creator: BOB.pair.address }, answer: FIELDS })
      .refused(),
  ],
  [
    "CLIENT-CHALLENGE-1",
    "a creator in hexadecimal",
    start()
      .profile()
      .challenge({ body: { creator: hash("x") }, answer: FIELDS })
      .refused(),
  ],
  ["CLIENT-CHALLENGE-1", "no body", start().profile().challenge({ body: "", answer: FIELDS }).refused()],
  [
    "CLIENT-CHALLENGE-1",
    "a hash in capitals",
    start()
      .profile()
      .challenge({
        body: { termsHash: String(GOOD.platform.body["termsHash"]).toUpperCase() },
        answer: FIELDS,
      })
      .refused(),
    ["CLIENT-PROFILE-1"],
  ],
  [
    "CLIENT-PROOF-1",
    "a member besides",
    start()
      .profile()
      .challenge()
      .verify({ body: { creator: ALICE.pair.address }, answer: FIELDS })
      .refused(),
  ],
  [
    "CLIENT-PROOF-1",
    "an id that nobody gave",
    start()
      .profile()
      .challenge()
      .verify({ body: { id: "a".repeat(48) }, answer: SPENT })
      .refused(),
  ],
  [
    "CLIENT-PROOF-1",
    "the id as a number",
    start()
      .profile()
      .challenge()
      .verify({ body: { id: 1 }, answer: FIELDS })
      .refused(),
  ],
  [
    "CLIENT-PROOF-2",
    "the message trimmed",
    start()
      .profile()
      .challenge({ answerHas: { message: " x " } })
      .verify({ signed: Buffer.from("x"), answer: BAD_PROOF })
      .refused(),
  ],
  [
    "CLIENT-PROOF-2",
    "the hash of the message",
    start()
      .profile()
      .challenge({ answerHas: { message: "x" } })
      .verify({ signed: createHash("sha256").update("x").digest(), answer: BAD_PROOF })
      .refused(),
  ],
  [
    "CLIENT-PROOF-2",
    "another's signature",
    start().profile().challenge().verify({ signer: BOB, answer: BAD_PROOF }).refused(),
  ],
  [
    "CLIENT-PROOF-3",
    "no padding",
    start()
      .profile()
      .challenge()
      .verify({ body: { signatureBase64: Buffer.alloc(64).toString("base64").slice(0, 86) }, answer: FIELDS })
      .refused(),
    ["CLIENT-PROOF-2"],
  ],
  [
    "CLIENT-PROOF-3",
    "hexadecimal",
    start()
      .profile()
      .challenge()
      .verify({ body: { signatureBase64: Buffer.alloc(64).toString("hex") }, answer: FIELDS })
      .refused(),
  ],
  [
    "CLIENT-PROOF-4",
    "the same id after 401",
    start()
      .profile()
      .challenge()
      .verify({ answer: SPENT, disturbed: "401" })
      .verify({ answer: SPENT })
      .refused(),
  ],
  ["CLIENT-PROOF-4", "the same id after it had served", signedIn().verify({ answer: SPENT }).refused()],
  [
    "CLIENT-PROOF-4",
    "the same id in a later launch",
    signedIn().build().draft().task("second", second).verify({ answer: SPENT }).refused(),
  ],
  [
    "CLIENT-SESSION-1",
    "no bearer",
    signedIn()
      .build({ headers: { authorization: undefined }, answer: UNAUTHORIZED })
      .refused(),
  ],
  [
    "CLIENT-SESSION-1",
    "no scheme",
    signedIn()
      .build({ headers: { authorization: "bearer-xxx" }, answer: UNAUTHORIZED })
      .refused(),
  ],
  [
    "CLIENT-SESSION-1",
    "an altered bearer",
    start()
      .profile()
      .challenge()
      .verify({ answerHas: { bearer: "AbCd+/==AbCd" } })
      .build({ headers: { authorization: "Bearer abcd+/==abcd" }, answer: UNAUTHORIZED })
      .refused(),
  ],
  [
    "CLIENT-SESSION-1",
    "two headers",
    signedIn()
      .build({ also: [["authorization", "Bearer x"]], answer: UNAUTHORIZED })
      .refused(),
  ],
  [
    "CLIENT-SESSION-2",
    "another creator's session",
    signedIn()
      .build()
      .draft()
      .task("second", { by: BOB })
      .build({ key: "key-00000002", answer: refusal(400, "CREATOR_BINDING_OR_FIELDS") })
      .refused(),
  ],
  [
    "CLIENT-SESSION-3",
    "the same bearer after 401",
    signedIn()
      .build({ answer: UNAUTHORIZED, disturbed: "401" })
      .build({ answer: UNAUTHORIZED, disturbed: "401" })
      .refused(),
  ],
  [
    "CLIENT-SESSION-3",
    "the same bearer for ever, launch after launch",
    signedIn()
      .build({ answer: UNAUTHORIZED, disturbed: "401" })
      .refused()
      .task("second", second)
      .build({ key: "key-00000002", body: { name: "Another" }, answer: UNAUTHORIZED })
      .refused(),
  ],
  [
    "CLIENT-BUILD-1",
    "a member besides",
    signedIn()
      .build({ body: { platform: "x" }, answer: FIELDS })
      .refused(),
  ],
  [
    "CLIENT-BUILD-1",
    "a member missing",
    signedIn()
      .build({ body: { symbol: undefined }, answer: FIELDS })
      .refused(),
  ],
  [
    "CLIENT-BUILD-1",
    "a number in place of a text",
    signedIn()
      .build({ body: { name: 7 }, answer: FIELDS })
      .refused(),
  ],
  [
    "CLIENT-BUILD-2",
    "a name cut",
    signedIn()
      .build({ body: { name: String(LAUNCH["name"]).slice(1) } })
      .draft(),
  ],
  [
    "CLIENT-BUILD-2",
    "another mint",
    signedIn()
      .build({ body: { mint: BOB.pair.address } })
      .draft(),
  ],
  [
    "CLIENT-BUILD-3",
    "no key",
    signedIn()
      .build({ headers: { "idempotency-key": undefined }, answer: refusal(400, "IDEMPOTENCY_REQUIRED") })
      .refused(),
  ],
  ["CLIENT-BUILD-3", "a short key", signedIn().build({ key: "7", answer: FIELDS }).refused()],
  [
    "CLIENT-BUILD-3",
    "two keys",
    signedIn()
      .build({ also: [["idempotency-key", "key-00000002"]], answer: FIELDS })
      .refused(),
  ],
  [
    "CLIENT-BUILD-4",
    "a form",
    signedIn()
      .build({ body: "name=x&symbol=y", answer: refusal(400, "INVALID_JSON_BODY") })
      .refused(),
  ],
  [
    "CLIENT-BUILD-4",
    "a byte order mark",
    start()
      .profile()
      .challenge({
        body: `\uFEFF${JSON.stringify({ creator: ALICE.pair.address, termsHash: GOOD.platform.body["termsHash"] })}`,
      })
      .verify()
      .build()
      .draft(),
  ],
  [
    "CLIENT-BUILD-4",
    "bytes that are no UTF-8",
    signedIn()
      .build({ body: new Uint8Array([0x7b, 0xff, 0x7d]), answer: refusal(400, "INVALID_JSON_BODY") })
      .refused(),
  ],
  [
    "CLIENT-BUILD-4",
    "too many bytes",
    signedIn()
      .build({
        body: `${JSON.stringify(LAUNCH)}${" ".repeat(17_000)}`,
        answer: refusal(413, "BODY_TOO_LARGE"),
      })
      .refused(),
  ],
  [
    "CLIENT-RETRY-1",
    "a key for two launches",
    signedIn()
      .build()
      .draft()
      .task("second", second)
      .build({ body: { name: "Another" }, answer: CONFLICT })
      .refused(),
  ],
  [
    "CLIENT-RETRY-1",
    "a key whose answer was lost, with other input",
    signedIn()
      .build({ lost: true })
      .refused()
      .task("second", second)
      .build({ body: { name: "Another" } })
      .draft(),
  ],
  [
    "CLIENT-RETRY-3",
    "the old key again",
    signedIn().build({ answer: REBUILD, disturbed: "409" }).build({ answer: REBUILD }).refused(),
  ],
  ["CLIENT-RETRY-4", "no end", conflicts()],
  [
    "CLIENT-RETRY-4",
    "yet other input",
    signedIn()
      .build({ answer: CONFLICT, disturbed: "409" })
      .build({ body: { name: "x" } })
      .end({ refused: { reason: "no" } }),
    ["CLIENT-BUILD-2", "CLIENT-FLOW-2"],
  ],
  [
    "CLIENT-INPUT-1",
    "the same build again",
    signedIn()
      .build({ answer: FIELDS, disturbed: "400" })
      .build({ answer: FIELDS, disturbed: "400" })
      .refused(),
  ],
  [
    "CLIENT-INPUT-1",
    "the same build under another key",
    signedIn()
      .build({ answer: FIELDS, disturbed: "400" })
      .build({ key: "key-00000002", answer: FIELDS })
      .refused(),
  ],
  [
    "CLIENT-INPUT-1",
    "the same challenge again",
    start()
      .profile()
      .challenge({ answer: refusal(400, "INVALID_CREATOR"), disturbed: "400" })
      .challenge()
      .verify()
      .build()
      .draft(),
  ],
  [
    "CLIENT-INPUT-1",
    "the same after 413",
    signedIn()
      .build({ answer: refusal(413, "BODY_TOO_LARGE"), disturbed: "413" })
      .build()
      .draft(),
  ],
  [
    "CLIENT-LIMIT-1",
    "at once each time",
    signedIn()
      .build({ answer: FULL, disturbed: "429" })
      .build({ answer: FULL, disturbed: "429" })
      .build({ answer: FULL, disturbed: "429" })
      .build()
      .draft(),
  ],
  [
    "CLIENT-FLOW-2",
    "a draft that came after a failure is called a refusal",
    signedIn()
      .build({ answer: BROKEN, disturbed: "500" })
      .build()
      .end({ refused: { status: 500, reason: "broken" } }),
  ],
  [
    "CLIENT-LIMIT-1",
    "at once but for the first time",
    signedIn()
      .build({ answer: FULL, disturbed: "429" })
      .build({ answer: FULL, disturbed: "429", waitMs: 250 })
      .build({ answer: FULL, disturbed: "429" })
      .build({ answer: FULL, disturbed: "429" })
      .build({ answer: FULL, disturbed: "429" })
      .build()
      .draft(),
  ],
  [
    "CLIENT-FLOW-1",
    "the fifth launch of a minute is not asked for",
    launchesInARow(4)
      .task("fifth", second)
      .end({ refused: { reason: "no" } }),
  ],
  [
    "CLIENT-FLOW-1",
    "a launch is given up after a build that an earlier one had lost",
    signedIn()
      .build({ lost: true })
      .refused()
      .task("second", second)
      .build({ key: "key-00000002", body: { name: "Another" } })
      .end({ refused: { reason: "no" } }),
  ],
  ["CLIENT-LIMIT-2", "no end", signedIn().build({ answer: FULL, disturbed: "429" }).end({ kind: "overdue" })],
  [
    "CLIENT-LIMIT-2",
    "a flood",
    signedIn().build({ answer: FULL, disturbed: "429" }).end({ kind: "flooded" }),
  ],
  [
    "CLIENT-SECRET-1",
    "in a header",
    start()
      .profile({ headers: { "x-key": SECRET.toString("hex") } })
      .challenge()
      .verify()
      .build()
      .draft(),
  ],
  [
    "CLIENT-SECRET-1",
    "in the name",
    signedIn()
      .build({ body: { name: bs58.encode(SECRET) }, answer: FIELDS })
      .refused(),
    ["CLIENT-BUILD-2"],
  ],
];

for (const [rule, what, trace, also = []] of BREAKS) {
  test(`${rule} is broken: ${what}`, () => {
    const { violations } = judge(trace.trace());
    assert.deepEqual(rulesOf(violations), [rule, ...also].sort(), JSON.stringify(violations, undefined, 1));
    for (const { expected, got, message } of violations) assert.ok(expected !== got && message !== "");
  });
}

/** What a service may do, and which rule it breaks to stumble over it. */
const TOLERATED: readonly (readonly [rule: string, changes: readonly LegalChange[]])[] = [
  ["CLIENT-TOLERANCE-1", ["members"]],
  ["CLIENT-TOLERANCE-1", ["headers"]],
  ["CLIENT-TOLERANCE-2", ["timestamps"]],
  ["CLIENT-TOLERANCE-3", ["message"]],
  ["CLIENT-TOLERANCE-3", ["bearer"]],
  ["CLIENT-TOLERANCE-4", ["spelling"]],
];
for (const [rule, changes] of TOLERATED) {
  test(`${rule} is broken: a launch ends over ${changes.join()}`, () => {
    const stumbled = start().profile().challenge({ disturbed: "legal" });
    const given = judge(stumbled.end({ refused: { reason: "no" } }).trace(), changes);
    assert.deepEqual(rulesOf(given.violations), [rule]);
    const broke = start()
      .profile()
      .challenge({ disturbed: "legal" })
      .end({ kind: "broke", reason: "exit status 1" });
    assert.deepEqual(rulesOf(judge(broke.trace(), changes).violations), ["CLIENT-FLOW-3", rule]);
    const other = start()
      .profile()
      .challenge({ disturbed: "legal" })
      .challenge({ answer: FULL, disturbed: "429" });
    assert.deepEqual(judge(other.refused().trace(), changes).violations, []);
  });
}

/** What is legal, and warned of. */
const ADVISED: readonly (readonly [rule: string, what: string, trace: ClientTrace])[] = [
  [
    "CLIENT-ROUTE-2",
    "a look at the service's health",
    start()
      .profile({ target: "/health", answer: { status: 404 } })
      .signIn()
      .build()
      .draft(),
  ],
  ["CLIENT-ROUTE-2", "a query", signedIn().build({ target: "/v1/launch/build?dry=1" }).draft()],
  [
    "CLIENT-SESSION-4",
    "a bearer with the profile",
    (() => {
      const trace = signedIn().build().draft().task("second", second);
      trace.profile({ headers: { authorization: `Bearer ${trace.held.bearer}` } });
      return trace.build({ key: "key-00000002", body: { name: "Another" } }).draft();
    })(),
  ],
  [
    "CLIENT-BUILD-5",
    "no type",
    signedIn()
      .build({ headers: { "content-type": undefined } })
      .draft(),
  ],
  [
    "CLIENT-BUILD-5",
    "a text",
    signedIn()
      .build({ headers: { "content-type": "text/plain;charset=UTF-8" } })
      .draft(),
  ],
  [
    "CLIENT-RETRY-2",
    "another key for what was lost",
    signedIn().build({ lost: true }).build({ key: "key-00000002" }).draft(),
  ],
  [
    "CLIENT-TRUST-1",
    "a service that is approved",
    start()
      .profile({ answerHas: { productionApproved: true } })
      .challenge()
      .verify()
      .build()
      .draft(),
  ],
  [
    "CLIENT-TRUST-1",
    "a service that is public",
    start()
      .profile({ answerHas: { publicServer: true } })
      .challenge()
      .verify()
      .build()
      .draft(),
  ],
  [
    "CLIENT-TRUST-2",
    "a draft that is sendable",
    signedIn()
      .build({ answerHas: { sendable: true } })
      .draft(),
  ],
  [
    "CLIENT-TRUST-3",
    "other signers",
    signedIn()
      .build({ answerHas: { requiredSigners: [BOB.pair.address, LAUNCH["mint"]] } })
      .draft(),
  ],
  [
    "CLIENT-TRUST-4",
    "other fees",
    signedIn()
      .build({ answerHas: { feeWallet: BOB.pair.address } })
      .draft(),
  ],
  [
    "CLIENT-TRUST-5",
    "filled signatures",
    signedIn()
      .build({ answerHas: { unsignedTransactionBase64: filled() } })
      .draft(),
  ],
  [
    "CLIENT-TRUST-6",
    "a sum that is none",
    signedIn()
      .build({ answerHas: { cost: { ...(GOOD.build.body["cost"] as object), recommendedLamports: 1 } } })
      .draft(),
  ],
];

function filled(): string {
  const bytes = Buffer.from(String(GOOD.build.body["unsignedTransactionBase64"]), "base64");
  return bytes.fill(7, 1, 65).toString("base64");
}

for (const [rule, what, trace] of ADVISED) {
  test(`${rule} is advised: ${what}`, () => {
    const { violations, advice } = judge(trace.trace());
    assert.deepEqual([violations, rulesOf(advice)], [[], [rule]]);
  });
}

test("a plain launch needs no advice", () =>
  assert.deepEqual(judge(LEGAL["a plain launch"] as Trace).advice, []));

test("every rule of clients that can be seen is broken by some trace, and is as binding as it is judged", () => {
  const required = new Set([...BREAKS, ...TOLERATED].map(([rule]) => rule));
  const advised = new Set(ADVISED.map(([rule]) => rule));
  const observable = [...book.rules.values()].filter(({ observable: seen }) => seen);
  assert.deepEqual(
    observable
      .filter(({ id, level }) => !(level === "required" ? required : advised).has(id))
      .map(({ id }) => id),
    [],
  );
  assert.deepEqual(
    [...required, ...advised].filter((id) => !book.rules.has(id)),
    [],
  );
});

test("a violation names the request and the launch that show it", () => {
  const { violations } = judge(signedIn().build({ key: "7", answer: FIELDS }).refused().trace());
  assert.deepEqual(
    violations.map(({ turn, task }) => [turn, task]),
    [[3, "first"]],
  );
});

test("a private key is masked in what is shown", () => {
  const { violations } = judge(
    signedIn()
      .build({
        body: { name: SECRET.toString("hex") },
        also: [["x-key", SECRET.toString("base64")]],
        answer: FIELDS,
      })
      .refused()
      .trace(),
  );
  const [found] = violations;
  assert.equal(found?.rule, "CLIENT-SECRET-1");
  assert.match(found?.got ?? "", /^the private key of \w+, in header x-key, as base64$/);
  assert.ok(violations.some(({ rule }) => rule === "CLIENT-BUILD-2"));
  for (const violation of violations) {
    const shown = JSON.stringify(violation);
    for (const encoding of ["base64", "hex"] as const)
      assert.ok(!shown.includes(SECRET.toString(encoding)), shown);
    assert.ok(shown.includes(String(LAUNCH["uri"])), shown);
  }
});

test("a private key that cannot be cut out takes the body, or the headers, with it", () => {
  const digits = SECRET.toString("hex").match(/.{8}/g) ?? [];
  for (const changes of [
    { body: { key: [...SECRET] } },
    { also: digits.map((part, index) => [`x-${index}`, part] as const) },
  ]) {
    const [found] = judge(
      signedIn()
        .build({ ...changes, answer: FIELDS })
        .refused()
        .trace(),
    ).violations;
    assert.equal(found?.rule, "CLIENT-SECRET-1");
    const shown = JSON.stringify(found?.request);
    for (const part of [SECRET.subarray(0, 9).join(), digits[3] ?? ""])
      assert.ok(!shown.includes(part), shown);
  }
});

const observed = (trace: ClientTrace) =>
  judge(trace.trace()).observations.map(({ point, reading }) => `${point} ${reading}`);

/** Deeds that show how a client reads an open point. */
const SHOWN: readonly (readonly [seen: string, trace: ClientTrace])[] = [
  [
    "CLIENT-PROFILE-REUSE remembered",
    signedIn()
      .build()
      .draft()
      .task("second", second)
      .build({ key: "key-00000002", body: { name: "Another" } })
      .draft(),
  ],
  [
    "CLIENT-PROFILE-REUSE again",
    signedIn()
      .build()
      .draft()
      .task("second", second)
      .profile()
      .build({ key: "key-00000002", body: { name: "Another" } })
      .draft(),
  ],
  [
    "CLIENT-SESSION-REUSE reused",
    signedIn()
      .build()
      .draft()
      .task("second", second)
      .build({ key: "key-00000002", body: { name: "Another" } })
      .draft(),
  ],
  [
    "CLIENT-SESSION-REUSE another",
    signedIn()
      .build()
      .draft()
      .task("second", second)
      .signIn()
      .build({ key: "key-00000002", body: { name: "Another" } })
      .draft(),
  ],
  [
    "CLIENT-INVALID-INPUT refused-unasked",
    new ClientTrace().task("first", { token: { name: "" } }).end({ refused: { reason: "no name" } }),
  ],
  [
    "CLIENT-INVALID-INPUT asked",
    new ClientTrace()
      .task("first", { token: { name: "" } })
      .signIn()
      .build({ answer: FIELDS })
      .refused(),
  ],
  ["CLIENT-KEY-FORM uuid", signedIn().build({ key: "0b0e7b3e-0000-4000-8000-000000000000" }).draft()],
  [
    "CLIENT-KEY-FORM hex",
    signedIn()
      .build({ key: hash("x") })
      .draft(),
  ],
  ["CLIENT-KEY-FORM base64url", signedIn().build({ key: "AbCdEfGhIjKlMnOpQrStUv" }).draft()],
  ["CLIENT-KEY-FORM other", signedIn().build().draft()],
  [
    "CLIENT-KEY-OF-LAUNCH same-key",
    signedIn().build().draft().task("again", { launch: "first" }).build().draft(),
  ],
  [
    "CLIENT-KEY-OF-LAUNCH new-key",
    signedIn().build().draft().task("again", { launch: "first" }).build({ key: "key-00000002" }).draft(),
  ],
  [
    "CLIENT-KEY-OF-LAUNCH no-build",
    signedIn().build().draft().task("again", { launch: "first" }).end({ draft: GOOD.build.body }),
  ],
  ["CLIENT-LOST-START gives-up", start().profile({ lost: true }).refused()],
  ["CLIENT-LOST-START asks-again", start().profile({ lost: true }).signIn().build().draft()],
  ["CLIENT-LOST-VERIFY gives-up", start().profile().challenge().verify({ lost: true }).refused()],
  [
    "CLIENT-LOST-VERIFY same-proof",
    start().profile().challenge().verify({ lost: true }).verify().build().draft(),
  ],
  [
    "CLIENT-LOST-VERIFY new-challenge",
    start().profile().challenge().verify({ lost: true }).challenge().verify().build().draft(),
  ],
  [
    "CLIENT-AFTER-401-VERIFY gives-up",
    start().profile().challenge().verify({ answer: SPENT, disturbed: "401" }).refused(),
  ],
  [
    "CLIENT-AFTER-401-VERIFY new-challenge",
    start()
      .profile()
      .challenge()
      .verify({ answer: SPENT, disturbed: "401" })
      .challenge()
      .verify()
      .build()
      .draft(),
  ],
  ["CLIENT-AFTER-401-BUILD gives-up", signedIn().build({ answer: UNAUTHORIZED, disturbed: "401" }).refused()],
  [
    "CLIENT-AFTER-401-BUILD new-session",
    signedIn().build({ answer: UNAUTHORIZED, disturbed: "401" }).challenge().verify().build().draft(),
  ],
  ["CLIENT-AFTER-LOST-BUILD gives-up", signedIn().build({ lost: true }).refused()],
  ["CLIENT-AFTER-LOST-BUILD same-key", signedIn().build({ lost: true }).build().draft()],
  [
    "CLIENT-AFTER-LOST-BUILD new-key",
    signedIn().build({ lost: true }).build({ key: "key-00000002" }).draft(),
  ],
  ["CLIENT-AFTER-REBUILD gives-up", signedIn().build({ answer: REBUILD }).refused()],
  [
    "CLIENT-AFTER-REBUILD new-key",
    signedIn().build({ answer: REBUILD }).build({ key: "key-00000002" }).draft(),
  ],
  ["CLIENT-AFTER-CONFLICT gives-up", signedIn().build({ answer: CONFLICT }).refused()],
  ["CLIENT-AFTER-CONFLICT same-key", signedIn().build({ answer: CONFLICT }).build().draft()],
  [
    "CLIENT-AFTER-CONFLICT new-key",
    signedIn().build({ answer: CONFLICT }).build({ key: "key-00000002" }).draft(),
  ],
  ["CLIENT-AFTER-400 gives-up", signedIn().build({ answer: FIELDS }).refused()],
  [
    "CLIENT-AFTER-400 changed",
    signedIn()
      .build({ answer: FIELDS })
      .build({ body: { name: "x" } })
      .draft(),
  ],
  ["CLIENT-AFTER-429 gives-up", signedIn().build({ answer: FULL }).refused()],
  ["CLIENT-AFTER-429 asks-again", signedIn().build({ answer: FULL }).build({ waitMs: 250 }).draft()],
  [
    "CLIENT-TRUST believed",
    signedIn()
      .build({ answerHas: { sendable: true } })
      .draft(),
  ],
  [
    "CLIENT-TRUST distrusted",
    signedIn()
      .build({ answerHas: { sendable: true } })
      .end({ distrusted: "sendable" }),
  ],
  [
    "CLIENT-TRUST gives-up",
    signedIn()
      .build({ answerHas: { sendable: true } })
      .end({ refused: { reason: "sendable" } }),
  ],
];

for (const [seen, trace] of SHOWN) {
  test(`${seen} is read off a trace`, () => {
    const [point = ""] = seen.split(" ");
    assert.deepEqual(
      observed(trace).filter((one) => one.startsWith(`${point} `)),
      [seen],
    );
  });
}

test("every reading of every open point of clients is read off some trace", () => {
  const readings = [...book.points.values()].flatMap(({ id, readings: all }) =>
    all.map((one) => `${id} ${one.id}`),
  );
  const shown = new Set(SHOWN.map(([seen]) => seen));
  assert.deepEqual(
    [readings.filter((one) => !shown.has(one)), [...shown].filter((one) => !readings.includes(one))],
    [[], []],
  );
});

test("a request that misses its route is told by the route that it is meant for", () => {
  const missing = { target: "/V1/auth//challenge/", answer: refusal(404, "NO_EXECUTION_ENDPOINT") };
  const { violations } = judge(start().profile().challenge(missing).refused().trace());
  assert.deepEqual(
    violations.map(({ rule, expected, got }) => ({ rule, expected, got })),
    [
      {
        rule: "CLIENT-FLOW-1",
        expected: "POST /v1/auth/challenge, letter for letter",
        got: '"POST /V1/auth//challenge/", answered 404 NO_EXECUTION_ENDPOINT',
      },
    ],
  );
});
