import assert from "node:assert/strict";
import { test } from "node:test";
import type { Breakage, Failure } from "../engine/play/result.ts";
import { REPORT_CONTEXT, reportText } from "../testing/reporting.ts";
import { failureOf, resultOf } from "../testing/results.ts";
import { SMALL_CONTRACT, smallReport } from "../testing/small-report.ts";
import { errorText, failureText } from "./failure-text.ts";
import { reproductionCommand, shellQuote } from "./reproduction-command.ts";

const INVOCATION = { command: "npx kit run", options: ["--command", "'go run .'"], seed: 7 };
const textOf = (failure: Failure) =>
  failureText(resultOf("limits/too-many", failure.rules), failure, SMALL_CONTRACT, INVOCATION).join("\n");

test("a failure tells all on one screen", () => {
  const failure = failureOf(["LIMIT-1", "ERROR-1"], {
    step: "2[3].1",
    clockMs: 60_001,
    request: {
      method: "POST",
      path: "/v1/launch/build",
      body: '{"creator":"…"}',
      bearer: "t0ken",
      idempotencyKey: "key-0001",
    },
    response: { status: 400, body: { code: "INVALID_FIELDS", productionApproved: false } },
    differences: [
      { path: "status", expected: "200", got: "400" },
      { path: "code", expected: "absent", got: '"INVALID_FIELDS"' },
    ],
  });
  assert.equal(
    textOf(failure),
    `FAILED  limits/too-many   vectors/suites/sample.yaml:12, step 2[3].1
  LIMIT-1  The service keeps LIMIT-1.
            contract, "Limits; Errors"
  ERROR-1  The service keeps ERROR-1.
            contract, "Limits; Errors"
  sent      POST /v1/launch/build  bearer t0ken  key "key-0001"  {"creator":"…"}   clock +60.001 s
  expected  200
  got       400 {"code":"INVALID_FIELDS","productionApproved":false}
  differs   status: 400, not 200
  differs   code: "INVALID_FIELDS", not absent
  again     npx kit run --command 'go run .' --only limits/too-many --seed 7`,
  );
});

test("a comparison has no request, and says what it got", () => {
  const {
    request: _,
    response: __,
    ...failure
  } = failureOf(["LIMIT-1"], { expected: "$a differs from $b", got: '"x"' });
  assert.doesNotMatch(textOf(failure), /^ {2}sent/m);
  assert.match(textOf(failure), /^ {2}got {7}"x"$/m);
});

test("bytes are shown as base64, and no body as none", () => {
  const sent = (request: object) =>
    /^ {2}sent +(.*?) {3}clock/m.exec(textOf(failureOf(["LIMIT-1"], { request })))?.[1];
  assert.equal(sent({ method: "POST", path: "/p", bodyBase64: "/w==" }), "POST /p  base64 /w==");
  assert.equal(sent({ method: "GET", path: "/p" }), "GET /p");
  assert.equal(sent({ method: "GET", path: "/p", idempotencyKey: "" }), 'GET /p  key ""');
});

test("the rule of the answer that came is told beside that of the one which was wanted", () => {
  const failure = failureOf(["LIMIT-1"], { expected: "429 FULL", got: "400 BAD", received: "ERROR-1" });
  const [, line] = /^ {2}belongs {3}(.*\n.*)$/m.exec(textOf(failure)) ?? [];
  assert.equal(
    line,
    "400 BAD to ERROR-1; wanted 429 FULL by LIMIT-1\n            The service keeps ERROR-1.",
  );
});

test("an answer that is no envelope is told in words", () => {
  const failure = failureOf(["LIMIT-1"], { response: "<html>", got: 'no status: "<html>"' });
  assert.match(textOf(failure), /^ {2}got {7}no status: "<html>"$/m);
});

