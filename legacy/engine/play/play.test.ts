import assert from "node:assert/strict";
import { test } from "node:test";
import { contract } from "../../testing/contract-data.ts";
import { reference, spoiled } from "../../testing/reference.ts";
import { playSteps } from "../../testing/run-vectors.ts";

const refusal = (status: number, code: string) => ({ status, body: { code, productionApproved: false } });
const refusing = (path: string, status = 400, code = "INVALID_FIELDS") =>
  spoiled((_, call) => (call.path === path ? refusal(status, code) : undefined));

test("a failure holds all that is needed to see it again", async (context) => {
  const steps = `
- session: { for: alice }
- advance: 1.5s
- build: { by: alice, key: my-key-0001, bearer: unheard-of }
  expect: 409 IDEMPOTENCY_CONFLICT | REBUILD_WITH_NEW_KEY`;
  const result = await playSteps(context, steps, reference, "IDEMPOTENCY-9, AUTH-5");
  assert.equal(result.outcome, "failed");
  const [failure, ...more] = result.failures;
  assert.deepEqual(more, []);
  assert.ok(failure);
  const { request, response, place, ...told } = failure;
  assert.deepEqual(told, {
    rule: "IDEMPOTENCY-9",
    rules: ["IDEMPOTENCY-9", "AUTH-5"],
    message: "the service does as it must",
    step: "3",
    clockMs: 1_500,
    expected: "409 IDEMPOTENCY_CONFLICT | REBUILD_WITH_NEW_KEY",
    got: "401 UNAUTHORIZED",
    received: "ERROR-12",
    differences: [
      {
        path: "status",
        expected: "409 IDEMPOTENCY_CONFLICT | REBUILD_WITH_NEW_KEY",
        got: "401 UNAUTHORIZED",
      },
    ],
  });
  assert.equal(place.line, 10);
  assert.match(place.file, /suite\.yaml$/);
  assert.deepEqual(response, refusal(401, "UNAUTHORIZED"));
  const { body, ...sent } = request as Record<string, unknown>;
  assert.deepEqual(sent, {
    method: "POST",
    path: "/v1/launch/build",
    bearer: "unheard-of",
    idempotencyKey: "my-key-0001",
  });
  assert.deepEqual(Object.keys(JSON.parse(String(body))), ["creator", "mint", "name", "symbol", "uri"]);
});

test("the exchanges of a failed vector are kept, with what the kit did on its behalf", async (context) => {
  const result = await playSteps(context, "- build: { by: alice }\n  expect: 401 UNAUTHORIZED");
  assert.deepEqual(
    result.trace.map(({ step, request }) => [step, (request as { path: string }).path]),
    [
      ["1 (prepared)", "/v1/platform"],
      ["1 (prepared)", "/v1/auth/challenge"],
      ["1 (prepared)", "/v1/auth/verify"],
      ["1", "/v1/launch/build"],
    ],
  );
  assert.deepEqual((await playSteps(context, "- platform:")).trace, []);
});

for (const [path, rule] of [
  ["/v1/platform", "ENDPOINT-1"],
  ["/v1/auth/challenge", "ENDPOINT-2"],
  ["/v1/auth/verify", "ENDPOINT-3"],
] as const) {
  test(`a preparation that fails at ${path} blames ${rule}, and leaves the vector's own rule untried`, async (context) => {
    const steps = "- build: { by: alice, name: '' }\n  expect: 400 INVALID_FIELDS";
    const result = await playSteps(context, steps, refusing(path, 429, "OFFLINE_RATE_LIMIT"), "LAUNCH-16");
    assert.equal(result.outcome, "failed");
    assert.deepEqual(
      result.failures.map(({ rules, step, expected, got }) => [rules, step, expected, got]),
      [[[rule], "1 (prepared)", "200", "429 OFFLINE_RATE_LIMIT"]],
    );
  });
}

test("a step that expects a success blames the vector's rules, or its own", async (context) => {
  const service = refusing("/v1/platform");
  const all = await playSteps(context, "- platform:\n  expect: 200", service, "PLATFORM-10, AUTH-1");
  assert.deepEqual(all.failures[0]?.rules, ["PLATFORM-10", "AUTH-1"]);
  const own = await playSteps(
    context,
    "- platform:\n  rules: [AUTH-1]\n  expect: 200",
    service,
    "PLATFORM-10",
  );
  assert.deepEqual(own.failures[0]?.rules, ["AUTH-1"]);
});

