import assert from "node:assert/strict";
import { test } from "node:test";
import type { Service, ServiceModule } from "../../adapters/in-process.ts";
import { contract } from "../../testing/contract-data.ts";
import { reference, spoiled } from "../../testing/reference.ts";
import { runWith, suitesOf } from "../../testing/run-vectors.ts";
import type { Report } from "./report.ts";

const SUITE = `suite: sample
vectors:
  - { id: profile, title: gives a profile, rules: [PLATFORM-1], steps: [{ platform: }] }
  - { id: session, title: opens a session, rules: [SESSION-1], steps: [{ session: { for: alice } }] }
  - id: lifetime
    title: a challenge lives for a minute
    rules: [CHALLENGE-21]
    steps:
      - challenge: { for: alice }
        as: issued
      - advance: { just-after: 60s, since: $issued }
      - verify: { challenge: $issued }
        expect: 401 EXPIRED_OR_USED_CHALLENGE
  - { id: restart, title: starts anew, rules: [SESSION-10], steps: [{ restart: true }, { platform: }] }
  - { id: draft, title: builds a draft, rules: [DRAFT-1], steps: [{ build: { by: alice } }] }
`;
const outcomes = ({ results }: Report) =>
  results.map(({ id, outcome }) => `${id.slice(id.indexOf("/") + 1)} ${outcome}`);
const CAPABILITIES = { clock: "virtual", restart: true, rawBody: true, concurrency: true };

test("the same run gives the same report", async (context) => {
  const suites = suitesOf(context, SUITE);
  const [one, two] = [await runWith({ suites }), await runWith({ suites })];
  // The reference draws its ids and bearers at random; they show in no report of a run without failures.
  assert.deepEqual(one, two);
  assert.deepEqual(outcomes(one), [
    "profile passed",
    "session passed",
    "lifetime passed",
    "restart passed",
    "draft passed",
  ]);
  assert.deepEqual(one.suite, { version: "0.0.0", digest: suites.digest, expected: 5, executed: 5 });
});

test("vectors are played by seed: the same seed gives the same creators, another gives others", async (context) => {
  const suites = suitesOf(context, SUITE);
  const creators = async (seed: number) => {
    const seen: string[] = [];
    const spy = spoiled((_, call) => {
      if (call.path === "/v1/auth/challenge") seen.push(JSON.parse(String(call.body)).creator);
    });
    // A service that can be started anew is also asked how much it holds, by creators who come more than once.
    const capabilities = { clock: "virtual", restart: false, rawBody: true, concurrency: true } as const;
    await runWith({ suites, seed }, { ...spy, capabilities });
    // The first is the one by whom time is measured, before there are vectors.
    return seen.filter((creator) => creator !== seen[0]);
  };
  assert.deepEqual(await creators(7), await creators(7));
  const [some, others] = [await creators(7), await creators(8)];
  assert.ok(some.length >= 3, `${some.length} creators`);
  assert.deepEqual(
    some.filter((creator) => others.includes(creator)),
    [],
  );
  assert.equal(new Set(some).size, some.length, "no two vectors share a creator");
});

test("--only plays what it names, and the rest is as if it were not there", async (context) => {
  const report = await runWith({ suites: suitesOf(context, SUITE), only: ["sample/dr*"] });
  assert.deepEqual(outcomes(report), ["draft passed"]);
  assert.deepEqual([report.suite.expected, report.verdict, report.exitStatus], [1, "undecided", 0]);
  assert.deepEqual(report.selection, { only: ["sample/dr*"], chosen: 1, of: 5, outcome: "passed" });
});

test("a selection of which nothing was tried, or that was stopped, has not passed", async (context) => {
  const suites = suitesOf(context, SUITE);
  const unable = { ...reference, capabilities: { ...CAPABILITIES, restart: false } };
  const skipped = await runWith({ suites, only: ["sample/restart"] }, unable);
  assert.deepEqual(skipped.totals, { passed: 0, failed: 0, skipped: 1, error: 0 });
  assert.deepEqual([skipped.selection?.outcome, skipped.exitStatus], ["undecided", 4]);
  let asked = 0;
  const stopped = () => (asked++ > 0 ? "interrupted" : undefined);
  const cut = await runWith({ suites, only: ["sample"], stopped });
  assert.deepEqual([cut.totals.passed, cut.selection?.outcome, cut.exitStatus], [1, "undecided", 4]);
  const failing = await runWith(
    { suites, only: ["sample/draft"] },
    spoiled(() => assert.fail("out of luck")),
  );
  assert.deepEqual([failing.selection?.outcome, failing.exitStatus], ["undecided", 3]);
});

