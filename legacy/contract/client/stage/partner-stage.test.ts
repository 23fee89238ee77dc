import assert from "node:assert/strict";
import { createPrivateKey, sign } from "node:crypto";
import { test } from "node:test";
import type { ClientStage, Staged } from "../../../engine/client/client-contract.ts";
import { parseYaml } from "../../../engine/data/yaml-source.ts";
import { compileScenario } from "../script/compile-scenario.ts";
import { openPartnerStage } from "./partner-stage.ts";

const START_MS = Date.UTC(2026, 9, 10, 12, 0, 0, 250);

interface Task {
  readonly creator: { readonly address: string; readonly secretKeyBase64: string };
  readonly token: Readonly<Record<string, string>>;
  readonly id: string;
}

type Body = Readonly<Record<string, unknown>>;

/** A stage of the given script, with what a client would do with it. */
async function staged(script: string, { name = "mine/vector", seed = 1, facts = {} } = {}) {
  const source = parseYaml(
    `vectors:\n- rules: [CLIENT-FLOW-1]\n${script.replaceAll(/^/gm, "  ")}`,
    "mine.yaml",
  );
  const [entry] = (source.value as { readonly vectors: readonly Body[] }).vectors;
  const scenario = compileScenario(entry ?? {}, source, ["vectors", 0]);
  const stage = await openPartnerStage(scenario, { name, seed, facts, startMs: START_MS }, () => ({
    violations: [],
    observations: [],
    advice: [],
  }));
  return new Caller(stage);
}

/** Sends what an honest client sends, with whatever a test changes. */
class Caller {
  readonly stage: ClientStage;
  readonly tasks: readonly Task[];

  constructor(stage: ClientStage) {
    this.stage = stage;
    const tasks = stage.steps.flatMap((step) => (step.kind === "tasks" ? step.tasks : []));
    this.tasks = tasks.map(({ task }) => task as unknown as Task);
  }

  get task(): Task {
    const [task] = this.tasks;
    assert.ok(task !== undefined);
    return task;
  }

  ask(method: string, target: string, body?: unknown, headers: Readonly<Record<string, string>> = {}) {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    const request = { method, target, headers: Object.entries(headers) };
    return this.stage.answer(body === undefined ? request : { ...request, body: Buffer.from(text) });
  }

  profile() {
    return this.ask("GET", "/v1/platform");
  }

  async challenge(task = this.task, changed: Body = {}) {
    const { termsHash } = bodyOf(await this.profile());
    return this.ask("POST", "/v1/auth/challenge", { creator: task.creator.address, termsHash, ...changed });
  }

  /** A proof of a challenge over its message, or over what is told in its place. */
  proof(
    challenge: Staged,
    task = this.task,
    signed: (message: string) => Uint8Array = (text) => Buffer.from(text),
  ) {
    const { id, message } = bodyOf(challenge);
    const seed = Buffer.from(task.creator.secretKeyBase64, "base64").subarray(0, 32);
    const prefix = Buffer.from("302e020100300506032b657004220420", "hex");
    const key = createPrivateKey({ key: Buffer.concat([prefix, seed]), format: "der", type: "pkcs8" });
    const signatureBase64 = sign(null, signed(String(message)), key).toString("base64");
    return this.ask("POST", "/v1/auth/verify", { id, signatureBase64 });
  }

  async bearer(task = this.task): Promise<string> {
    return String(bodyOf(await this.proof(await this.challenge(task), task))["bearer"]);
  }

  build(bearer: string, { key = "key-00001", task = this.task, changed = {} as Body } = {}) {
    const body = { creator: task.creator.address, ...task.token, ...changed };
    return this.ask("POST", "/v1/launch/build", body, {
      authorization: `Bearer ${bearer}`,
      "idempotency-key": key,
    });
  }
}

function bodyOf({ answer }: Staged): Body {
  assert.equal(answer.kind, "answer");
  return answer.kind === "answer" ? (answer.body as Body) : {};
}

/** Status and code of an answer; `lost` where there is none. */
function said({ answer }: Staged): string {
  if (answer.kind === "lost") return "lost";
  const { code } = answer.body as Body;
  return answer.status === 200 ? "200" : `${answer.status} ${code}`;
}

const LAUNCH = "steps: [{ launch: {} }]";
const TWO = "steps: [{ launch: {}, as: first }, { launch: { by: bob } }, { launch: { again: $first } }]";

test("an honest client gets its draft, with the wallets of the profile", async () => {
  const caller = await staged(LAUNCH);
  const built = await caller.build(await caller.bearer());
  assert.equal(said(built), "200");
  const [profile, draft] = [bodyOf(await caller.profile()), bodyOf(built)];
  for (const wallet of ["platform", "feeWallet", "withdrawAuthority"])
    assert.equal(draft[wallet], profile[wallet]);
  assert.deepEqual(draft["requiredSigners"], [caller.task.creator.address, caller.task.token["mint"]]);
  assert.equal(built.disturbed, undefined);
});