test("a rule that is broken on the way is incidental; a rule of the vector's own is not", async (context) => {
  const service = spoiled((answer) => {
    if (answer.body.mode !== undefined) answer.body.mode = "ONLINE";
  });
  const other = await playSteps(context, "- session: { for: alice }", service, "SESSION-1");
  assert.deepEqual(
    other.failures.map(({ rule, step }) => [rule, step]),
    [["PLATFORM-1", "1"]],
    "with no result about PLATFORM-1, the first that saw it broken fails",
  );
  const own = await playSteps(context, "- platform:\n- platform:", service, "PLATFORM-1");
  assert.deepEqual(
    own.failures.map(({ rule, step }) => [rule, step]),
    [
      ["PLATFORM-1", "1"],
      ["PLATFORM-1", "2"],
    ],
  );
  assert.deepEqual(own.incidental, []);
});

test("what fails in a step that goes by other rules than the vector's is met on the way", async (context) => {
  const steps = `
- challenge: { for: alice }
  as: issued
- verify: { challenge: $issued, proof: { by: mallory } }
  expect: 401 INVALID_PROOF
  rules: [VERIFY-8]`;
  const service = refusing("/v1/auth/verify", 401, "UNAUTHORIZED");
  const asides = async (rules: string) => {
    const { failures } = await playSteps(context, steps, service, rules);
    return failures.map(({ rule, received, aside }) => [rule, received, aside]);
  };
  assert.deepEqual(await asides("CHALLENGE-23"), [["VERIFY-8", "ERROR-12", true]]);
  assert.deepEqual(await asides("CHALLENGE-23, VERIFY-8"), [["VERIFY-8", "ERROR-12", undefined]]);
  const { failures } = await playSteps(context, "- session: { for: alice }", service, "SESSION-1");
  assert.deepEqual(
    failures.map(({ rule, received, aside }) => [rule, received, aside]),
    [["ENDPOINT-3", "ERROR-12", true]],
  );
});

test("a member that is wrong in any answer is blamed on its own rule before those of the vector", async (context) => {
  const service = spoiled((answer) => {
    if (answer.body.message !== undefined) answer.body.productionApproved = true;
  });
  const steps = "- challenge: { for: alice }\n  expect: { is: 200, body: { productionApproved: false } }";
  const { failures } = await playSteps(context, steps, service, "CHALLENGE-1, CHALLENGE-4");
  assert.deepEqual(
    failures.map(({ rules }) => rules),
    [["SERVICE-2", "CHALLENGE-1", "CHALLENGE-4"]],
  );
});

test("what leans on an answer that is none is blamed on that", async (context) => {
  const service = spoiled((answer) => {
    if (answer.body.message !== undefined) answer.body = "a challenge";
  });
  const steps = "- challenge: { for: alice }\n  as: issued\n- compare: { value: $issued.id, equals: x }";
  const { failures } = await playSteps(context, steps, service, "CHALLENGE-1");
  assert.deepEqual(
    failures.map(({ rules }) => rules),
    [["SERVICE-1", "CHALLENGE-1"]],
  );
});

test("a vector about advice warns and never fails", async (context) => {
  assert.equal(contract.rules.get("JSON-12")?.level, "advice");
  const steps = "- platform:\n  expect: 400 INVALID_JSON_BODY";
  const result = await playSteps(context, steps, reference, "JSON-12");
  assert.deepEqual([result.outcome, result.failures], ["passed", []]);
  assert.deepEqual(result.advice, [
    { rule: "JSON-12", message: "the service does as it must: 200, rather than 400 INVALID_JSON_BODY" },
  ]);
  const mixed = await playSteps(context, steps, reference, "JSON-12, AUTH-1");
  assert.equal(mixed.outcome, "failed");
});

test("members of an answer are compared by value, every difference at once", async (context) => {
  const steps = `
- platform:
  expect:
    body: { mode: OFFLINE_PROTOTYPE, publicServer: true, creatorBpsImplemented: "5000", nowhere.deep: 1 }`;
  const { failures } = await playSteps(context, steps, reference, "PLATFORM-7");
  assert.deepEqual(failures[0]?.differences, [
    { path: "publicServer", expected: "true", got: "false" },
    { path: "creatorBpsImplemented", expected: '"5000"', got: "5000" },
    { path: "nowhere.deep", expected: "1", got: "absent" },
  ]);
});

