import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Recorded } from "../../engine/audit/recorded.ts";
import { audited, foundIn, Traffic } from "../../testing/recordings/traffic.ts";
import { keyPairOf } from "../keys/key-pair.ts";
import { ROUTES } from "../operations.ts";

const ALICE = keyPairOf("alice of the recordings");
const MALLORY = keyPairOf("mallory of the recordings");

/** Traffic in which everything is right: two sessions, a retry, a conflict, what expires, and a restart. */
async function legalTraffic(isMarked = true): Promise<Traffic> {
  const traffic = await Traffic.begun();
  const bearer = await traffic.session(ALICE);
  await traffic.build(ALICE, bearer, "first-key");
  await traffic.build(ALICE, bearer, "first-key");
  await traffic.build(ALICE, bearer, "first-key", "Other Coin");
  await traffic.verify(await traffic.challenge(ALICE), MALLORY);
  traffic.nowMs += 35_000;
  await traffic.build(ALICE, bearer, "first-key");
  await traffic.restart(isMarked);
  await traffic.build(ALICE, bearer, "first-key");
  const again = await traffic.session(ALICE);
  await traffic.build(ALICE, again, "first-key", "Third Coin");
  return traffic;
}

/** The same traffic, by a service that gives a creator the same bearer again: always, or until it is restarted. */
function withSameBearers(items: readonly Recorded[], isUntilRestart: boolean): readonly Recorded[] {
  const bearers = new Map<string, string>();
  let run = 0;
  return items.map((item) => {
    if (item.kind === "restart") run += 1;
    if (item.kind === "restart" || item.response === undefined) return item;
    const { bearer: given } = JSON.parse(String(item.response.body)) as { readonly bearer?: string };
    if (given !== undefined) bearers.set(given, isUntilRestart ? `bearer-of-run-${run}` : "bearer-of-alice");
    const { bearer = "" } = item.request;
    const body = String(item.response.body).replace(given ?? "none", bearers.get(given ?? "") ?? "none");
    return {
      ...item,
      request: bearers.has(bearer) ? { ...item.request, bearer: bearers.get(bearer) ?? "" } : item.request,
      response: { ...item.response, body },
    };
  });
}

/** Alice signs in again while her session lives, before and after a restart, and each time builds again. */
async function manySessions(): Promise<Traffic> {
  const traffic = await Traffic.begun();
  for (let run = 0; run < 2; run++) {
    let earlier: string | undefined;
    for (const minutes of [0, 40, 40]) {
      traffic.nowMs += minutes * 60_000;
      const bearer = await traffic.session(ALICE);
      await traffic.build(ALICE, bearer, `key-${run}-${traffic.nowMs}`);
      await traffic.build(ALICE, earlier, `key-${run}-${traffic.nowMs}`);
      earlier = bearer;
    }
    if (run === 0) await traffic.restart();
  }
  return traffic;
}