test("each vector and each seed has a service, people and launches of its own, always the same", async () => {
  const told = async (given: Parameters<typeof staged>[1]) => {
    const caller = await staged(LAUNCH, given);
    const { termsHash, feeWallet } = bodyOf(await caller.profile());
    const { id, message } = bodyOf(await caller.challenge());
    return [
      termsHash,
      feeWallet,
      id,
      message,
      caller.task.creator.address,
      caller.task.id,
      caller.task.token["mint"],
    ];
  };
  const [one, same, other, seeded] = [
    await told({}),
    await told({}),
    await told({ name: "o/v" }),
    await told({ seed: 2 }),
  ];
  assert.deepEqual(one, same);
  for (const [place, value] of one.entries())
    assert.equal(new Set([value, other[place], seeded[place]]).size, 3, `${place}`);
});

test("what a profile says of signing is true, and stands under several names", async () => {
  const described = await Promise.all(
    [...Array(12).keys()].map(async (place) => {
      const caller = await staged(LAUNCH, { name: `mine/${place}`, facts: { signedBytes: "hex" } });
      return Object.entries(bodyOf(await caller.profile())).find(([, value]) => typeof value === "object");
    }),
  );
  assert.ok(new Set(described.map((one) => one?.[0])).size > 2);
  for (const one of described) assert.equal((one?.[1] as Body | undefined)?.["signedBytes"], "hex");
});

test("the hash of another service is refused, as is that of the reference", async () => {
  const caller = await staged(LAUNCH);
  const reference = await import("../../../../reference/profile.ts");
  for (const termsHash of [reference.TERMS_HASH, "a".repeat(64)])
    assert.equal(
      said(await caller.challenge(caller.task, { termsHash })),
      "400 INVALID_DEMO_TERMS_OR_FIELDS",
    );
});

test("a hash that is written in escapes is the same hash", async () => {
  const caller = await staged(LAUNCH);
  const termsHash = String(bodyOf(await caller.profile())["termsHash"]);
  const escaped = [...termsHash].map((digit) => `\\u00${digit.charCodeAt(0).toString(16)}`).join("");
  const body = `{"creator":"${caller.task.creator.address}","termsHash":"${escaped}"}`;
  assert.equal(said(await caller.ask("POST", "/v1/auth/challenge", body)), "200");
});

test("the message holds creator, audience, hash and expiry of this service, and no word of the reference", async () => {
  const caller = await staged(LAUNCH);
  const [{ termsHash }, { message, expiresAt }] = [
    bodyOf(await caller.profile()),
    bodyOf(await caller.challenge()),
  ];
  for (const part of [caller.task.creator.address, "offline-demo", termsHash, expiresAt])
    assert.ok(String(message).includes(String(part)), String(part));
  const reference = await import("../../../../reference/profile.ts");
  assert.ok(!String(message).includes(reference.TERMS_HASH));
});

for (const [wrong, signed] of Object.entries({
  "without its first character": (message: string) => Buffer.from(message.slice(1)),
  "in another form of Unicode": (message: string) => Buffer.from(message.normalize("NFC")),
  hashed: (message: string) => Buffer.from(`hash of ${message}`),
})) {
  test(`a proof over the message ${wrong} is refused, and has used the challenge up`, async () => {
    const caller = await staged(`service: [{ on: challenge, message: combining-marks }]\n${LAUNCH}`);
    const challenge = await caller.challenge();
    assert.equal(said(await caller.proof(challenge, caller.task, signed)), "401 INVALID_PROOF");
    assert.equal(said(await caller.proof(challenge)), "401 EXPIRED_OR_USED_CHALLENGE");
    assert.equal(said(await caller.proof(await caller.challenge())), "200");
  });
}

test("a proof by somebody else, one in another alphabet and one with more members are refused", async () => {
  const caller = await staged(TWO);
  const [, bob] = caller.tasks;
  const challenge = await caller.challenge();
  assert.equal(said(await caller.proof(challenge, bob)), "401 INVALID_PROOF");
  const { id } = bodyOf(await caller.challenge());
  const signatureBase64 = `${"-".repeat(86)}==`;
  assert.equal(
    said(await caller.ask("POST", "/v1/auth/verify", { id, signatureBase64 })),
    "400 INVALID_FIELDS",
  );
  assert.equal(said(await caller.ask("POST", "/v1/auth/verify", "{")), "400 INVALID_JSON_BODY");
});

