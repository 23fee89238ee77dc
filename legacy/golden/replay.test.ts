import assert from "node:assert/strict";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { AdapterFault } from "../adapters/adapter.ts";
import { httpAdapter } from "../adapters/http.ts";
import { inProcessAdapter, type ServiceModule } from "../adapters/in-process.ts";
import { keyPairFrom } from "../contract/keys/key-pair.ts";
import { PATHS } from "../paths.ts";
import { exchangeAt, fixtureNamed, golden } from "../testing/golden/kit-fixtures.ts";
import { send } from "../testing/golden/send.ts";
import { reference, spoiled } from "../testing/reference.ts";
import { exchangesOf } from "./fixture.ts";
import { type Replay, replayFixtures } from "./replay.ts";

const time = { now: () => 0, sleep: async () => {} };

async function replaysOn(service: ServiceModule, names?: readonly string[]): Promise<readonly Replay[]> {
  const fixtures = names === undefined ? golden.fixtures : names.map(fixtureNamed);
  return replayFixtures(
    { index: golden.index, fixtures },
    inProcessAdapter(service, { name: "service" }),
    time,
  );
}

/** What came of one fixture on a service. */
async function replayOn(service: ServiceModule, name: string): Promise<Replay> {
  const [replay] = await replaysOn(service, [name]);
  assert.ok(replay);
  return replay;
}

/** The reference with a changed answer, which still gives itself out for the reference. */
const impostor = (spoil: Parameters<typeof spoiled>[0]) =>
  spoiled(spoil, { implementation: golden.index.implementation });

/** The same under another name. */
const stranger = (spoil: Parameters<typeof spoiled>[0]) => spoiled(spoil);

interface ReferenceServer {
  serveReference(options: object): Promise<{ url: string; controlUrl: string; close(): Promise<void> }>;
}
interface ReferenceHttp {
  serveHttp(service: object, options: object): Promise<{ url: string; close(): Promise<void> }>;
}

test("every transcript replayed against the reference over HTTP matches, to the capacity", async (context) => {
  const { serveReference }: ReferenceServer = await import(pathToFileURL(PATHS.referenceServer).href);
  const server = await serveReference({
    host: "127.0.0.1",
    port: 0,
    control: true,
    capacity: 6,
    now: () => 0,
  });
  context.after(() => server.close());
  const adapter = httpAdapter({ url: server.url, controlUrl: server.controlUrl });
  const replays = await replayFixtures(golden, adapter, time);
  assert.deepEqual(
    replays,
    golden.fixtures.map(({ name }) => ({ name, choices: [] })),
  );
});

test("sent byte for byte to the reference with the same randomness, every answer is the recorded one to the byte", async (context) => {
  const { serveHttp }: ReferenceHttp = await import(new URL("http.ts", pathToFileURL(PATHS.reference)).href);
  const module: ServiceModule = await import(pathToFileURL(PATHS.goldenReference).href);
  const clock = { nowMs: 0 };
  let service = await module.createService({ now: () => clock.nowMs });
  const server = await serveHttp({ handle: (call: never) => service.handle(call) }, { port: 0 });
  context.after(() => server.close());
  for (const fixture of golden.fixtures) {
    clock.nowMs = fixture.steps[0]?.nowMs ?? 0;
    service = await module.createService({ now: () => clock.nowMs });
    for (const step of fixture.steps) {
      if (step.kind === "advance") clock.nowMs += step.ms;
      if (step.kind === "restart") service = await module.createService({ now: () => clock.nowMs });
      if (step.kind !== "exchange") continue;
      const where = `${fixture.name}; step=${step.step}`;
      const answer = await send(server.url, step.http.request);
      assert.equal(answer.status, step.http.response.status, where);
      assert.equal(answer.body, step.http.response.body, where);
      for (const { name, value } of step.http.response.headers)
        assert.equal(answer.headers[name], value, where);
    }
  }
});

test("a larger store is a choice that the contract leaves open", async () => {
  const replays = await replaysOn(reference);
  assert.deepEqual(
    replays.filter(({ drift, left }) => drift !== undefined || left !== undefined),
    [],
  );
  assert.deepEqual(
    replays.flatMap(({ choices }) => choices),
    ["CHALLENGES", "SESSIONS", "DRAFTS"].map((store, index) => {
      const step = [8, 15, 12][index];
      return `step ${step}: 200, in the fixture 429 OFFLINE_CAPACITY (open point CAPACITY-${store})`;
    }),
  );
});

test("another code is drift, or a choice where its open point allows it", async () => {
  const changed = (from: string, to: string) =>
    stranger(({ body }) => {
      if (body.code === from) body.code = to;
    });
  const drift = await replayOn(changed("INVALID_PROOF", "UNAUTHORIZED"), "invalid-proof");
  assert.equal(drift.drift, "step 3: was 401 INVALID_PROOF, is 401 UNAUTHORIZED");
  const choice = await replayOn(changed("METADATA_HOST", "METADATA_URL"), "metadata-host");
  assert.equal(choice.drift, undefined);
  assert.equal(
    choice.choices[0],
    "step 4: 400 METADATA_URL, in the fixture 400 METADATA_HOST (open point CODE-BUILD-URI-HOST)",
  );
  const neither = await replayOn(changed("METADATA_HOST", "UNAUTHORIZED"), "metadata-host");
  assert.match(neither.drift ?? "", /is 400 UNAUTHORIZED; 400 METADATA_HOST, 400 METADATA_URL are allowed$/);
});