describe("an audit finds nothing", () => {
  test("in right traffic, of which nothing is missing", async () => {
    const { items } = await legalTraffic();
    const outcome = audited(items, { complete: true });
    assert.deepEqual(foundIn(outcome), []);
    assert.deepEqual([outcome.exchanges, outcome.judged, outcome.restarts], [14, 14, 2]);
    assert.deepEqual(outcome.unknown, []);
  });

  test("wherever a recording begins, and says what it does not know", async () => {
    const { items } = await legalTraffic(false);
    for (const begin of items.keys())
      assert.deepEqual(foundIn(audited(items.slice(begin))), [], `from ${begin}`);
    const { unknown } = audited(items.slice(4));
    assert.ok(unknown.some(({ rules }) => rules.includes("SESSION-7")));
  });

  test("whichever exchange is missing", async () => {
    const { items } = await legalTraffic(false);
    for (const gap of items.keys())
      assert.deepEqual(foundIn(audited(items.toSpliced(gap, 1))), [], `without ${gap}`);
  });

  test("where a creator is given the same bearer again, and nobody saw it", async () => {
    for (const traffic of [await legalTraffic(), await manySessions()]) {
      for (const isUntilRestart of [false, true]) {
        const items = withSameBearers(traffic.items, isUntilRestart);
        for (const unmarked of [items, items.filter(({ kind }) => kind === "exchange")]) {
          assert.deepEqual(foundIn(audited(unmarked)), []);
          for (const gap of unmarked.keys()) {
            const isKept = (_: Recorded, index: number) => index !== gap && index !== gap + 1;
            assert.deepEqual(foundIn(audited(unmarked.toSpliced(gap, 1))), [], `without ${gap}`);
            assert.deepEqual(foundIn(audited(unmarked.filter(isKept))), [], `without ${gap} and the next`);
          }
        }
      }
    }
  });

  test("in what overlaps, and may have been served in another order", async () => {
    const traffic = await Traffic.begun();
    const bearer = await traffic.session(ALICE);
    const beganMs = traffic.nowMs;
    await traffic.build(ALICE, bearer, "one-key-01");
    await traffic.build(ALICE, bearer, "one-key-01", "Other Coin");
    const [draft, conflict] = traffic.items.splice(-2);
    assert.ok(draft?.kind === "exchange" && conflict?.kind === "exchange");
    const together = [
      { ...conflict, startedMs: beganMs, endedMs: beganMs + 50 },
      { ...draft, startedMs: beganMs + 10, endedMs: beganMs + 20 },
    ];
    const options = { complete: true };
    assert.deepEqual(foundIn(audited([...traffic.items, ...together], options)), []);
    const apart = [together[0], { ...draft, startedMs: beganMs + 60, endedMs: beganMs + 70 }];
    assert.equal(audited([...traffic.items, ...apart.flatMap((one) => one ?? [])], options).found, 1);
    assert.equal(
      audited([...traffic.items, ...apart.flatMap((one) => one ?? [])], { complete: true, clockDoubtMs: 100 })
        .found,
      0,
    );
  });

  test("in what is whole, but told by clocks that are apart, or without an answer that gave an id", async () => {
    const traffic = await legalTraffic();
    const challenge = await traffic.challenge(MALLORY);
    await traffic.verify(challenge, MALLORY);
    traffic.nowMs += 500;
    await traffic.verify(challenge, MALLORY);
    const { items } = traffic;
    const isChallenge = (item: Recorded) =>
      item.kind === "exchange" && item.request.path === ROUTES.challenge.path;
    const skewed = items
      .map((item) =>
        item.kind === "exchange" && !isChallenge(item)
          ? { ...item, startedMs: item.startedMs - 90, endedMs: item.endedMs - 90 }
          : item,
      )
      .sort((a, b) => a.startedMs - b.startedMs);
    assert.deepEqual(foundIn(audited(skewed, { complete: true, clockDoubtMs: 100 })), []);
    const lost = items.map((item) => {
      if (item.kind !== "exchange" || !isChallenge(item)) return item;
      const { response: _, ...rest } = item;
      return rest;
    });
    assert.deepEqual(foundIn(audited(lost, { complete: true })), []);
  });

  test("where headers were taken out, answers are missing, or a gateway answered", async () => {
    const traffic = await Traffic.begun();
    const bearer = await traffic.session(ALICE);
    await traffic.build(ALICE, bearer, "some-key-01", "Demo Coin", {
      response: { status: 502, body: "<h1>Bad Gateway</h1>" },
    });
    await traffic.build(ALICE, bearer, "some-key-02");
    const bare = traffic.items.map((item) => {
      if (item.kind !== "exchange") return item;
      const { bearer: _, ...request } = item.request;
      return { ...item, request, credentials: "none" as const };
    });
    const outcome = audited(bare);
    assert.deepEqual(foundIn(outcome), []);
    const told = outcome.unknown.map(({ what, exchanges }) => [what.slice(0, 27), exchanges]);
    assert.deepEqual(told.slice(0, 2), [
      ["no answer of the service wa", 1],
      ["the recording holds no Auth", 1],
    ]);
  });

  test("where signatures and bearers are masked", async () => {
    const traffic = await Traffic.begun();
    const challenge = await traffic.challenge(ALICE);
    await traffic.verify(challenge, ALICE, { proof: "holds" });
    const last = traffic.items.at(-1);
    assert.ok(last?.kind === "exchange");
    const body = String(last.request.body).replace(/("signatureBase64":")[^"]+/, "$1masked:0123456789abcdef");
    const masked = { ...last, request: { ...last.request, body } };
    const before = traffic.items.slice(0, -1);
    assert.deepEqual(foundIn(audited([...before, masked])), []);
    assert.deepEqual(foundIn(audited([...before, { ...masked, proof: "fails" as const }])), [
      "VERIFY-10 3,4",
    ]);
    const { proof: _, ...silent } = masked;
    const outcome = audited([...before, silent]);
    assert.deepEqual([foundIn(outcome), outcome.unknown.map(({ exchanges }) => exchanges)], [[], [1]]);
  });
});