const RETRY = `
- build: { by: alice, key: my-key-0001 }
  as: first
- build: { by: alice, key: my-key-0001 }
  expect: { same-as: $first }`;

test("same-as holds an answer to an earlier one, member by member", async (context) => {
  assert.equal((await playSteps(context, RETRY, reference, "IDEMPOTENCY-5")).outcome, "passed");
  let builds = 0;
  const drifting = spoiled((answer) => {
    if (answer.body.cost === undefined) return;
    builds += 1;
    answer.body.expiresAt += builds;
    answer.body.cost.networkFeeLamports += builds;
  });
  const { failures } = await playSteps(context, RETRY, drifting, "IDEMPOTENCY-5");
  assert.deepEqual(failures[0]?.rules, ["IDEMPOTENCY-5"]);
  assert.deepEqual(
    failures[0]?.differences.map(({ path }) => path),
    ["expiresAt", "cost"],
  );
  const reordered = spoiled((answer) => {
    answer.body = Object.fromEntries(Object.entries(answer.body).reverse());
  });
  assert.equal((await playSteps(context, RETRY, reordered, "IDEMPOTENCY-5")).outcome, "passed");
});

test("same-as leaves open what the contract does not name, and records whether it was repeated", async (context) => {
  let answers = 0;
  const further = (value: () => unknown) =>
    spoiled((answer) => {
      answer.body.further = value();
      if (answer.body.cost !== undefined) answer.body.cost.accounts[0].further = value();
    });
  for (const [service, reading] of [
    [reference, "none"],
    [further(() => "always"), "same"],
    [further(() => ++answers), "varying"],
  ] as const) {
    const { outcome, observations } = await playSteps(context, RETRY, service, "IDEMPOTENCY-5");
    const seen = observations.filter(({ point }) => point === "RETRY-EXTRA-FIELDS");
    assert.deepEqual([outcome, seen], ["passed", [{ point: "RETRY-EXTRA-FIELDS", reading }]]);
  }
});

test("a lenient expectation takes any of its outcomes and records the reading", async (context) => {
  const steps = "- platform: { path: /v1/platform/ }\n  expect: TRAILING-SLASH";
  const taken = await playSteps(context, steps);
  assert.deepEqual(
    taken.observations.filter(({ point }) => point === "TRAILING-SLASH"),
    [{ point: "TRAILING-SLASH", reading: "NO_EXECUTION_ENDPOINT" }],
  );
  const odd = await playSteps(
    context,
    steps,
    spoiled(() => refusal(500, "OOPS")),
    "ERROR-2",
  );
  assert.equal(odd.outcome, "failed");
});

test("a vector that goes on with one answer alone ends at another that will do, and says so", async (context) => {
  const steps = (goesOn: string) => `
- platform: { path: /v1/platform/ }
  expect: { any: { served: 200, NO_EXECUTION_ENDPOINT: 404 NO_EXECUTION_ENDPOINT }, open: TRAILING-SLASH, ends-unless: ${goesOn} }
- platform:
  expect: { body: { mode: ONLINE } }`;
  const other = await playSteps(context, steps("200"), reference, "PLATFORM-1");
  assert.deepEqual(
    [other.outcome, other.failures, other.reason],
    [
      "skipped",
      [],
      "does not apply: it goes on where the answer is 200, and it was 404 NO_EXECUTION_ENDPOINT, as it may be",
    ],
  );
  const seen = other.observations.filter(({ point }) => point === "TRAILING-SLASH");
  assert.deepEqual(seen, [{ point: "TRAILING-SLASH", reading: "NO_EXECUTION_ENDPOINT" }]);
  const same = await playSteps(context, steps("404 NO_EXECUTION_ENDPOINT"), reference, "PLATFORM-1");
  assert.deepEqual([same.outcome, same.failures[0]?.step], ["failed", "2"]);
});

