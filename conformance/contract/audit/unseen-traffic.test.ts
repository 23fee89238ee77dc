import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Recorded, RecordedExchange } from "../../engine/audit/recorded.ts";
import { audited, foundIn, Traffic } from "../../testing/recordings/traffic.ts";
import { type KeyPair, keyPairOf } from "../keys/key-pair.ts";
import { messageBytes } from "../keys/message-bytes.ts";
import { ROUTES } from "../operations.ts";

const ALICE = keyPairOf("alice of the recordings");
const MALLORY = keyPairOf("mallory of the recordings");
const WHOLE = { complete: true };

/** An exchange as it stands in a recording, changed. */
function changed(item: Recorded | undefined, change: Partial<RecordedExchange>): RecordedExchange {
  assert.ok(item?.kind === "exchange");
  return { ...item, ...change };
}

/** Changes how the exchange that was asked last stands in the recording. */
function change(traffic: Traffic, how: (last: RecordedExchange) => Partial<RecordedExchange>): void {
  const last = changed(traffic.items.at(-1), {});
  traffic.items[traffic.items.length - 1] = { ...last, ...how(last) };
}

/** A service that was asked last refused. */
function refuse(traffic: Traffic, status: number, code: string): void {
  traffic.spoil((answer) => Object.assign(answer, { status, body: { code, productionApproved: false } }));
}

/** The body that was asked with last is not in the recording, nor who asked. */
function loseRequest(traffic: Traffic): void {
  change(traffic, ({ request: { method, path } }) => ({
    request: { method, path },
    requestLost: true,
    credentials: "odd",
  }));
}

/** A session that is opened with a bearer of the test's own. */
async function sessionWith(traffic: Traffic, person: KeyPair, bearer: string): Promise<void> {
  await traffic.session(person);
  traffic.spoil((answer) => Object.assign(answer.body, { bearer }));
}

/** Builds with a bearer of the test's own, in place of the one that the service gave. */
async function buildAs(traffic: Traffic, bearer: string, real: string, key: string): Promise<void> {
  await traffic.build(ALICE, real, key);
  change(traffic, ({ request }) => ({ request: { ...request, bearer } }));
}