describe("an audit of a recording in part finds", () => {
  test("a challenge that opens two sessions, with the two alone", async () => {
    const traffic = await Traffic.begun();
    await traffic.session(MALLORY);
    const challenge = await traffic.challenge(ALICE);
    const first = await traffic.verify(challenge, ALICE);
    await traffic.session(MALLORY);
    await traffic.verify(challenge, ALICE);
    traffic.spoil((answer) =>
      Object.assign(answer, first, { body: { ...first.body, bearer: "another-bearer-than-the-first" } }),
    );
    assert.deepEqual(foundIn(audited(traffic.items)), ["CHALLENGE-22 6,9"]);
    const unseen = traffic.items.filter((_, index) => index !== 4);
    assert.deepEqual(foundIn(audited(unseen)), ["CHALLENGE-22 6,9"]);
  });

  test("a proof that is taken when its challenge is over", async () => {
    const traffic = await Traffic.begun();
    const challenge = await traffic.challenge(ALICE);
    const answer = (await traffic.verify(await traffic.challenge(MALLORY), MALLORY)).body;
    traffic.nowMs += 70_000;
    await traffic.verify(challenge, ALICE);
    traffic.spoil((spoilt) =>
      Object.assign(spoilt, { status: 200, body: { ...answer, bearer: "late-bearer-of-alice-1234" } }),
    );
    assert.deepEqual(foundIn(audited(traffic.items)), ["CHALLENGE-21 3,6"]);
    assert.deepEqual(foundIn(audited(traffic.items, { clockDoubtMs: 10_000 })), []);
  });

  test("a route that sends, by whatever method, and none that sends nothing", async () => {
    for (const [method, path, found] of [
      ["PUT", "/v1/send", ["ENDPOINT-9 3"]],
      ["GET", "/v1/launch/claims", ["ENDPOINT-11 3"]],
      ["POST", "/v1/resend", []],
      ["PUT", "/v1/platform", []],
      ["LINK", "/v1/send", []],
    ] as const) {
      const traffic = await Traffic.begun();
      await traffic.send({ method, path });
      traffic.spoil((answer) => Object.assign(answer, { status: 200, body: { productionApproved: false } }));
      assert.deepEqual(foundIn(audited(traffic.items)), found, `${method} ${path}`);
    }
  });

  test("a draft that is given a second after its end, where the service's own clock is known", async () => {
    const traffic = await Traffic.begun();
    const bearer = await traffic.session(ALICE);
    for (const key of ["key-of-before-1", "key-of-before-2"]) {
      await traffic.build(ALICE, bearer, key);
      traffic.nowMs += 20_000;
    }
    const { status, body } = await traffic.build(ALICE, bearer, "kept-too-long");
    const issuedMs = traffic.items.at(-1)?.startedMs ?? 0;
    for (const [ms, found] of [
      [30_999, []],
      [31_000, ["IDEMPOTENCY-41 7,8"]],
    ] as const) {
      const items = traffic.items.slice();
      await traffic.build(ALICE, bearer, "kept-too-long");
      traffic.spoil((answer) => Object.assign(answer, { status, body }));
      const last = traffic.items.pop();
      assert.ok(last?.kind === "exchange");
      const startedMs = issuedMs + ms;
      const onClock = [...items, { ...last, startedMs, endedMs: startedMs }].map((item) => ({
        ...item,
        clockMs: item.startedMs,
      }));
      assert.deepEqual(foundIn(audited(onClock)), found, `${ms} ms`);
    }
  });

  test("another draft under a key, and other input", async () => {
    for (const [name, rule] of [
      ["Demo Coin", "IDEMPOTENCY-5"],
      ["Other Coin", "IDEMPOTENCY-10"],
    ] as const) {
      const traffic = await Traffic.begun();
      await traffic.session(ALICE);
      const bearer = await traffic.session(ALICE);
      // Three drafts show how far ahead of the clock new ones expire.
      for (const key of ["key-of-before-1", "key-of-before-2", "key-of-before-3", "key-of-before-4"]) {
        traffic.nowMs += 20_000;
        await traffic.build(ALICE, bearer, key);
      }
      const { body } = await traffic.build(ALICE, bearer, "the-same-key", name);
      const again = await traffic.build(ALICE, bearer, "the-same-key");
      const draft = { ...body, expiresAt: body.expiresAt + 1, messageHash: body.messageHash };
      if (again.status !== 200 || name === "Demo Coin")
        traffic.spoil((answer) => Object.assign(answer, { status: 200, body: draft }));
      assert.deepEqual(foundIn(audited(traffic.items)), [`${rule} 11,12`]);
      // A session that was opened in between may have come after a restart.
      const elsewhere = traffic.items.map((item) =>
        item === traffic.items.at(-1) && item.kind === "exchange"
          ? { ...item, request: { ...item.request, bearer: "of-another-session-1" } }
          : item,
      );
      assert.deepEqual(foundIn(audited(elsewhere)), []);
    }
  });

  test("a session of another creator, and one that is over", async () => {
    const traffic = await Traffic.begun();
    const bearer = await traffic.secondSession(ALICE);
    const { body } = await traffic.build(ALICE, bearer, "alices-key-1");
    const theirs = await traffic.session(MALLORY);
    await traffic.build(ALICE, theirs, "alices-key-2");
    traffic.spoil((answer) => Object.assign(answer, { status: 200, body }));
    const rules = foundIn(audited(traffic.items)).map((told) => told.split(" ")[0]);
    assert.ok(rules.includes("LAUNCH-6"), String(rules));
    traffic.nowMs += 3_700_000;
    await traffic.build(ALICE, bearer, "alices-key-3");
    traffic.spoil((answer) => Object.assign(answer, { status: 200, body }));
    const [last] = foundIn(audited(traffic.items)).slice(-1);
    assert.match(last ?? "", /^SESSION-8 /);
  });

  test("a session that is refused, and works again", async () => {
    const traffic = await Traffic.begun();
    const bearer = await traffic.secondSession(ALICE);
    await traffic.build(ALICE, bearer, "some-key-001");
    traffic.spoil((answer) =>
      Object.assign(answer, { status: 401, body: { code: "UNAUTHORIZED", productionApproved: false } }),
    );
    assert.deepEqual(foundIn(audited(traffic.items)), []);
    await traffic.build(ALICE, bearer, "some-key-002");
    assert.deepEqual(foundIn(audited(traffic.items)), ["SESSION-6 8,9"]);
  });

  test("a session that outlives a restart, where no creator was given a bearer again", async () => {
    const traffic = await Traffic.begun();
    const bearer = await traffic.secondSession(ALICE);
    const { body } = await traffic.build(ALICE, bearer, "some-key-001");
    await traffic.restart();
    await traffic.build(ALICE, bearer, "some-key-001");
    traffic.spoil((answer) => Object.assign(answer, { status: 200, body }));
    assert.deepEqual(foundIn(audited(traffic.items)), ["SESSION-10 8,9,11"]);
    // Of one session alone nobody can say whether its bearer is given again.
    const of = [traffic.items.slice(0, 2), traffic.items.slice(4, 6), traffic.items.slice(7)].flat();
    const outcome = audited(of);
    assert.deepEqual(foundIn(outcome), []);
    assert.ok(outcome.unknown.some(({ rules }) => rules.includes("SESSION-10")));
  });

  test("what is wrong with an answer by itself", async () => {
    const traffic = await Traffic.begun();
    traffic.spoil(({ body }) => Object.assign(body, { productionApproved: true }));
    await traffic.challenge(ALICE);
    traffic.spoil((answer) => Object.assign(answer, { status: 500, body: { error: "oops" } }));
    const rules = foundIn(audited(traffic.items)).map((told) => told.split(" ")[0]);
    assert.deepEqual(rules, ["SERVICE-2", "ENDPOINT-5", "SERVICE-2"]);
  });
});

