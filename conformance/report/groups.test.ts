import assert from "node:assert/strict";
import { test } from "node:test";
import * as reference from "../../reference/service.ts";
import { ImplementationError, type Request } from "../adapters/adapter.ts";
import { InProcessAdapter } from "../adapters/in-process.ts";
import { readServiceContract } from "../contract/contract.ts";
import { run } from "../run/run.ts";
import { loadKitVectors } from "../suite/load.ts";
import { type ReportData, toData, toResultData } from "./data.ts";
import { failureLines } from "./failure.ts";
import { groupFailures } from "./groups.ts";

const contract = readServiceContract();
const suite = loadKitVectors(contract);

type Handle = (request: Request) => unknown;

/** Returns the report about the reference with changed requests or responses. */
async function reportOf(change: (handle: Handle) => Handle, only: readonly string[]): Promise<ReportData> {
  const createService = (options: reference.ServiceOptions) => {
    const service = reference.createService(options);
    return { handle: change((request) => service.handle(request)) };
  };
  const adapter = new InProcessAdapter({ ...reference, createService });
  return toData(await run(contract, suite, adapter, { selection: { only } }), {
    kit: "0.1.0",
    contract,
    command: "kit run",
  });
}

/** Returns the groups of a report as texts, without the positions of code. */
function textsOf(data: ReportData): readonly string[] {
  return groupFailures(data).map((group) =>
    failureLines(group.first, data, 80, group)
      .join("\n")
      .replaceAll(/\(\S+\/([\w.]+):\d+:\d+\)/g, "($1)"),
  );
}

test("errors of one kind at one place in the code are one group, even with different input", async () => {
  const unguarded =
    (handle: Handle): Handle =>
    (request) => {
      if (request.path === "/v1/auth/verify") JSON.parse(String(request.body));
      return handle(request);
    };
  const data = await reportOf(unguarded, ["json-syntax/verify/*", "body-size/no-json/*"]);
  const [text, ...others] = textsOf(data);
  assert.deepEqual(others, []);
  const lines = text?.split("\n") ?? [];
  assert.match(lines[0] ?? "", /^ERROR {3}POST \/v1\/auth\/verify throws +\d+ tests$/);
  assert.match(lines[1] ?? "", /^ {2}SyntaxError: /);
  assert.match(lines[2] ?? "", /^ {2}thrown at {2}\S+ \(groups\.test\.ts\)$/);
  assert.match(
    text ?? "",
    /\n {2}sent {7}\S.*\(also .*, .*\)\n {2}hint {7}check the request first, or catch this; respond with 400\s+INVALID_JSON_BODY\n/s,
  );
  assert.ok(lines.length < 14, text);
});

test("errors at other places, of other kinds, or of other operations are other groups", async () => {
  const failing =
    (handle: Handle): Handle =>
    (request) => {
      if (request.body === "null") throw new RangeError("no object");
      if (request.body === "true") throw new TypeError("no object");
      return handle(request);
    };
  const titles = textsOf(await reportOf(failing, ["json-values/*/*"])).map((text) =>
    text.split("\n", 2).join(""),
  );
  const kinds = ["challenge", "verify"].flatMap((name) => [`${name} RangeError`, `${name} TypeError`]);
  const found = titles.map((title) =>
    title.replace(/^.*\/(\w+) throws +\d+ tests? +(\w+): no object$/, "$1 $2"),
  );
  assert.deepEqual(found.toSorted(), kinds.toSorted());
});

test("without a stack, errors of parsers are one group, and other errors are grouped by their messages", () => {
  const messages = [
    "JSON-RPC error -32603: JSONDecodeError: Expecting value: line 1 column 1 (char 0)",
    "JSON-RPC error -32603: JSONDecodeError: Extra data: line 7 column 2 (char 9)",
    "JSON-RPC error -32603: KeyError: 'a'",
    "JSON-RPC error -32603: KeyError: 'b'",
    "JSON-RPC error -32603: TypeError: no list",
    "the program exited with status 1",
  ];
  const [base] = EMPTY.results;
  assert.ok(base);
  const results = messages.map((message, index) => {
    const thrown = message.replace(/^JSON-RPC error -32603: |^the .*$/, "");
    const request = { method: "POST", path: "/v1/auth/verify", body: "{}" };
    const error = { request, message: thrown || message, ...(thrown !== "" && { thrown }) };
    return { ...base, id: `a/${index}`, reason: `POST /v1/auth/verify: ${message}`, error };
  });
  const groups = groupFailures({ results });
  assert.deepEqual(
    groups.map(({ tests }) => tests.length),
    [2, 2, 1, 1],
  );
});

