import assert from "node:assert/strict";
import { test } from "node:test";
import type { Breakage } from "../../engine/play/result.ts";
import { REPORT_CONTEXT, reportText } from "../../testing/reporting.ts";
import { resultOf } from "../../testing/results.ts";
import { smallReport } from "../../testing/small-report.ts";
import { errorText } from "./error-text.ts";

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