for (const [signedBytes, decoded] of [
  ["hex", (message: string) => Buffer.from(message, "hex")],
  ["base64", (message: string) => Buffer.from(message, "base64")],
] as const) {
  test(`where a client signs what the message is the ${signedBytes} of, that is what it is served`, async () => {
    const caller = await staged(LAUNCH, { facts: { signedBytes } });
    const challenge = await caller.challenge();
    assert.ok(
      decoded(String(bodyOf(challenge)["message"]))
        .toString()
        .includes(caller.task.creator.address),
    );
    assert.equal(said(await caller.proof(challenge, caller.task, decoded)), "200");
    assert.equal(said(await caller.proof(await caller.challenge())), "401 INVALID_PROOF");
  });
}

test("a bearer is good as it was served, for its creator, and in no other form", async () => {
  const caller = await staged(`service: [{ on: verify, bearer: padded }]\n${TWO}`);
  const bearer = await caller.bearer();
  assert.match(bearer, /==$/);
  assert.equal(said(await caller.build(bearer)), "200");
  assert.equal(said(await caller.build(bearer.replace(/=+$/, ""))), "401 UNAUTHORIZED");
  assert.equal(said(await caller.build(bearer.toLowerCase())), "401 UNAUTHORIZED");
  assert.equal(said(await caller.build(bearer, { task: caller.tasks[1] })), "400 CREATOR_BINDING_OR_FIELDS");
});

test("a request that is lost did nothing; an answer that is lost hides what was done", async () => {
  for (const [lose, tookEffect] of [
    ["request", false],
    ["answer", true],
  ] as const) {
    const caller = await staged(`service: [{ on: build, nth: 1, lose: ${lose}, pass: 31s }]\n${LAUNCH}`);
    const bearer = await caller.bearer();
    const lost = await caller.build(bearer);
    assert.deepEqual([said(lost), lost.tookEffect], ["lost", tookEffect]);
    assert.match(lost.disturbed ?? "", new RegExp(`its ${lose} is lost`));
    assert.equal(said(await caller.build(bearer)), tookEffect ? "409 REBUILD_WITH_NEW_KEY" : "200");
  }
});

test("a service that breaks says so, before or after what was asked took effect", async () => {
  const caller = await staged(
    `service:\n- { on: build, nth: 1, status: 500, effect: true }\n- { on: platform, status: 503 }\nsteps: [{ launch: {} }]`,
  );
  assert.equal(said(await caller.profile()), "503 INTERNAL_ERROR");
});

test("a key that the service calls taken stays taken, and another is free", async () => {
  for (const code of ["REBUILD_WITH_NEW_KEY", "IDEMPOTENCY_CONFLICT"]) {
    const caller = await staged(`service: [{ on: build, nth: 1, refuse: 409 ${code} }]\n${LAUNCH}`);
    const bearer = await caller.bearer();
    assert.equal(said(await caller.build(bearer)), `409 ${code}`);
    assert.equal(said(await caller.build(bearer)), `409 ${code}`);
    assert.equal(said(await caller.build(bearer, { key: "another-key" })), "200");
  }
});

test("a session that is refused has ended, and another one is good", async () => {
  const caller = await staged(`service: [{ on: build, nth: 1, refuse: 401 UNAUTHORIZED }]\n${LAUNCH}`);
  const bearer = await caller.bearer();
  assert.equal(said(await caller.build(bearer)), "401 UNAUTHORIZED");
  assert.equal(said(await caller.build(bearer)), "401 UNAUTHORIZED");
  assert.equal(said(await caller.build(await caller.bearer())), "200");
});

test("a challenge that is called over is over", async () => {
  const caller = await staged(
    `service: [{ on: verify, nth: 1, refuse: 401 EXPIRED_OR_USED_CHALLENGE }]\n${LAUNCH}`,
  );
  const challenge = await caller.challenge();
  for (const _ of [1, 2]) assert.equal(said(await caller.proof(challenge)), "401 EXPIRED_OR_USED_CHALLENGE");
});

test("what is wrong with a request comes before a refusal of the script, but for a full service", async () => {
  const caller = await staged(
    `service:\n- { on: build, refuse: 409 IDEMPOTENCY_CONFLICT }\n- { on: challenge, nth: 3, refuse: 429 OFFLINE_CAPACITY }\n${LAUNCH}`,
  );
  const bearer = await caller.bearer();
  assert.equal(said(await caller.build(bearer, { changed: { extra: 1 } })), "400 INVALID_FIELDS");
  assert.equal(said(await caller.build("nobody")), "401 UNAUTHORIZED");
  assert.equal(said(await caller.challenge(caller.task, { creator: "x" })), "400 INVALID_CREATOR");
  assert.equal(said(await caller.challenge(caller.task, { creator: "x" })), "429 OFFLINE_CAPACITY");
});

