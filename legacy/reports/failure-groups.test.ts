import assert from "node:assert/strict";
import { test } from "node:test";
import { operationOf } from "../contract/operations.ts";
import type { Failure } from "../engine/play/result.ts";
import { failureOf, resultOf } from "../testing/results.ts";
import { groupByReason, groupFailures, requestsInGroup, rulesOf, testsOf } from "./failure-groups.ts";

const BUILD = { method: "POST", path: "/v1/launch/build" };
const VERIFY = { method: "POST", path: "/v1/auth/verify" };

/** A failure about which answer came. */
function answered(request: Failure["request"], expected: string, got: string, rule = "LIMIT-1"): Failure {
  return failureOf([rule], { request, expected, got, differences: [{ path: "status", expected, got }] });
}

/** A failure about what a member of the answer held. */
function held(path: string, expected: string, got: string, request: Failure["request"] = BUILD): Failure {
  const told = { expected: `${path}: ${expected}`, got: `${path}: ${got}` };
  return failureOf(["LIMIT-1"], { request, ...told, differences: [{ path, expected, got }] });
}

/** How many causes are seen where each failure is of a test of its own, or of the step of one test where they are listed. */
function groupsOf(...failures: readonly (Failure | readonly Failure[])[]) {
  const results = failures.map((some, index) =>
    resultOf(`limits/${index}`, ["LIMIT-1"], { outcome: "failed", failures: [some].flat() }),
  );
  return groupFailures(results, operationOf);
}

test("a server's answer to whatever is no operation is one cause, whatever path and method it was asked by", () => {
  const paths = ["/v1/sign", "/v1/launch/send", "/v1/fees/claim", "/"];
  const failures = paths.map((path) => answered({ method: "PUT", path }, "404 NO_EXECUTION_ENDPOINT", "405"));
  const lenient = answered({ method: "GET", path: "/v1" }, "200, or 404 NO_EXECUTION_ENDPOINT", "405");
  const [group, ...others] = groupsOf(...failures, lenient);
  assert.ok(group !== undefined);
  assert.equal(others.length, 0);
  assert.equal(testsOf(group).length, 5);
  assert.deepEqual(requestsInGroup(group).slice(0, 2), ["PUT /v1/sign", "PUT /v1/launch/send"]);
});

test("operations are not put together, nor different answers", () => {
  const [expected, got] = ["200", "400 INVALID_FIELDS"];
  assert.equal(groupsOf(answered(BUILD, expected, got), answered(VERIFY, expected, got)).length, 2);
  assert.equal(
    groupsOf(answered(BUILD, expected, got), answered(BUILD, expected, "401 UNAUTHORIZED")).length,
    2,
  );
});

test("a wrong refusal is one cause, as long as what was wanted overlaps", () => {
  const got = "401 UNAUTHORIZED";
  const wanted = ["200", "400 A | B", "200, or 400 B", "400 B | C"];
  assert.equal(groupsOf(...wanted.map((expected) => answered(BUILD, expected, got))).length, 1);
  assert.equal(groupsOf(answered(BUILD, "200", got), answered(BUILD, "409 CONFLICT", got)).length, 2);
});

test("of what was served though it had to be refused, each check that is missing is a cause", () => {
  const served = (expected: string) => answered(BUILD, expected, "200");
  assert.equal(groupsOf(served("400 METADATA_URL | FIELDS"), served("400 NAME | FIELDS")).length, 2);
  assert.equal(groupsOf(served("409 CONFLICT"), served("409 CONFLICT, or 400 FIELDS")).length, 1);
});

test("answers that were counted are one cause with the single ones that they show", () => {
  const one = answered(BUILD, "429 OFFLINE_RATE_LIMIT", "429 OFFLINE_CAPACITY");
  const many = answered(BUILD, "5 × 200, 3 × 429 OFFLINE_RATE_LIMIT", "5 × 200, 3 × 429 OFFLINE_CAPACITY");
  assert.equal(groupsOf(one, many).length, 1);
  const toomany = answered(BUILD, "5 × 200, 3 × 429 OFFLINE_RATE_LIMIT", "8 × 200");
  assert.equal(groupsOf(answered(BUILD, "429 OFFLINE_RATE_LIMIT", "200"), toomany).length, 1);
  assert.equal(
    groupsOf(
      answered(BUILD, "at most 10 × 200 in 3 rounds", "15 × 200"),
      answered(BUILD, "at most 15 × 200 in 4 rounds", "20 × 200"),
    ).length,
    1,
  );
});