test("a program that ended shows its log line by line", () => {
  const [result] = EMPTY.results;
  assert.ok(result);
  const message = "the program exited with status 3: ValueError: no";
  const request = { method: "GET", path: "/v1/platform" };
  const error = { request, message, log: ["starting", "  at line 3"] };
  const reason = `GET /v1/platform: ${message}`;
  const text = failureLines({ result: { ...result, reason, error } }, { rules: [], run: {} }, 80).join("\n");
  assert.equal(
    text,
    `ERROR   GET /v1/platform gets no response
  the program exited with status 3: ValueError: no
  sent       (no body)
  test       platform/same-twice: ${result.title}
  log        starting
               at line 3`,
  );
});

test("different causes are different groups, even in one test, and each group names its rule", async () => {
  const threeFaults =
    (handle: Handle): Handle =>
    (request) => {
      const text = typeof request.body === "string" ? { body: request.body.replace(":443", "") } : {};
      const { status, body } = handle({ ...request, ...text }) as Envelope;
      if ("scope" in body) return { status, body: { ...body, scope: "all" } };
      const isUnauthorized = body["code"] === "UNAUTHORIZED";
      return { status, body: isUnauthorized ? { ...body, code: "INVALID_PROOF" } : body };
    };
  const only = ["session/issued/*", "auth/build-without-bearer", "build-uri-hostile/form/port*"];
  const groups = groupFailures(await reportOf(threeFaults, only));
  const rules = groups.map(({ first }) => first.finding?.rules[0]);
  assert.deepEqual(rules, ["SESSION-3", "AUTH-4", "LAUNCH-33"]);
});

test("members that are missing in one response are one failure, with the text of each rule", async () => {
  const partly = changed(({ status, body }) => ({
    status,
    body: "termsHash" in body ? { mode: body["mode"], productionApproved: false } : body,
  }));
  const [text, ...others] = textsOf(await reportOf(partly, ["platform/constants/*", "platform/same-twice"]));
  assert.deepEqual(others, []);
  assert.match(text ?? "", /\n {2}got {8}missing platform, feeWallet, withdrawAuthority, /);
  assert.match(text ?? "", /\n +PLATFORM-3: `feeWallet` is a base58 public key/);
});

test("each wrong value of a response has a separate line, in words and with its size", async () => {
  const short = changed(({ status, body }) => ({
    status,
    body: "termsHash" in body ? { ...body, platform: "2".repeat(42), termsHash: "AB" } : body,
  }));
  const [profile = ""] = textsOf(await reportOf(short, ["platform/constants/*"]));
  const expected =
    "\n  expected   platform: 32 bytes in base58\n             termsHash: 64 lowercase hex characters\n";
  assert.ok(profile.includes(expected), profile);
  assert.match(profile, /\n {2}got {8}platform: "222222…" \(42 characters, 31 bytes\)\n/);
  assert.match(profile, /\n {13}termsHash: "AB" \(2 characters\)\n/);
  const renamed = changed(({ status, body: { bearer, ...body } }) => {
    return { status, body: bearer === undefined ? body : { ...body, token: bearer, scope: "all" } };
  });
  const [session = ""] = textsOf(await reportOf(renamed, ["session/issued/*"]));
  assert.match(session, /\n {2}got {8}bearer: absent; "token" came instead\n {13}scope: "all"\n/);
});

test("a failure shows the values of its case, and what happened before its request", async () => {
  let service = reference.createService({ now: () => 0 });
  const shared = () => (request: Request) => service.handle(request);
  const [lost] = textsOf(await reportOf(shared, ["challenge/lost-in-a-restart/whole-minute"]));
  assert.match(lost ?? "", /\n {2}before {5}POST \/v1\/auth\/challenge gets 200, restart\n/);
  assert.match(lost ?? "", /\n {2}hint {7}Each start must have empty state/);
  service = reference.createService({ now: () => 0 });
  const accepting = changed((envelope, { path }) =>
    path === "/v1/auth/verify" ? { status: 200, body: {} } : envelope,
  );
  const [accepted] = textsOf(await reportOf(accepting, ["verify/other-text/nothing"]));
  assert.match(accepted ?? "", /\n {2}case {7}text: ""\n/);
});