test("--only with a pattern that matches nothing runs nothing at all", async (context) => {
  let calls = 0;
  const spy = spoiled(() => void calls++);
  const running = runWith({ suites: suitesOf(context, SUITE), only: ["sample/draft", "sampel/*"] }, spy);
  await assert.rejects(running, { name: "DataError", message: /^--only: sampel\/\* matches no vector/ });
  assert.equal(calls, 0);
});

test("--bail stops at the first failure: the rest is skipped, and that is no error", async (context) => {
  const broken = spoiled((answer) => {
    if (answer.body.scope !== undefined) answer.body.bearer = "";
  });
  const report = await runWith({ suites: suitesOf(context, SUITE), bail: true }, broken);
  assert.deepEqual(outcomes(report), [
    "profile passed",
    "session failed",
    "lifetime skipped",
    "restart skipped",
    "draft skipped",
  ]);
  assert.equal(report.results[2]?.reason, "not run: stopped at the first failure (--bail)");
  assert.deepEqual([report.exitStatus, report.suite.executed], [1, 2]);
});

test("--bail goes on where a vector fails on the way to what it is about, since that is told last", async (context) => {
  const broken = spoiled((answer) => {
    if (answer.body.mode !== undefined) answer.body.mode = "ONLINE";
    if (answer.body.scope !== undefined) answer.status = 429;
  });
  const suite = SUITE.replace(/ {2}- \{ id: profile.*\n/, "").replace(/ {2}- \{ id: session.*\n/, "");
  const last = "  - { id: profile, title: gives a profile, rules: [PLATFORM-1], steps: [{ platform: }] }\n";
  const report = await runWith({ suites: suitesOf(context, suite + last), bail: true }, broken);
  assert.deepEqual(outcomes(report), ["lifetime passed", "restart passed", "draft failed", "profile failed"]);
});

test("an interrupted run says what it did not reach", async (context) => {
  let played = 0;
  const report = await runWith({
    suites: suitesOf(context, SUITE),
    stopped: () => (played >= 2 ? "not run: interrupted (Ctrl-C)" : undefined),
    onResult: () => void played++,
  });
  assert.deepEqual(report.totals, { passed: 2, failed: 0, skipped: 3, error: 0 });
  assert.deepEqual(
    [report.results[4]?.reason, report.verdict],
    ["not run: interrupted (Ctrl-C)", "undecided"],
  );
});

test("every result is told as it comes, with how many there are", async (context) => {
  const told: string[] = [];
  const suites = suitesOf(context, SUITE);
  await runWith({ suites, onResult: ({ id }, done, total) => told.push(`${id.slice(7)} ${done}/${total}`) });
  assert.deepEqual(told, ["profile 1/5", "session 2/5", "lifetime 3/5", "restart 4/5", "draft 5/5"]);
});

test("a service that cannot restart plays the rest on one service, its clock moved on in between", async (context) => {
  const starts: number[] = [];
  const issued = new Set<number>();
  let now = () => 0;
  const once = spoiled(
    (_, { path }) => {
      if (path === "/v1/auth/challenge") issued.add(now());
    },
    { capabilities: { ...CAPABILITIES, restart: false } },
  );
  const counted: ServiceModule = {
    ...once,
    createService: (options) => {
      now = options.now;
      starts.push(now());
      return once.createService(options);
    },
  };
  const report = await runWith({ suites: suitesOf(context, SUITE) }, counted);
  assert.deepEqual(outcomes(report), [
    "profile passed",
    "session passed",
    "lifetime passed",
    "restart skipped",
    "draft passed",
  ]);
  assert.equal(starts.length, 1);
  // Those before are of the measurement of time.
  const moments = [...issued].slice(-3);
  for (const [index, moment] of moments.slice(1).entries())
    assert.ok(moment - (moments[index] ?? 0) > 3_600_000, "the longest lifetime lies between two vectors");
});

test("on a real clock, vectors share one service and their waits pass side by side", async (context) => {
  const clock = { now: Date.UTC(2026, 9, 10, 12, 0, 7, 137) };
  const sleep = async (ms: number) => {
    const until = clock.now + ms;
    while (clock.now < until) {
      await new Promise(setImmediate);
      clock.now = Math.min(until, clock.now + 100);
    }
  };
  const service: ServiceModule = {
    facts: reference.facts,
    capabilities: { ...CAPABILITIES, clock: "real" },
    createService: () => reference.createService({ now: () => clock.now }) as Service,
  };
  const report = await runWith(
    { suites: suitesOf(context, SUITE), time: { now: () => clock.now, sleep } },
    service,
  );
  assert.deepEqual(outcomes(report), [
    "profile passed",
    "session passed",
    "lifetime passed",
    "restart passed",
    "draft passed",
  ]);
  assert.equal(report.durationMs, 61_250);
});

test("a service that counts whole seconds is measured, and may be early by less than one", async (context) => {
  const coarse = (late: number): ServiceModule => ({
    facts: reference.facts,
    createService: ({ now }) =>
      reference.createService({ now: () => Math.floor((now() - late) / 1000) * 1000 }) as Service,
  });
  const suites = suitesOf(context, SUITE);
  const only = ["sample/lifetime"];
  const report = await runWith({ suites, only }, coarse(0));
  assert.deepEqual(outcomes(report), ["lifetime passed", "clock passed"]);
  assert.deepEqual(
    report.advice.map(({ rule }) => rule),
    Array(3).fill(["SERVICE-10", "SERVICE-20"]).flat(),
  );
  assert.deepEqual(
    report.lifetimes?.map(({ stepMs, earlyMs, lateMs }) => [stepMs, earlyMs, lateMs]),
    Array(3).fill([1000, 999, 0]),
  );
  assert.deepEqual(outcomes(await runWith({ suites, only }, coarse(2_000))), [
    "lifetime failed",
    "clock failed",
  ]);
});

test("moments may be written in a coarser form than the clock counts, which is measured all the same", async (context) => {
  const rounded = spoiled((answer) => {
    const { scope, expiresAt } = answer.body;
    if (scope !== undefined)
      answer.body.expiresAt = new Date(Math.ceil(Date.parse(expiresAt) / 1000) * 1000).toISOString();
  });
  const report = await runWith({ suites: suitesOf(context, SUITE) }, rounded);
  assert.deepEqual(report.totals, { passed: 5, failed: 0, skipped: 0, error: 0 });
  assert.deepEqual(
    report.lifetimes?.map(({ stepMs }) => stepMs),
    [1, 1, 1],
  );
});

test("choices stand beside the reference's, in the order of the open points; several readings stand together", async (context) => {
  let sessions = 0;
  const wavering = spoiled((answer) => {
    if (answer.body.bearer !== undefined && ++sessions % 2 === 1) answer.body.bearer = "0f".repeat(16);
  });
  const { choices } = await runWith({ suites: suitesOf(context, SUITE) }, wavering);
  const observable = [...contract.points.values()].filter((point) => point.observable);
  assert.deepEqual(
    choices.map(({ point, reference: usual }) => [point, usual]),
    observable.map((point) => [point.id, point.reference]),
  );
  const seen = (name: string) => choices.find(({ point }) => point === name)?.observed;
  assert.equal(seen("BEARER-FORMAT"), "base64url | hex");
  assert.equal(seen("SIGNED-BYTES"), "utf8");
  assert.equal(seen("URI-QUERY"), "not seen");
});

test("the same advice is given once", async (context) => {
  const weak = spoiled((answer) => {
    if (answer.body.scope !== undefined) answer.body.bearer = answer.body.bearer.slice(0, 20);
  });
  const { advice, exitStatus } = await runWith({ suites: suitesOf(context, SUITE) }, weak);
  assert.deepEqual(advice, [
    { rule: "SESSION-12", message: "a bearer of 20 characters cannot hold 16 random bytes" },
  ]);
  assert.equal(exitStatus, 1, "a bearer that was changed on the way opens nothing");
});

/** A service that takes parsed bodies, in front of one that takes texts. */
function unparsed(module: ServiceModule): ServiceModule {
  return {
    ...module,
    async createService(options) {
      const service = await module.createService(options);
      return { handle: (call) => service.handle({ ...call, body: JSON.stringify(call.body) }) };
    },
  };
}

const CAPABLE = `suite: sample
vectors:
  - { id: profile, title: gives a profile, rules: [PLATFORM-1], steps: [{ platform: }] }
  - { id: restart, title: starts anew, rules: [PLATFORM-1, SESSION-10], steps: [{ restart: true }, { platform: }] }
  - { id: spelt, title: takes any spelling, rules: [JSON-10], steps: [{ build: { by: alice, spelling: escaped } }] }
  - { id: at-once, title: serves many, rules: [DRAFT-1], steps: [{ together: { steps: [{ build: { by: alice } }], tally: { 200: 1 } } }] }
  - { id: exact, title: meets an instant, rules: [PLATFORM-1], needs: [virtual-clock], steps: [{ platform: }] }
  - { id: operator, title: knows its operator, rules: [LAUNCH-13], steps: [{ build: { by: alice, mint: $operatorKey }, expect: CODE-BUILD-MINT-IS-OPERATOR }] }
`;

for (const [what, capabilities, without, left, untried] of [
  ["everything", {}, [], [], ""],
  ["restart", { restart: false }, [], ["restart"], "SESSION-10"],
  ["rawBody", { rawBody: false }, [], ["spelt"], "JSON-10"],
  ["concurrency", { concurrency: false }, [], ["at-once"], "DRAFT-1"],
  ["a clock to set", { clock: "real" }, [], ["exact"], ""],
  ["the operator key", {}, ["operatorKey"], ["operator"], ""],
] as const) {
  test(`a run ${what === "everything" ? "with" : "without"} ${what} is ${untried === "" ? "decided" : `undecided for ${untried} alone`}`, async (context) => {
    const suites = suitesOf(context, CAPABLE);
    const used = new Set(suites.vectors.flatMap(({ rules }) => rules));
    const narrow = { ...contract, rules: new Map([...contract.rules].filter(([id]) => used.has(id))) };
    const facts = Object.fromEntries(
      Object.entries(reference.facts as object).filter(([name]) => !without.some((one) => one === name)),
    );
    const able = spoiled(() => undefined, { facts, capabilities: { ...CAPABILITIES, ...capabilities } });
    const service = what === "rawBody" ? unparsed(able) : able;
    const report = await runWith({ suites, contract: narrow }, service);
    const skipped = report.results
      .filter(({ outcome }) => outcome === "skipped")
      .map(({ id }) => id.slice(7));
    assert.deepEqual(skipped, left);
    assert.equal(report.totals.passed, 6 - left.length);
    const missing = report.rules.filter(({ outcome }) => outcome === "untried").map(({ id }) => id);
    assert.equal(missing.join(), untried);
    assert.deepEqual(
      [report.verdict, report.exitStatus],
      untried === "" ? ["conforms", 0] : ["undecided", 4],
    );
    const accepting = await runWith({ suites, contract: narrow, accepted: new Set([untried]) }, service);
    assert.deepEqual([accepting.verdict, accepting.exitStatus], ["conforms", 0]);
  });
}

test("--bail stops at the first failure that is not known", async (context) => {
  const broken = spoiled((answer) => {
    if (answer.body.scope !== undefined) answer.body.bearer = "";
    if (answer.status === 401) answer.body.code = "INVALID_PROOF";
  });
  const isKnown = (id: string) => id === "sample/session";
  const report = await runWith({ suites: suitesOf(context, SUITE), bail: true, isKnown }, broken);
  assert.deepEqual(outcomes(report).slice(0, 4), [
    "profile passed",
    "session failed",
    "lifetime failed",
    "restart skipped",
  ]);
});