describe("an audit holds nothing against a service that", () => {
  test("serves whoever sends a bearer where none is asked for, whosever it is", async () => {
    for (const strays of [["challenge", "verify"], ["challenge"], ["verify"]] as const) {
      const traffic = await Traffic.begun();
      const bearer = await traffic.session(ALICE);
      const begin = traffic.items.length;
      await traffic.build(MALLORY, await traffic.session(MALLORY), "mallorys-key-1");
      const paths = strays.map((operation) => ROUTES[operation].path);
      const items = traffic.items.map((item, index) =>
        index >= begin && item.kind === "exchange" && paths.includes(item.request.path)
          ? changed(item, { request: { ...item.request, bearer }, credentials: "bearer" })
          : item,
      );
      assert.deepEqual(foundIn(audited(items, WHOLE)), [], strays.join());
      assert.deepEqual(foundIn(audited(items)), [], strays.join());
    }
  });

  test("uses a challenge up for a proof with a member too many, whoever that names", async () => {
    const traffic = await Traffic.begun();
    const challenge = await traffic.challenge(ALICE);
    await traffic.verify(challenge, ALICE);
    refuse(traffic, 400, "INVALID_FIELDS");
    change(traffic, ({ request }) => {
      const body = JSON.stringify({ ...JSON.parse(String(request.body)), creator: MALLORY.address });
      return { request: { ...request, body } };
    });
    await traffic.verify(challenge, ALICE);
    assert.equal(audited(traffic.items, WHOLE).found, 0);
  });

  test("refused a proof over other bytes than it takes", async () => {
    const traffic = await Traffic.begun();
    await traffic.verify(await traffic.challenge(ALICE), ALICE);
    refuse(traffic, 401, "INVALID_PROOF");
    for (const isSeen of [false, true]) {
      const challenge = await traffic.challenge(ALICE);
      if (!isSeen) traffic.items.pop();
      await traffic.verify(challenge, ALICE);
      const signature = ALICE.sign(messageBytes(challenge.message, "sha256"));
      const signatureBase64 = Buffer.from(signature).toString("base64");
      const body = JSON.stringify({ id: challenge.id, signatureBase64 });
      change(traffic, ({ request }) => ({ request: { ...request, body } }));
    }
    assert.deepEqual(foundIn(audited(traffic.items, { facts: {} })), []);
  });

  test("looks for the bearer before it looks for a route that would send", async () => {
    const traffic = await Traffic.begun();
    await traffic.send({ method: "POST", path: "/v1/launch/send", body: "{}", bearer: "of-long-ago-0001" });
    refuse(traffic, 401, "UNAUTHORIZED");
    assert.deepEqual(foundIn(audited(traffic.items)), []);
    change(traffic, ({ request: { bearer: _, ...request } }) => ({ request, credentials: "none" }));
    await traffic.build(ALICE, "of-long-ago-0001", "some-key-0001");
    assert.deepEqual(foundIn(audited(traffic.items)), ["ENDPOINT-9 3"]);
  });

  test("refuses a bearer where none is asked for, which the recording does not hold", async () => {
    const traffic = await Traffic.begun();
    await traffic.send(ROUTES.platform);
    refuse(traffic, 401, "UNAUTHORIZED");
    await traffic.challenge(ALICE);
    refuse(traffic, 400, "INVALID_FIELDS");
    await traffic.send({ method: "POST", path: "/v1/launch/send", body: "{}" });
    refuse(traffic, 401, "UNAUTHORIZED");
    const outcome = audited(traffic.items);
    assert.deepEqual(foundIn(outcome), []);
    assert.ok(outcome.unknown.some(({ rules, exchanges }) => rules.includes("AUTH-4") && exchanges === 3));
    const [start, profile, ...asked] = traffic.items;
    // Others of the same recording send it: then nobody did here, but in a way of their own.
    await traffic.build(ALICE, "of-long-ago-0001", "some-key-0001");
    const told = ["ENDPOINT-1 3", "ENDPOINT-2 4", "ENDPOINT-9 5"];
    assert.deepEqual(foundIn(audited(traffic.items)).toSorted(), told);
    assert.ok(start !== undefined && profile !== undefined);
    const odd = asked.map((item) => changed(item, { credentials: "odd" }));
    assert.deepEqual(foundIn(audited([start, profile, ...odd, ...traffic.items.slice(-1)])), []);
  });

  test("opened a session whose bearer was not recorded, and serves it to its creator alone", async () => {
    const traffic = await Traffic.begun();
    await traffic.build(MALLORY, await traffic.session(MALLORY), "mallorys-key-1");
    const bearer = await traffic.session(ALICE);
    change(traffic, ({ response }) => ({ response: { status: response?.status ?? 0 } }));
    await traffic.build(MALLORY, bearer, "mallorys-key-2");
    assert.deepEqual(foundIn(audited(traffic.items, WHOLE)), []);
  });

  test("was asked something of which nobody knows whom it was about", async () => {
    const proofs = await Traffic.begun();
    const challenge = await proofs.challenge(ALICE);
    await proofs.verify(challenge, MALLORY);
    loseRequest(proofs);
    await proofs.verify(challenge, ALICE);
    assert.deepEqual(foundIn(audited(proofs.items, WHOLE)), []);

    const builds = await Traffic.begun();
    const bearer = await builds.session(ALICE);
    for (let number = 1; number <= 6; number++) {
      await builds.build(ALICE, bearer, `key-number-${number}`);
      if (number <= 3) loseRequest(builds);
    }
    assert.deepEqual(foundIn(audited(builds.items, WHOLE)), []);
  });

  test("served what was lost before what began earlier", async () => {
    const traffic = await Traffic.begun();
    const challenge = await traffic.challenge(ALICE);
    const startedMs = traffic.nowMs;
    await traffic.verify(challenge, MALLORY);
    const { response: _, ...lost } = changed(traffic.items.pop(), { startedMs: startedMs + 1 });
    await traffic.verify(challenge, ALICE);
    change(traffic, () => ({ startedMs, endedMs: startedMs + 50 }));
    assert.deepEqual(foundIn(audited([...traffic.items, lost], WHOLE)), []);
  });

  test("gives a draft again that lives for a minute, by clocks that are apart", async () => {
    const traffic = await Traffic.begun();
    const bearer = await traffic.session(ALICE);
    const build = async (key: string, first?: { readonly body: object }) => {
      const { body } = await traffic.build(ALICE, bearer, key);
      // Half a minute longer than those of the reference.
      const longer = { ...body, expiresAt: body.expiresAt + 30_000 };
      traffic.spoil((answer) => Object.assign(answer, { status: 200, body: first?.body ?? longer }));
      return { body: longer };
    };
    for (const key of ["key-of-before-1", "key-of-before-2"]) {
      await build(key);
      traffic.nowMs += 20_000;
    }
    const first = await build("kept-for-long");
    traffic.nowMs += 45_000;
    await build("kept-for-long", first);
    for (const skewMs of [0, 40_000]) {
      const skewed = traffic.items.map((item) =>
        item.kind === "exchange"
          ? changed(item, { startedMs: item.startedMs + skewMs, endedMs: item.endedMs + skewMs })
          : item,
      );
      assert.deepEqual(foundIn(audited(skewed)), [], `${skewMs} ms`);
    }
    traffic.nowMs += 30_000;
    await build("kept-for-long", first);
    assert.deepEqual(foundIn(audited(traffic.items)), ["IDEMPOTENCY-41 7,9"]);
    assert.deepEqual(foundIn(audited(traffic.items, { clockDoubtMs: 10_000 })), []);
  });

  test("was restarted before or after what began at that time", async () => {
    const traffic = await Traffic.begun();
    traffic.nowMs += 1000;
    const challenge = await traffic.challenge(ALICE);
    const before = traffic.items.pop();
    await traffic.restart();
    traffic.nowMs += 5000;
    await traffic.verify(challenge, ALICE);
    const startedMs = (before?.startedMs ?? 0) + 50;
    const items = [...traffic.items, changed(before, { startedMs, endedMs: startedMs + 1 })];
    items.sort((a, b) => a.startedMs - b.startedMs);
    assert.deepEqual(foundIn(audited(items, { complete: true, clockDoubtMs: 100 })), []);
    assert.deepEqual(foundIn(audited(items, WHOLE)).length, 1);
  });

  test("refused the first to ask, since it served a crowd before", async () => {
    const traffic = await Traffic.begun();
    const startedMs = traffic.nowMs;
    for (let number = 1; number <= 30; number++) {
      await traffic.challenge(keyPairOf(`one of a crowd, ${number}`));
      if (number === 1) refuse(traffic, 429, "OFFLINE_CAPACITY");
    }
    const together = traffic.items.map((item, index) =>
      index < 2 ? item : changed(item, { startedMs, endedMs: startedMs + 100 }),
    );
    assert.deepEqual(foundIn(audited(together, WHOLE)), []);
    assert.deepEqual(foundIn(audited(traffic.items, WHOLE)), ["ENDPOINT-2 3"]);
  });

  test("gives a creator bearers by turns, or is recorded under masks of several", async () => {
    for (const bearers of [
      ["bearer-by-turns-1", "bearer-by-turns-2", "bearer-by-turns-1"],
      ["masked:of-the-first-key-0", "masked:of-another-key-000", "masked:of-another-key-000"],
    ]) {
      const traffic = await Traffic.begun();
      const [first = "", second = "", third = ""] = bearers;
      const real = await traffic.session(ALICE);
      traffic.spoil((answer) => Object.assign(answer.body, { bearer: first }));
      await sessionWith(traffic, ALICE, second);
      change(traffic, () => ({ source: { file: "another", line: 1 } }));
      await buildAs(traffic, first, real, "some-key-0001");
      await sessionWith(traffic, ALICE, third);
      traffic.nowMs += 3_660_000;
      const unseen = await traffic.session(ALICE);
      traffic.items.splice(-2);
      await buildAs(traffic, first, unseen, "some-key-0002");
      assert.deepEqual(foundIn(audited(traffic.items)), [], bearers.join());
    }
  });
});