test("the values of each case in the suite can be shown", () => {
  const shown = suite.flatMap((vector) => {
    const result = { vector, outcome: "error", findings: [], observations: [], recommendations: [] } as const;
    return toResultData({ ...result, error: {} }, { kit: "0.1.0", contract }).case ?? [];
  });
  assert.ok(shown.length > 500 && shown.includes('bearer: "__proto__"'));
});

test("an error response without a code is headed by the rule about codes", async () => {
  const withoutCode = changed(({ status, body: { code: _, ...body } }) => ({ status, body }));
  const groups = groupFailures(await reportOf(withoutCode, ["challenge-input/creator-missing"]));
  assert.deepEqual(
    groups.map(({ first }) => first.finding?.rules),
    [["ERROR-1"]],
  );
});

/** Each row: a fault, a test that it fails, and the rule that heads the failure. */
const HEADINGS: readonly (readonly [
  fault: string,
  change: (handle: Handle) => Handle,
  only: string,
  rule: string,
])[] = [
  [
    "a valid name counts as malformed JSON",
    changed((envelope, { body }) =>
      String(body).includes("\x7f") ? refusal("INVALID_JSON_BODY") : envelope,
    ),
    "build-uri/control-character-in-path",
    "ERROR-11",
  ],
  [
    "a code of builds for a proof",
    changed((envelope, { path }) =>
      path === "/v1/auth/verify" && envelope.status === 400 ? refusal("CANONICAL_BUILD_REJECTED") : envelope,
    ),
    "verify-input/id-missing",
    "ERROR-10",
  ],
  [
    "a build beyond the limit gets a code with a wrong status",
    changed((envelope) =>
      envelope.status === 429
        ? { ...envelope, body: { ...envelope.body, code: "OFFLINE_CAPACITY" }, status: 503 }
        : envelope,
    ),
    "rate-shape/five-every-fifty-nine-seconds",
    "ERROR-19",
  ],
  ["keys that creators share", sharedKeys, "idempotency-key/name-of-a-built-in/proto", "IDEMPOTENCY-18"],
  ["a retry gets the latest draft", latestDraft, "draft/each-draft-its-mint", "IDEMPOTENCY-5"],
];

for (const [fault, change, only, rule] of HEADINGS)
  test(`the first rule of a failure names its cause: ${fault}`, async () => {
    const [group] = groupFailures(await reportOf(change, [only]));
    assert.equal(group?.first.finding?.rules[0], rule);
  });

function refusal(code: string): Envelope {
  return { status: 400, body: { code, productionApproved: false } };
}

/** Refuses a key that a build of another session has used. */
function sharedKeys(handle: Handle): Handle {
  const bearers = new Map<unknown, unknown>();
  return (request) => {
    const { idempotencyKey, bearer } = request;
    if (request.path !== "/v1/launch/build") return handle(request);
    const first = bearers.get(idempotencyKey) ?? bearer;
    bearers.set(idempotencyKey, first);
    const body = { code: "IDEMPOTENCY_CONFLICT", productionApproved: false };
    return first === bearer ? handle(request) : { status: 409, body };
  };
}

/** Returns the latest draft for each retry. */
function latestDraft(handle: Handle): Handle {
  const keys = new Set<unknown>();
  let latest: unknown;
  return (request) => {
    const { idempotencyKey } = request;
    if (keys.has(idempotencyKey)) return latest;
    const envelope = handle(request);
    if (request.path !== "/v1/launch/build") return envelope;
    keys.add(idempotencyKey);
    latest = envelope;
    return envelope;
  };
}

/** Changes each response. */
function changed(change: (envelope: Envelope, request: Request) => unknown) {
  return (handle: Handle): Handle =>
    (request) =>
      change(handle(request) as Envelope, request);
}