test("what the contract fixes may not change, in whatever implementation", async () => {
  const cheap = stranger(({ body }) => {
    if (body.cost) body.cost.reserveLamports = 5;
  });
  assert.equal(
    (await replayOn(cheap, "happy-path")).drift,
    "step 4, cost.reserveLamports: was 1000000, is 5",
  );
  const silent = stranger(({ body }) => {
    delete body.productionApproved;
  });
  assert.equal(
    (await replayOn(silent, "happy-path")).drift,
    "step 1, productionApproved: was false, is absent",
  );
});

test("an implementation's own values count for itself, and are set aside for others as far as they match", async () => {
  const other = (value: unknown) => (answer: { body: { nextGate?: unknown } }) => {
    if (answer.body.nextGate !== undefined) answer.body.nextGate = value;
  };
  assert.equal(
    (await replayOn(impostor(other("ELSEWHERE")), "happy-path")).drift,
    'step 4, nextGate: was "READ_ONLY_PREFLIGHT_REQUIRED", is "ELSEWHERE"',
  );
  assert.equal((await replayOn(stranger(other("ELSEWHERE")), "happy-path")).drift, undefined);
  assert.equal(
    (await replayOn(stranger(other(7)), "happy-path")).drift,
    'step 4, nextGate: was "a text matching ^[\\\\s\\\\S]+$", is 7',
  );
});

test("members that the contract does not name may come and go in another implementation alone", async () => {
  const more = (answer: { body: Record<string, unknown> }) => {
    if (answer.body["signing"] !== undefined) {
      delete answer.body["signing"];
      answer.body["howToSign"] = "carefully";
    }
  };
  assert.equal((await replayOn(stranger(more), "happy-path")).drift, undefined);
  assert.match(
    (await replayOn(impostor(more), "happy-path")).drift ?? "",
    /^step 1, signing: was \{.*is absent \(and 1 more\)$/,
  );
});

test("what the contract leaves open is no drift in another implementation, in any fixture", async () => {
  let count = 0;
  const free = stranger(({ body }) => {
    if (body.signing !== undefined) body.signing = "the creator signs the message as UTF-8";
    if (body.bearer !== undefined || body.message !== undefined)
      body.expiresAt = { seconds: Math.floor(Date.parse(body.expiresAt) / 1000), nanos: 0 };
    body.requestNumber = ++count;
  });
  assert.deepEqual(
    (await replaysOn(free)).flatMap(({ name, drift }) => (drift === undefined ? [] : [`${name}: ${drift}`])),
    [],
  );
});

test("an answer that repeats an earlier one repeats every member, also of what varies", async () => {
  let count = 0;
  const fickle = stranger(({ body }) => {
    if (body.nextGate !== undefined) body.nextGate = `GATE_${++count}`;
  });
  assert.equal(
    (await replayOn(fickle, "retry")).drift,
    'step 5 does not repeat step 4: nextGate: was "GATE_1", is "GATE_2"',
  );
});

test("a request that is not answered is drift, and the next fixture is replayed", async () => {
  const frail = spoiled((_, { path }) => {
    if (path === "/v1/auth/verify") throw new Error("no idea");
  });
  const [happy, path] = await replaysOn(frail, ["happy-path", "unknown-path"]);
  assert.equal(happy?.drift, "step 3 is not answered: handle threw: no idea");
  assert.deepEqual(path, { name: "unknown-path", choices: [] });
});

test("a lost bearer leaves the rest unreplayed and is drift by itself", async () => {
  const speechless = stranger(({ body }) => {
    delete body.bearer;
  });
  assert.match((await replayOn(speechless, "happy-path")).drift ?? "", /^step 3, bearer: was .*, is absent/);
});

test("what a service cannot be asked is left out with its reason", async () => {
  const facts = { metadataHosts: ["a.example", "b.example"] };
  const named = spoiled(() => undefined, { facts });
  const left = await replayOn(named, "operator-key-as-mint");
  assert.equal(left.left, "there is no fact /operatorKey, for step 4");
  const real = spoiled(() => undefined, { capabilities: { clock: "real" } });
  assert.equal(
    (await replayOn(real, "session-lifetime")).left,
    "needs a clock that can be moved (capability clock: virtual)",
  );
  assert.equal((await replayOn(real, "happy-path")).drift, undefined);
});

test("a service that cannot be restarted is refused in one line", async () => {
  const stubborn = spoiled(() => undefined, { capabilities: { restart: false } });
  await assert.rejects(replaysOn(stubborn), (error) => {
    assert.ok(error instanceof AdapterFault);
    assert.match(error.message, /^no fixture can be replayed on a service that cannot be restarted/);
    return true;
  });
});

test("proofs are made anew, over the messages of this run", async () => {
  const seen = { message: "", signatureBase64: "" };
  const watched = spoiled(({ body }, call) => {
    if (call.path === "/v1/auth/challenge") seen.message = body.message;
    if (call.path === "/v1/auth/verify")
      ({ signatureBase64: seen.signatureBase64 } = JSON.parse(String(call.body)));
  });
  assert.equal((await replayOn(watched, "happy-path")).drift, undefined);
  const { keys } = fixtureNamed("happy-path");
  const alice = keyPairFrom(Buffer.from(keys["alice"]?.privateKeyHex ?? "", "hex"));
  assert.notEqual(seen.message, exchangeAt("happy-path", 2).response.body["message"]);
  assert.equal(seen.signatureBase64, Buffer.from(alice.sign(Buffer.from(seen.message))).toString("base64"));
  const proofs = golden.fixtures.flatMap((fixture) =>
    exchangesOf(fixture).flatMap(({ substitutions = [] }) => substitutions.filter((one) => "proof" in one)),
  );
  assert.ok(proofs.length > 50);
});