describe("an audit allows for", () => {
  test("a challenge that stands behind its use, where both are of one second", async () => {
    const traffic = await Traffic.begun();
    await traffic.session(ALICE);
    const inOneSecond = traffic.items.map((item) =>
      item.kind === "exchange" ? changed(item, { endedMs: item.startedMs + 999 }) : item,
    );
    const [challenge, proof] = inOneSecond.splice(-2);
    const items = [...inOneSecond, ...[proof, challenge].flatMap((item) => item ?? [])].map((item) => ({
      ...item,
      startedMs: traffic.items[0]?.startedMs ?? 0,
    }));
    assert.deepEqual(foundIn(audited(items, WHOLE)), []);
    const apart = items.map((item, index) => ({ ...item, startedMs: item.startedMs + 2000 * index }));
    const ended = apart.map((item) =>
      item.kind === "exchange" ? changed(item, { endedMs: item.startedMs }) : item,
    );
    assert.deepEqual(foundIn(audited(ended, WHOLE)), ["VERIFY-12 4"]);
  });

  test("a restart at some time of a second", async () => {
    const traffic = await Traffic.begun();
    const bearer = await traffic.secondSession(ALICE);
    traffic.nowMs += 5000;
    await traffic.build(ALICE, bearer, "some-key-0001");
    const [build] = traffic.items.splice(-1);
    const startedMs = traffic.nowMs - 500;
    const restart: Recorded = { kind: "restart", source: { file: "traffic", line: 9 }, startedMs };
    assert.equal(audited([...traffic.items, restart, ...[build ?? []].flat()]).found, 1);
    const blurred = { ...restart, endedMs: startedMs + 999 };
    assert.deepEqual(foundIn(audited([...traffic.items, blurred, ...[build ?? []].flat()])), []);
  });

  test("what was in flight at a restart, and what came of it", async () => {
    const traffic = await Traffic.begun();
    const bearer = await traffic.session(ALICE);
    traffic.nowMs += 1000;
    await traffic.restart();
    const challenge = await traffic.challenge(ALICE);
    const last = changed(traffic.items.pop(), {});
    await traffic.verify(challenge, ALICE);
    traffic.nowMs += 5000;
    const restartMs = traffic.items[4]?.startedMs ?? 0;
    const begun = traffic.items.toSpliced(4, 0, { ...last, startedMs: restartMs - 5 });
    assert.deepEqual(foundIn(audited(begun, WHOLE)), []);

    await traffic.build(ALICE, bearer, "some-key-0001");
    const refused = changed(traffic.items.pop(), { startedMs: restartMs - 5, endedMs: restartMs + 5 });
    const late = await Traffic.begun();
    late.nowMs = traffic.nowMs + 60_000;
    await late.session(MALLORY);
    const before = [...traffic.items.slice(0, 4), refused, ...traffic.items.slice(4, 6)];
    assert.deepEqual(foundIn(audited([...before, ...late.items.slice(1)], WHOLE)), []);
  });

  test("what was recorded by clocks that are apart before it was given, or lost", async () => {
    const traffic = await Traffic.begun();
    await traffic.session(MALLORY);
    await traffic.challenge(ALICE);
    await traffic.verify(JSON.parse(String(changed(traffic.items.at(-1), {}).response?.body)), ALICE);
    const bearer = String(JSON.parse(String(changed(traffic.items.at(-1), {}).response?.body)).bearer);
    await traffic.build(MALLORY, bearer, "some-key-0001");
    const [challenge, proof, build] = traffic.items.splice(-3);
    const options = { complete: true, clockDoubtMs: 100 };
    const early = (item: Recorded | undefined) => {
      const startedMs = (item?.startedMs ?? 0) - 50;
      return changed(item, { startedMs, endedMs: startedMs + 1 });
    };
    const items = [early(build), ...traffic.items, challenge, proof].flatMap((item) => item ?? []);
    items.sort((a, b) => a.startedMs - b.startedMs);
    assert.deepEqual(foundIn(audited(items, options)), []);
    const { response: _, ...lost } = changed(challenge, {});
    const used = [...traffic.items, early(proof), lost];
    used.sort((a, b) => a.startedMs - b.startedMs);
    assert.deepEqual(foundIn(audited(used, options)), []);
  });

  test("a clock of the service that was read at a restart before what was in flight was served", async () => {
    const traffic = await Traffic.begun();
    traffic.nowMs += 1000;
    await traffic.restart();
    await traffic.session(ALICE);
    const restartMs = traffic.items[2]?.startedMs ?? 0;
    const onClock = traffic.items.map((item) => ({ ...item, clockMs: item.startedMs }));
    const [challenge] = onClock.splice(-2, 1);
    const inFlight = changed(challenge, { startedMs: restartMs - 5, endedMs: restartMs + 5 });
    assert.deepEqual(
      foundIn(audited(onClock.toSpliced(2, 0, { ...inFlight, clockMs: restartMs + 4 }), WHOLE)),
      [],
    );
  });

  test("what overlaps in a history whose order turns out to be another", async () => {
    const traffic = await Traffic.begun();
    traffic.nowMs += 1000;
    await traffic.restart();
    const restarted = traffic.items[2];
    const bearer = await traffic.session(ALICE);
    traffic.nowMs += 10_000;
    const nowMs = traffic.nowMs;
    await traffic.build(ALICE, bearer, "some-key-0001");
    await traffic.build(ALICE, bearer, "some-key-0002");
    await traffic.session(ALICE);
    const [challenge, proof] = traffic.items.splice(-2);
    const items = [
      ...traffic.items.filter((item) => item !== restarted),
      ...[restarted ?? []].flat().map((item) => ({ ...item, startedMs: item.startedMs + 300 })),
      changed(challenge, { startedMs: nowMs - 60, endedMs: nowMs + 300 }),
      changed(proof, { startedMs: nowMs - 44, endedMs: nowMs - 43 }),
    ].sort((one, other) => one.startedMs - other.startedMs);
    assert.deepEqual(foundIn(audited(items, { complete: true, clockDoubtMs: 600 })), []);
  });

  test("a bearer that was refused in another's name, and was given again to its creator", async () => {
    const traffic = await Traffic.begun();
    const bearer = await traffic.session(ALICE);
    await traffic.restart();
    await traffic.build(MALLORY, bearer, "some-key-0001");
    const unseen = await traffic.session(ALICE);
    traffic.items.splice(-2);
    await buildAs(traffic, bearer, unseen, "some-key-0002");
    assert.deepEqual(foundIn(audited(traffic.items)), []);
  });

  test("clocks that are apart, also where one of them is the service's own", async () => {
    const traffic = await Traffic.begun();
    const challenge = await traffic.challenge(ALICE);
    const onClock = traffic.items.map((item) => ({ ...item, clockMs: item.startedMs }));
    traffic.nowMs += 58_000;
    await traffic.verify(challenge, ALICE);
    const last = changed(traffic.items.at(-1), {});
    const fast = { ...last, startedMs: last.startedMs + 5000, endedMs: last.endedMs + 5000 };
    assert.deepEqual(foundIn(audited([...onClock, fast], { clockDoubtMs: 10_000 })), []);
    assert.deepEqual(foundIn(audited([...onClock, fast])), ["CHALLENGE-21 3,4"]);
  });

  test("a mint that is a key of a platform whose profile nobody saw", async () => {
    const traffic = await Traffic.begun();
    const bearer = await traffic.session(ALICE);
    const mint = keyPairOf("fee wallet of the recordings").address;
    await traffic.build(ALICE, bearer, "some-key-0001");
    change(traffic, ({ request }) => ({
      request: { ...request, body: JSON.stringify({ ...JSON.parse(String(request.body)), mint }) },
    }));
    refuse(traffic, 400, "INVALID_FIELDS");
    const facts = { metadataHosts: ["gateway-a.example", "gateway-b.example"], operatorKey: MALLORY.address };
    const unseen = traffic.items.filter((_, index) => index !== 1);
    assert.deepEqual(foundIn(audited(unseen, { facts: facts as never })), []);
    assert.deepEqual(foundIn(audited(traffic.items, { facts: facts as never })), ["ENDPOINT-4 5"]);
  });
});
