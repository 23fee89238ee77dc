import assert from "node:assert/strict";
import { test } from "node:test";
import { BUILDS_PER_MINUTE, LIFETIME_MS, type OperationName } from "../contract/constants.ts";
import type { Exchange } from "../contract/exchange.ts";
import { keyPairOf } from "../contract/key-pair.ts";
import { STATUS_OF_CODE } from "../contract/refusals.ts";
import { createRequest, launchMembers } from "../contract/requests.ts";
import type { Fields } from "../data/json.ts";
import { instant } from "../judge/clocks.ts";
import { Belief, type Origin } from "./belief.ts";
import type { ServiceEvent, TimedEvent } from "./event.ts";
import { checkHistory } from "./history.ts";
import { stepGroup } from "./linearize.ts";

const HOST = "gateway-a.example";
const facts = {
  metadataHosts: [HOST, "gateway-b.example"],
  operatorKey: keyPairOf("operator").address,
  capacity: { challenges: 100, sessions: 100, drafts: 100 },
} as const;
const START_MS = Date.UTC(2026, 9, 10, 12);
const origin: Origin = { facts, started: instant(START_MS), incomplete: false };
const alice = keyPairOf("alice");
const mint = keyPairOf("mint").address;

/** `OK` with a body, or a refusal code. */
type Outcome = string | Fields;

/** History of exchanges with an invented service. */
class Script {
  atMs = START_MS;
  readonly history: TimedEvent[] = [];
  #order = 0;

  exchange(operation: OperationName, members: Fields, outcome: Outcome, credentials = {}): Exchange {
    const request = createRequest(operation, members, {}, credentials);
    const [status, body] =
      typeof outcome === "string" ? [STATUS_OF_CODE.get(outcome), { code: outcome }] : [200, outcome];
    const { message } = body as { message?: string };
    return {
      ...{
        operation,
        request,
        input: members,
        envelope: undefined,
        atMs: this.atMs,
        answeredAtMs: this.atMs,
      },
      status,
      body: { productionApproved: false, ...body },
      ...(message === undefined ? {} : { signed: Buffer.from(message) }),
    };
  }

  challenge(id: string): Exchange {
    const termsHash = "0".repeat(64);
    return this.exchange("challenge", { creator: alice.address, termsHash }, { id: idOf(id), message: id });
  }

  verify(id: string, outcome: Outcome, signer = alice): Exchange {
    const signatureBase64 = Buffer.from(signer.sign(Buffer.from(id))).toString("base64");
    return this.exchange("verify", { id: idOf(id), signatureBase64 }, outcome);
  }

  build(key: string, outcome: Outcome, changes: Fields = {}): Exchange {
    const members = { ...launchMembers(alice.address, mint, HOST), ...changes };
    return this.exchange("build", members, outcome, { bearer: "bearer-of-alice", key });
  }