interface Envelope {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

const EMPTY = await reportOf(
  () => () => {
    throw new ImplementationError("not reached");
  },
  ["platform/same-twice"],
);

test("failures of general rules that an accepted input causes are in the group of the input", async () => {
  const acceptsNoName =
    (handle: Handle): Handle =>
    (request) => {
      const isBuild = request.path === "/v1/launch/build" && /"name":""/.test(String(request.body));
      return handle(
        isBuild ? { ...request, body: String(request.body).replace('"name":""', '"name":"x"') } : request,
      );
    };
  const only = ["build-texts/name-empty", "errors/build/*"];
  const groups = groupFailures(await reportOf(acceptsNoName, only));
  assert.deepEqual(
    groups.map(({ first }) => first.finding?.rules[0]),
    ["LAUNCH-16"],
  );
  assert.ok(groups[0]?.rules.includes("ERROR-5"));
});

/** Refuses requests whose body matches. */
const refusing =
  (pattern: RegExp) =>
  (handle: Handle): Handle =>
  (request) =>
    pattern.test(String(request.body))
      ? { status: 400, body: { code: "INVALID_FIELDS", productionApproved: false } }
      : handle(request);

/** Stores the key of a build that gets 429. */
function storesRefused(handle: Handle): Handle {
  const refused = new Set<unknown>();
  return (request) => {
    if (refused.has(request.idempotencyKey)) return { status: 200, body: null };
    const envelope = handle(request) as Envelope;
    if (envelope.status === 429) refused.add(request.idempotencyKey);
    return envelope;
  };
}

const cutKey =
  (handle: Handle): Handle =>
  (request) =>
    handle({
      ...request,
      ...(request.idempotencyKey && { idempotencyKey: request.idempotencyKey.slice(0, 32) }),
    });

/** Accepts white space around a mint, and responds with the mint as sent. */
const trimMint =
  (handle: Handle): Handle =>
  (request) => {
    const [, sent] = /"mint":"( [^"]+)"/.exec(String(request.body)) ?? [];
    if (sent === undefined) return handle(request);
    const mint = sent.trim();
    const envelope = handle({ ...request, body: String(request.body).replace(sent, mint) });
    return JSON.parse(JSON.stringify(envelope).replaceAll(mint, sent));
  };

const BUILDS = ["draft/*", "draft/*/*", "build-keys/mint-of-every-form/*", "build-texts/*/*", "build-uri/*"];
/** The beginning of the first failure, or texts in it, in one line. */
const FIRST_FAILURES: readonly (readonly [string, typeof cutKey, readonly string[], RegExp])[] = [
  [
    "a refused short creator",
    refusing(/"creator":"1/),
    ["challenge-input/*", "challenge-input/*/*"],
    /^\S+ \S+ CHALLENGE-13 A `creator` of 32 to 44 base58 characters that decodes to 32 bytes gets a challenge/,
  ],
  [
    "a refused short mint",
    refusing(/"mint":"1/),
    BUILDS,
    /^\S+ \S+ LAUNCH-10 A `mint` of 32 to 44 .* accepted;/,
  ],
  ["a refused short symbol", refusing(/"symbol":"[^"\\]"/), BUILDS, /^\S+ \S+ LAUNCH-21 .* is enough\./],
  ["an accepted mint with a space", trimMint, ["build-keys/mint-malformed/*"], /^\S+ \S+ LAUNCH-9 /],
  ["a refused symbol in lower case", refusing(/"symbol":"[a-z]/), BUILDS, /^\S+ \S+ ENDPOINT-4 /],
  ["a refused long URI", refusing(/"uri":"[^"]{200}"/), BUILDS, /^\S+ \S+ LAUNCH-27 /],
  [
    "a cut key",
    cutKey,
    ["idempotency/keys-that-look-alike/*"],
    /^\S+ \S+ IDEMPOTENCY-20 Keys that differ in .* \(key "\w{63}1"\).* because earlier keys: "\w{63}0" .* hint The service may cut/,
  ],
  [
    "the stored key of a refused build",
    storesRefused,
    ["rate-limit/new-build-among-replays"],
    /^\S+ \S+ LIMIT-6 .* even if it is sent again\. .* hint A refused build got 200 without a draft/,
  ],
];

for (const [name, change, only, expected] of FIRST_FAILURES)
  test(`the first failure names the violated rule: ${name}`, async () => {
    const [first = ""] = textsOf(await reportOf(change, only));
    assert.match(first.replace(/\s+/g, " "), expected);
  });