describe("an audit of a recording of which nothing is missing finds", () => {
  test("a session that is refused too soon, and a build that nothing forbids", async () => {
    const traffic = await Traffic.begun();
    const bearer = await traffic.session(ALICE);
    await traffic.build(ALICE, bearer, "some-key-001");
    traffic.spoil((answer) =>
      Object.assign(answer, { status: 401, body: { code: "UNAUTHORIZED", productionApproved: false } }),
    );
    assert.deepEqual(foundIn(audited(traffic.items, { complete: true })), ["SESSION-5 4,5"]);
  });

  test("a limit that comes too soon, or never", async () => {
    const traffic = await Traffic.begun();
    const bearer = await traffic.session(ALICE);
    await traffic.build(ALICE, bearer, "key-number-1");
    traffic.spoil((answer) =>
      Object.assign(answer, { status: 429, body: { code: "OFFLINE_RATE_LIMIT", productionApproved: false } }),
    );
    assert.deepEqual(foundIn(audited(traffic.items, { complete: true })), ["LIMIT-8 4,5"]);
    const endless = await Traffic.begun();
    const other = await endless.session(ALICE);
    for (let number = 1; number <= 11; number++) {
      await endless.build(ALICE, other, `key-number-${number}`);
      endless.nowMs += 61_000;
    }
    const quick = endless.items.map((item, index) => {
      const startedMs = item.startedMs - 61_000 * Math.max(0, index - 4);
      return item.kind === "exchange" ? { ...item, startedMs, endedMs: startedMs + 1 } : item;
    });
    const rules = audited(quick, { complete: true }).findings.map((finding) => finding.rules[0]);
    assert.deepEqual(rules, ["LIMIT-6"]);
    assert.deepEqual(foundIn(audited(quick)), []);
  });
});