test("a restart forgets challenges, sessions and taken keys, and keeps who the service is", async () => {
  const caller = await staged(
    `service: [{ on: build, nth: 1, refuse: 409 REBUILD_WITH_NEW_KEY }]\n${LAUNCH}`,
  );
  const { termsHash } = bodyOf(await caller.profile());
  const [bearer, challenge] = [await caller.bearer(), await caller.challenge()];
  await caller.build(bearer);
  await caller.stage.restart();
  assert.equal(bodyOf(await caller.profile())["termsHash"], termsHash);
  assert.equal(said(await caller.build(bearer)), "401 UNAUTHORIZED");
  assert.equal(said(await caller.proof(challenge)), "401 EXPIRED_OR_USED_CHALLENGE");
  assert.equal(said(await caller.build(await caller.bearer())), "200");
});

test("a request that comes while the service is started anew is answered by what was started", async () => {
  const caller = await staged(`service: [{ on: verify, nth: 1, restart: true }]\n${LAUNCH}`);
  const challenge = await caller.challenge();
  const both = await Promise.all([caller.proof(challenge), caller.profile(), caller.build("nobody")]);
  assert.deepEqual(both.map(said), ["401 EXPIRED_OR_USED_CHALLENGE", "200", "401 UNAUTHORIZED"]);
});

test("a small service has no room for the next", async () => {
  const caller = await staged(`capacity: { sessions: 1 }\n${TWO}`);
  await caller.bearer();
  const [, bob] = caller.tasks;
  assert.equal(said(await caller.proof(await caller.challenge(bob), bob)), "429 OFFLINE_CAPACITY");
});

test("only the requests of the creator that a script names are counted", async () => {
  const caller = await staged(`service: [{ on: challenge, for: bob, nth: 1, status: 500 }]\n${TWO}`);
  const [, bob] = caller.tasks;
  assert.equal(said(await caller.challenge()), "200");
  assert.equal(said(await caller.challenge(bob)), "500 INTERNAL_ERROR");
  assert.equal(said(await caller.challenge(bob)), "200");
});

test("members are added and changed at any depth, and their order and spelling are the script's", async () => {
  const caller = await staged(
    `service: [{ on: build, add: { __proto__: 1, cost.note: x }, set: { requiredSigners.0: $mallory }, spelling: reversed-members, headers: { x-a: "1" } }]\n${LAUNCH}`,
  );
  const { answer } = await caller.build(await caller.bearer());
  assert.ok(answer.kind === "answer");
  const draft = JSON.parse(answer.text);
  assert.ok(Object.hasOwn(draft, "__proto__"));
  assert.deepEqual([draft.cost.note, answer.headers], ["x", [["x-a", "1"]]]);
  assert.notEqual(draft.requiredSigners[0], caller.task.creator.address);
  assert.ok(answer.text.startsWith('{"__proto__"'));
});

test("the same launch given again has the same id and texts, and says so", async () => {
  const { tasks, stage } = await staged(TWO);
  const [first, bob, again] = tasks;
  assert.deepEqual({ ...first, again: true }, again);
  assert.notEqual(first?.id, bob?.id);
  const ids = stage.steps.flatMap((step) => (step.kind === "tasks" ? step.tasks.map(({ id }) => id) : []));
  assert.deepEqual(ids, ["launch 1", "launch 2", "launch 1 again"]);
});

/** A trace in which the launches ended like this. */
function ended(caller: Caller, ...results: readonly unknown[]) {
  const tasks = results.map((result, index) => ({
    id: `launch ${index + 1}`,
    task: {},
    end: { kind: "result" as const, result },
    beganAtMs: 0,
    endedAtMs: 0,
    fromTurn: 0,
    toTurn: 0,
  }));
  return caller.stage.judge({ turns: [], tasks, waitScale: 1 });
}

test("a launch that ends otherwise than it may breaks the vector's first rule", async () => {
  const caller = await staged("steps: [{ launch: {} }, { launch: {}, expect: draft | refused }]");
  const { violations, unreached } = ended(caller, { refused: {} }, { refused: {} });
  assert.deepEqual(
    violations.map(({ rule, expected, got, task }) => ({ rule, expected, got, task })),
    [{ rule: "CLIENT-FLOW-1", expected: "a draft", got: '{"refused":{}}', task: "launch 1" }],
  );
  assert.equal(unreached, undefined);
  assert.deepEqual(ended(caller, { draft: {} }, { draft: {} }).violations, []);
});

test("a script that did not come to pass is told, unless it need not", async () => {
  const script = (more: string) => `service:\n- { on: build, nth: 2, lose: answer${more} }\n${LAUNCH}`;
  const caller = await staged(script(""));
  await caller.build(await caller.bearer());
  assert.equal(ended(caller).unreached, "no build request came to this: its answer is lost");
  assert.equal(ended(await staged(script(", optional: true"))).unreached, undefined);
});