for (const [relation, holds, got, wanted] of [
  ["equals: OFFLINE_PROTOTYPE", true, "", ""],
  ["equals: ONLINE", false, '"OFFLINE_PROTOTYPE"', '"ONLINE"'],
  ["differs-from: ONLINE", true, "", ""],
  ["differs-from: OFFLINE_PROTOTYPE", false, '"OFFLINE_PROTOTYPE"', 'anything but "OFFLINE_PROTOTYPE"'],
  ["contains: PROTO", true, "", ""],
  ["contains: proto", false, '"OFFLINE_PROTOTYPE"', 'a text with "proto" in it'],
  ["contains: 5", false, '"OFFLINE_PROTOTYPE"', "a text with 5 in it"],
] as const) {
  test(`compare ${relation} ${holds ? "holds" : "fails"}`, async (context) => {
    const steps = `- platform:\n  as: profile\n- compare: { value: $profile.mode, ${relation} }`;
    const { outcome, failures } = await playSteps(context, steps, reference, "PLATFORM-1");
    assert.equal(outcome, holds ? "passed" : "failed");
    if (!holds) assert.deepEqual([failures[0]?.got, failures[0]?.step], [got, "2"]);
    if (!holds)
      assert.match(
        failures[0]?.expected ?? "",
        /^profile\.mode (?:is the same as|differs from|contains) \S+$/,
      );
    if (!holds) assert.deepEqual(failures[0]?.differences, [{ path: "profile.mode", expected: wanted, got }]);
  });
}

test("a classification records the first reading whose conditions all hold", async (context) => {
  const steps = (conditions: string) => `
- session: { for: alice }
  as: first
- session: { for: alice }
  as: second
- classify: { open: BEARER-PER-SESSION, readings: { ${conditions} } }`;
  const reading = async (conditions: string) => {
    const { observations } = await playSteps(context, steps(conditions));
    return observations.filter(({ point }) => point === "BEARER-PER-SESSION").map((seen) => seen.reading);
  };
  const same = "same: { second.bearer: $first.bearer, first.status: 200 }";
  assert.deepEqual(await reading(`${same}, distinct: {}`), ["distinct"]);
  assert.deepEqual(await reading("same: { first.status: 200, second.status: 200 }, distinct: {}"), ["same"]);
  assert.deepEqual(await reading(`${same}, distinct: { first.status: 401 }`), []);
});

test("repeat plays its steps again and again, with the number of the round", async (context) => {
  const steps = `
- repeat:
    times: 7
    steps:
      - build: { by: alice, key: "round-\${index}-key" }`;
  const { outcome, failures } = await playSteps(context, steps);
  assert.equal(outcome, "failed", "the sixth build in a minute is one too many");
  assert.deepEqual(
    failures.map(({ step, got, request }) => [
      step,
      got,
      (request as { idempotencyKey: string }).idempotencyKey,
    ]),
    [["1[6].1", "429 OFFLINE_RATE_LIMIT", "round-5-key"]],
  );
});

test("a restart is a new service: nothing of the old one is used any more", async (context) => {
  const steps = `
- session: { for: alice }
  as: old
- restart: true
- build: { by: alice, session: $old }
  expect: 401 UNAUTHORIZED
- build: { by: alice }`;
  assert.equal((await playSteps(context, steps, reference, "SESSION-10")).outcome, "passed");
});

test("a vector that failed needs no other reason", async (context) => {
  const result = await playSteps(
    context,
    "- platform:\n  expect: 400 INVALID_JSON_BODY",
    reference,
    "AUTH-1",
  );
  assert.deepEqual([result.outcome, result.reason], ["failed", undefined]);
});

test("a vector that mere advice ended has not tried what it is about", async (context) => {
  const steps = `
- platform:
  rules: [JSON-12]
  expect: 400 INVALID_JSON_BODY
- platform:
  expect: 400 INVALID_JSON_BODY`;
  const result = await playSteps(context, steps, reference, "AUTH-1");
  assert.deepEqual([result.outcome, result.reason], ["skipped", "ended early, by mere advice"]);
});

const STUCK = `
- challenge: { for: alice }
  as: first
- verify: { challenge: $first, id: { $otherHex: $first.id } }
  expect: UNKNOWN-CHALLENGE`;