test("a wrong member is one cause, whatever keys, texts and moments are in it", () => {
  const signers = (one: string, other: string) =>
    held("requiredSigners", `creator, then mint: ["${one}","${other}"]`, `["${other}","${one}"]`);
  const keys = [
    "G5g1dtGgbN8arrWantrdgdCfKtNVfwcY8SEdavsBY4d6",
    "AD5Mowx5frig5hYPWfo1h1yphEZYgHnhi7nauQFxBXrX",
  ];
  const [one = "", other = ""] = keys;
  assert.equal(groupsOf(signers(one, other), signers(other, one)).length, 1);
  const expiry = (day: string) =>
    held(
      "expiresAt",
      `issue + 3600 s: ${day}T13:00:07.137Z`,
      `"${day}T13:01:07.137Z", 60000 ms after it`,
      VERIFY,
    );
  assert.equal(groupsOf(expiry("2026-10-10"), expiry("2037-01-01")).length, 1);
  assert.equal(groupsOf(held("bearer", "a text", '""'), held("scope", "a text", '""')).length, 2);
  assert.equal(groupsOf(held("bearer", "a text", "absent"), held("bearer", "a text", "7")).length, 2);
});

test("what a vector compared is one cause, whatever it calls the answers", () => {
  const compared = (name: string, other: string) =>
    failureOf(["LIMIT-1"], {
      expected: `${name}.bearer differs from ${other}`,
      got: other,
      differences: [{ path: `${name}.bearer`, expected: `anything but ${other}`, got: other }],
    });
  assert.equal(groupsOf(compared("his", '"aZ"'), compared("hers", '"bY"')).length, 1);
});

test("a status that is wrong for two reasons is one cause; another member beside it is another", () => {
  const listed = held("status", "one of 200, 400", "403", VERIFY);
  const wanted = answered(VERIFY, "401 INVALID_PROOF", "403 INVALID_PROOF");
  assert.equal(groupsOf([listed, wanted], wanted).length, 1);
  assert.equal(groupsOf([wanted, held("productionApproved", "false", "absent", VERIFY)]).length, 2);
});

test("causes come in the order of their first failures, also where a later one shows that two are one", () => {
  const got = "401 UNAUTHORIZED";
  const groups = groupsOf(
    answered(BUILD, "200", got, "LIMIT-1"),
    answered(VERIFY, "200", got, "LIMIT-2"),
    answered(BUILD, "400 A", got, "LIMIT-3"),
    answered(BUILD, "200, or 400 A", got, "LIMIT-3"),
  );
  assert.deepEqual(
    groups.map((group) => [testsOf(group), rulesOf(group)]),
    [
      [
        ["limits/0", "limits/2", "limits/3"],
        ["LIMIT-3", "LIMIT-1"],
      ],
      [["limits/1"], ["LIMIT-2"]],
    ],
  );
});

function reasons(...some: readonly (string | undefined)[]) {
  const results = some.map((reason, index) =>
    resultOf(`limits/${index}`, [], { outcome: "skipped", ...(reason === undefined ? {} : { reason }) }),
  );
  return groupByReason(results).map(({ reason, results: { length } }) => [reason, length]);
}

test("what differs in how long it takes alone is one reason, from the shortest to the longest", () => {
  const waits = (seconds: string) => `waits ${seconds} s on a real clock, longer than --max-wait 90 s`;
  assert.deepEqual(reasons(waits("3600"), waits("120.004"), waits("3600")), [
    ["waits 120.004 to 3600 s on a real clock, longer than --max-wait 90 s", 3],
  ]);
});

test("other reasons stand apart, other numbers included; the most frequent comes first", () => {
  assert.deepEqual(reasons("gave 404", "gave 405", undefined, "gave 405"), [
    ["gave 405", 2],
    ["gave 404", 1],
    ["no reason given", 1],
  ]);
});