  /** Adds exchanges that overlap. */
  together(...exchanges: readonly Exchange[]): this {
    this.#order += 1;
    for (const exchange of exchanges) {
      const event = { kind: "exchange", exchange, at: instant(exchange.atMs) } as const;
      this.history.push({ event, sentAt: this.#order, receivedAt: this.#order });
    }
    return this;
  }

  wait(ms: number): this {
    this.atMs += ms;
    return this;
  }

  restart(): this {
    this.#order += 1;
    const event: ServiceEvent = { kind: "restart", at: instant(this.atMs) };
    this.history.push({ event, sentAt: this.#order, receivedAt: this.#order });
    return this;
  }

  /** Opens a session of alice. */
  session(): this {
    return this.together(this.challenge("first")).together(
      this.verify("first", { bearer: "bearer-of-alice" }),
    );
  }

  /** Returns the first violated rule of each violation. */
  rules(assumed = origin): readonly (string | undefined)[] {
    return checkHistory(this.history, assumed).violations.map(({ rules }) => rules[0]);
  }
}

function idOf(name: string): string {
  return Buffer.from(name).toString("hex").padEnd(48, "0");
}

/** Returns every list of `length` values. */
function listsOf<Value>(values: readonly Value[], length: number): readonly (readonly Value[])[] {
  if (length === 0) return [[]];
  return values.flatMap((value) => listsOf(values, length - 1).map((rest) => [value, ...rest]));
}

const DRAFT = { nextGate: "a draft" };

test("exactly one of several concurrent valid proofs of a challenge opens a session", () => {
  for (const outcomes of listsOf(["OK", "EXPIRED_OR_USED_CHALLENGE"], 4)) {
    const script = new Script();
    script.together(script.challenge("first"));
    script.together(
      ...outcomes.map((outcome, index) =>
        script.verify("first", outcome === "OK" ? { bearer: `bearer ${index}` } : outcome),
      ),
    );
    const isLegal = outcomes.filter((outcome) => outcome === "OK").length === 1;
    assert.equal(script.rules().length === 0, isLegal, outcomes.join());
  }
});

test("if a valid and an invalid proof are in flight, only one is checked, and it uses up the challenge", () => {
  const expired = "EXPIRED_OR_USED_CHALLENGE";
  // The contract does not say which code an invalid proof of a used challenge gets.
  const legal = [`OK ${expired}`, "OK INVALID_PROOF", `${expired} INVALID_PROOF`];
  for (const valid of ["OK", "INVALID_PROOF", expired])
    for (const invalid of ["OK", "INVALID_PROOF", expired]) {
      const script = new Script();
      const outcomeOf = (name: string) => (name === "OK" ? { bearer: "bearer" } : name);
      script.together(script.challenge("first"));
      script.together(
        script.verify("first", outcomeOf(valid)),
        script.verify("first", outcomeOf(invalid), keyPairOf("bob")),
      );
      assert.equal(script.rules().length === 0, legal.includes(`${valid} ${invalid}`), `${valid} ${invalid}`);
    }
});

test("the number of concurrent new builds that are served is exactly the limit", () => {
  for (const outcomes of listsOf(["OK", "OFFLINE_RATE_LIMIT"], BUILDS_PER_MINUTE + 2)) {
    const script = new Script().session();
    script.together(
      ...outcomes.map((outcome, index) =>
        script.build(`key-number-${index}`, outcome === "OK" ? { nextGate: `draft ${index}` } : outcome),
      ),
    );
    const isLegal = outcomes.filter((outcome) => outcome === "OK").length === BUILDS_PER_MINUTE;
    assert.equal(script.rules().length === 0, isLegal, outcomes.join());
  }
});

test("if concurrent builds have one key and two inputs, only those of one input are served", () => {
  for (const outcomes of listsOf(["OK", "IDEMPOTENCY_CONFLICT"], 4)) {
    const script = new Script().session();
    script.together(
      ...outcomes.map((outcome, index) => {
        const name = `Coin ${index % 2}`;
        return script.build("key-number-1", outcome === "OK" ? { nextGate: name } : outcome, { name });
      }),
    );
    const served = outcomes.flatMap((outcome, index) => (outcome === "OK" ? [index % 2] : []));
    const isLegal = served.join() === "0,0" || served.join() === "1,1";
    assert.equal(script.rules().length === 0, isLegal, outcomes.join());
  }
});

test("of concurrent requests by two creators, each can take the last place in a store", () => {
  const bob = { creator: keyPairOf("bob").address, termsHash: "0".repeat(64) };
  const script = new Script();
  script.together(script.exchange("challenge", bob, "OFFLINE_CAPACITY"), script.challenge("first"));
  const withPlaces = (challenges: number) => ({ ...origin, facts: { ...facts, capacity: { challenges } } });
  assert.deepEqual(script.rules(withPlaces(1)), []);
  assert.deepEqual(script.rules(withPlaces(2)), ["ENDPOINT-2"]);
});

test("a later response can rule out some orders of earlier concurrent requests", () => {
  const script = new Script().session();
  const [one, other] = [{ name: "One" }, { name: "Other" }];
  script.together(
    script.build("key-number-1", DRAFT, one),
    script.build("key-number-1", "IDEMPOTENCY_CONFLICT", other),
  );
  script.together(script.build("key-number-1", DRAFT, one));
  assert.deepEqual(script.rules(), []);
  script.together(script.build("key-number-1", DRAFT, other));
  assert.deepEqual(script.rules(), ["IDEMPOTENCY-10"]);
});

test("two responses that no single clock can explain are a violation", () => {
  const script = new Script();
  // The second challenge is issued an even number of seconds after the first, so it expires at the same age.
  const proveAt = (id: string, ageMs: number, outcome: Outcome) => {
    script.together(script.challenge(id));
    script.wait(ageMs).together(script.verify(id, outcome)).wait(100);
  };
  proveAt("first", LIFETIME_MS.challenge - 100, "EXPIRED_OR_USED_CHALLENGE");
  assert.deepEqual(script.rules(), []);
  proveAt("second", LIFETIME_MS.challenge + 100, { bearer: "bearer" });
  const [violation] = checkHistory(script.history, origin).violations;
  assert.deepEqual(violation?.rules, ["CHALLENGE-21"]);
  assert.deepEqual(violation?.expected, ["EXPIRED_OR_USED_CHALLENGE"]);
});

test("a violation names exactly the rule that the response violates", () => {
  const cases: Readonly<Record<string, (script: Script) => unknown>> = {
    "CHALLENGE-22": (script) => script.together(script.verify("first", { bearer: "other" })),
    "CHALLENGE-27": (script) => script.restart().together(script.verify("first", { bearer: "other" })),
    "VERIFY-12": (script) => script.together(script.verify("second", { bearer: "other" })),
    "SESSION-7": (script) =>
      script.wait(LIFETIME_MS.verify + 2100).together(script.build("key-number-1", DRAFT)),
    "SESSION-10": (script) => script.restart().together(script.build("key-number-1", DRAFT)),
    "SESSION-5": (script) => script.together(script.build("key-number-1", "UNAUTHORIZED")),
    "LAUNCH-16": (script) => script.together(script.build("key-number-1", DRAFT, { name: "" })),
    "LAUNCH-6": (script) =>
      script.together(script.build("key-number-1", DRAFT, { creator: keyPairOf("bob").address })),
    "IDEMPOTENCY-2": (script) => script.together(script.build("key", DRAFT)),
    "IDEMPOTENCY-5": (script) =>
      script
        .together(script.build("key-number-1", DRAFT))
        .together(script.build("key-number-1", { nextGate: "other" })),
    "IDEMPOTENCY-11": (script) =>
      script
        .together(script.build("key-number-1", DRAFT))
        .together(script.build("key-number-1", DRAFT, { symbol: "X" })),
    "IDEMPOTENCY-14": (script) => {
      script.together(script.build("key-number-1", DRAFT)).wait(LIFETIME_MS.build + 1);
      script.together(script.build("key-number-1", "REBUILD_WITH_NEW_KEY")).wait(1);
      script.together(script.build("key-number-1", DRAFT));
    },
    "LIMIT-30": (script) => script.together(script.build("key-number-1", "OFFLINE_RATE_LIMIT")),
    "ENDPOINT-4": (script) => script.together(script.build("key-number-1", "IDEMPOTENCY_CONFLICT")),
  };
  for (const [rule, play] of Object.entries(cases)) {
    const script = new Script().session();
    play(script);
    assert.deepEqual(script.rules(), [rule]);
  }
});

test("an incomplete history may lack exchanges and restarts, but must not contradict itself", () => {
  const incomplete = { ...origin, incomplete: true };
  const script = new Script();
  script.together(script.build("key-number-1", DRAFT)).together(script.build("key-number-1", "UNAUTHORIZED"));
  assert.deepEqual(script.rules(incomplete), []);
  script.together(script.build("key-number-2", DRAFT));
  assert.deepEqual(script.rules(incomplete), ["SESSION-7"]);
});

test("a request without a response may have been handled or not", () => {
  for (const outcome of ["EXPIRED_OR_USED_CHALLENGE", { bearer: "bearer" }]) {
    const script = new Script();
    script.together(script.challenge("first"));
    script.together({ ...script.verify("first", ""), status: undefined });
    script.together(script.verify("first", outcome));
    assert.deepEqual(script.rules(), []);
  }
});

test("exchanges that exceed the limits of the model are not decided, but counted", () => {
  const script = new Script().session();
  for (let index = 0; index < 80; index += 1)
    script
      .wait(30_000)
      .together(script.build("key-number-1", "INVALID_FIELDS", { name: "", uri: `${index}` }));
  script.together(script.build("key-number-1", "IDEMPOTENCY_CONFLICT", { name: "New" }));
  const { violations, notDecided } = checkHistory(script.history, origin);
  assert.deepEqual(violations, []);
  assert.ok(notDecided > 0);
});

test("concurrent requests whose order makes no difference leave one belief", () => {
  const script = new Script().session();
  const before = script.history.reduce<readonly Belief[]>(
    (beliefs, event) => stepGroup(beliefs, [event]).beliefs,
    [new Belief(origin)],
  );
  const refused = [1, 2, 3].map((index) =>
    script.build(`key-number-${index}`, "INVALID_FIELDS", { name: "" }),
  );
  script.together(...refused);
  assert.equal(stepGroup(before, script.history.slice(2)).beliefs.length, 1);
});

test("in an incomplete history, a lost sign-in may renew a bearer if an earlier one has", () => {
  /** @param bearer bearer of a second sign-in */
  const rulesWith = (bearer: string, assumed: Origin) => {
    const script = new Script().session();
    script.together(script.challenge("second")).together(script.verify("second", { bearer }));
    script.wait(LIFETIME_MS.verify + 10_000).together(script.build("key-number-1", DRAFT));
    return script.rules(assumed);
  };
  const incomplete = { ...origin, incomplete: true };
  assert.deepEqual(rulesWith("bearer-of-alice", incomplete), []);
  assert.deepEqual(rulesWith("bearer-of-alice", origin), ["SESSION-7"]);
  assert.deepEqual(rulesWith("another-bearer", incomplete), ["SESSION-7"]);
});