test("a vector that an answer leaves nothing to go on with fails by that answer's rule", async (context) => {
  const service = spoiled((answer, call) => {
    if (call.path === "/v1/auth/challenge") answer.body.id = 5;
  });
  const { outcome, failures, incidental } = await playSteps(context, STUCK, service, "VERIFY-12");
  assert.deepEqual([outcome, failures.map(({ rule }) => rule), incidental], ["failed", ["CHALLENGE-1"], []]);
});

test("a vector that cannot be made, where nothing is wrong with the answers, is left out", async (context) => {
  const steps = '- build: { by: alice, name: { $fill: { start: "", with: "ab", bytes: 3 } } }\n  expect: 200';
  const { outcome, reason } = await playSteps(context, steps);
  assert.equal(outcome, "skipped");
  assert.match(String(reason), /^cannot be made here: .*\$fill cannot reach exactly 3$/);
});

for (const [what, steps, reason] of [
  [
    "omits what is not there",
    "- build: { by: alice, omit: [nmae] }",
    'omit names "nmae", which the body does not have',
  ],
  ["sends a header that is no text", "- build: { by: alice, key: 5 }", '"key" must be a text'],
  [
    "pads to less than there is",
    "- build: { by: alice, pad-to: 7 }",
    /^the body has \d+ bytes already, and pad-to asks for 7$/,
  ],
] as const) {
  test(`a vector that ${what} is an error of the vector, and not of the service`, async (context) => {
    const result = await playSteps(context, `${steps}\n  expect: 200`);
    assert.equal(result.outcome, "error");
    const told = String(result.reason).replace("the vector itself is wrong: ", "");
    if (typeof reason === "string") assert.equal(told, reason);
    else assert.match(told, reason);
  });
}

test("rounds have room for an outcome as often as they say, and no more", async (context) => {
  const steps = (most: number) => `
- session: { for: alice }
- repeat:
    times: 3
    at-most: { 200: ${most} }
    steps: [{ build: { by: alice } }]`;
  const within = await playSteps(context, steps(3), reference, "LIMIT-12");
  assert.equal(within.outcome, "passed");
  const { failures } = await playSteps(context, steps(2), reference, "LIMIT-12");
  assert.deepEqual(
    failures.map(({ rules, step, expected, got }) => [rules, step, expected, got]),
    [[["LIMIT-12"], "2", "at most 2 × 200 in 3 rounds", "3 × 200"]],
  );
});

test("what cannot be sent is left out, but what was seen broken before stays so", async (context) => {
  const steps =
    '- platform:\n- request: { method: POST, path: /v1/auth/challenge, body: "\\uD800" }\n  expect: 200';
  const { outcome, reason } = await playSteps(context, steps, reference, "PLATFORM-1");
  assert.deepEqual(
    [outcome, reason],
    [
      "skipped",
      "launch-draft-reference cannot send it: the body has half a surrogate pair, which UTF-8 cannot carry",
    ],
  );
  const online = spoiled((answer) => {
    if (answer.body.mode !== undefined) answer.body.mode = "ONLINE";
  });
  const broken = await playSteps(context, steps, online, "PLATFORM-1");
  assert.deepEqual([broken.outcome, broken.failures.map(({ rule }) => rule)], ["failed", ["PLATFORM-1"]]);
});

test("one answer breaks a rule once, with every difference; a thousand are cut", async (context) => {
  const costs = (change: (accounts: { bytes: unknown }[]) => unknown) =>
    spoiled((answer) => {
      if (answer.body.cost !== undefined) change(answer.body.cost.accounts);
    });
  const minus = costs((accounts) => accounts.map((account) => Object.assign(account, { bytes: -1 })));
  const { failures } = await playSteps(context, "- build: { by: alice }", minus, "COST-3");
  assert.deepEqual(
    failures.map(({ rule, differences }) => [rule, ...differences.map(({ path }) => path)]),
    [["COST-3", ...[0, 1, 2, 3].map((index) => `cost.accounts.${index}.bytes`)]],
  );
  assert.match(String(failures[0]?.got), /^cost\.accounts\.0\.bytes: -1; cost\.accounts\.1\.bytes: -1; /);
  const flood = costs((accounts) =>
    accounts.push(...Array(1_000).fill({ kind: "pool", bytes: -1, historicalRentLamports: 1 })),
  );
  const flooded = await playSteps(context, "- build: { by: alice }", flood, "COST-3");
  assert.equal(flooded.failures[0]?.differences.length, 12);
});