test("many rules are named, the first three in full", () => {
  const text = textOf(failureOf(["LIMIT-1", "LIMIT-2", "LIMIT-4", "ERROR-1", "LIMIT-3"]));
  assert.equal(text.match(/contract, "/g)?.length, 3);
  assert.match(text, /^ {2}and ERROR-1, LIMIT-3$/m);
});

/** What would move the cursor, recolour, turn the direction of writing, hide words, end a line or fill the screen. */
const HOSTILE = `\u001b[2J\u001b]0;owned\u0007\u009b31m\u202egnorw\u200b\u2028\r\n\u0000\ud800\u{e0041}${"x".repeat(1_000_000)}`;

test("hostile text stays on its line, harmless and short, wherever it stands", () => {
  const failure = failureOf(["LIMIT-1"], {
    expected: HOSTILE,
    got: HOSTILE,
    request: { method: HOSTILE, path: HOSTILE, body: HOSTILE, bearer: HOSTILE, idempotencyKey: HOSTILE },
    response: { status: HOSTILE, body: { [HOSTILE]: HOSTILE } },
    differences: [{ path: HOSTILE, expected: HOSTILE, got: HOSTILE }],
  });
  const text = textOf(failure);
  assert.equal(text.split("\n").length, 8);
  assert.ok(text.length < 4_000, `${text.length} characters`);
  assert.doesNotMatch(text.replaceAll("\n", ""), /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u);
  assert.match(
    text,
    /\\u\{1b\}\[2J\\u\{1b\}\]0;owned\\u\{7\}\\u\{9b\}31m\\u\{202e\}gnorw\\u\{200b\}\\u\{2028\}/,
  );
});

for (const [word, quoted] of [
  ["./service.ts", "./service.ts"],
  ["my service.ts", "'my service.ts'"],
  ["it's", "'it'\\''s'"],
  ["$(rm -rf /)", "'$(rm -rf /)'"],
  ["", "''"],
  ["build/**", "'build/**'"],
] as const) {
  test(`a shell reads ${quoted} back as it was`, () => assert.equal(shellQuote(word), quoted));
}

test("the command that sees it again has the options, the id and the seed", () => {
  assert.equal(
    reproductionCommand({ command: "npx kit run", options: [], seed: 0 }, "build/uri/port"),
    "npx kit run --only build/uri/port --seed 0",
  );
  assert.equal(
    reproductionCommand({ command: "npx kit run", options: ["--module", "x.js"], seed: 2 }, "probe/clock"),
    "npx kit run --module x.js --seed 2",
  );
  assert.equal(
    reproductionCommand({ command: "npx kit run", options: [], seed: 1, runs: 900 }, "property/uris"),
    "npx kit run --only property/uris --seed 1 --runs 900",
  );
});

const AT = {
  step: "3",
  place: { file: "vectors/suites/sample.yaml", line: 12 },
  clockMs: 1_500,
  request: { method: "POST", path: "/v1/launch/build", body: '{"name":"aaaaaaaa!"}' },
} as const;

const broken = (id: string, reason: string, breakage: Breakage) =>
  resultOf(id, ["LIMIT-1"], { outcome: "error", reason, breakage });

const HANG: Breakage = { ...AT, kind: "hang", awaitedMs: 15_000, alive: false };
const hang = (id: string, more: Breakage = HANG) => broken(id, "hang: no answer to `build` within 5 s", more);

test("a hang is told with its request, how long it was awaited, how the service was found, and how to see it again", () => {
  assert.equal(
    errorText(hang("limits/a"), REPORT_CONTEXT.invocation).join("\n"),
    `ERROR   limits/a   vectors/suites/sample.yaml:12, step 3
  broke     hang: no answer to \`build\` within 5 s
  answer    awaited for 15 s, and it never came
  sent      POST /v1/launch/build  {"name":"aaaaaaaa!"}   clock +1.500 s
  service   stands still: it answers no other request either
  look at   what stops everything at this request: a loop that does not end (a regular expression?), a lock
  again     npx kit run --module ./my-service.ts --only limits/a --seed 7`,
  );
});

test("a slow answer is told with the time that it took, and the limit that would let it pass", () => {
  const slow = broken("limits/a", "slow: no answer to `build` within 5 s, but later", {
    ...AT,
    kind: "slow",
    alive: true,
    answeredAfterMs: 6_100,
  });
  const text = errorText(slow).join("\n");
  assert.match(text, /^ {2}answer {4}it came after 6\.1 s$/m);
  assert.match(text, /--timeout 13s/);
  assert.doesNotMatch(text, /again/);
});

test("a crash is told with the last lines of the standard error, and none of them acts on a terminal", () => {
  const log = [...Array(30).keys()].map((line) => `line ${line}\u001b[2J`).join("\n");
  const crash = broken("limits/a", "the adapter exited with status 1: TypeError", { ...AT, log });
  const lines = errorText(crash);
  assert.deepEqual(lines.slice(3, 11), [
    "  wrote     line 22\\u{1b}[2J",
    ...[23, 24, 25, 26, 27, 28, 29].map((line) => `            line ${line}\\u{1b}[2J`),
  ]);
  assert.match(lines.join("\n"), /look at {3}what it wrote to its standard error/);
});

test("one cause is one block, in the console and on the page", async () => {
  const gone: Breakage = { ...AT, kind: "lost", alive: false };
  const results = [
    broken("limits/refused", "GET /v1/platform: connect ECONNREFUSED 127.0.0.1:1", gone),
    hang("limits/a"),
    broken(
      "limits/closed",
      "POST /v1/launch/build: the connection was closed before the answer was whole",
      gone,
    ),
    hang("limits/b"),
    ...["c", "d"].map((name) =>
      resultOf(`limits/${name}`, ["LIMIT-1"], {
        outcome: "error",
        reason: "not tried: `build` hung in 3 vectors",
      }),
    ),
  ];
  const text = await reportText("console", smallReport(results));
  assert.deepEqual(
    text.split("\n").filter((line) => /^ERROR|likewise|^ {9}\S/.test(line)),
    [
      "ERROR   limits/closed   vectors/suites/sample.yaml:12, step 3",
      "  likewise  limits/refused",
      "ERROR   limits/a   vectors/suites/sample.yaml:12, step 3",
      "  likewise  limits/b",
      "ERROR  not tried: `build` hung in 3 vectors",
      "         limits/c, limits/d",
    ],
  );
  const page = await reportText("html", smallReport(results));
  assert.equal(page.match(/Look at: /g)?.length, 2);
  assert.match(page, /awaited for 15 s, and it never came/);
});
