import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Outcome } from "../../engine/outcome.ts";
import { timeInSteps } from "../../testing/timekeeping.ts";
import { launchBounds } from "../request-fields.ts";
import { readBody } from "./body-reading.ts";
import { compareInputs } from "./launch-input.ts";
import { phaseOf } from "./moment.ts";
import { otherPath } from "./other-paths.ts";
import { textFaults } from "./text-faults.ts";
import { uriFaults } from "./uri-faults.ts";

const HOSTS = ["a.example", "b.example"] as const;
const at = (ms: number) => ({ earliest: ms, latest: ms });
const statuses = (outcomes: readonly Outcome[]) => outcomes.map(({ status }) => status);

describe("the phase of something that lives for 60 s", () => {
  const phase = (age: number, resolutionMs: number, toleranceMs = 0) =>
    phaseOf(at(0), at(age), 60_000, { timekeeping: timeInSteps(resolutionMs), toleranceMs }, "challenge");

  test("is live until the last millisecond, whatever the clock counts", () => {
    assert.deepEqual([phase(59_999, 1), phase(59_999, 1000)], ["live", "live"]);
  });
  test("is open at the instant, and for the step of the clock", () => {
    assert.deepEqual([phase(60_000, 1), phase(61_000, 1000)], ["either", "either"]);
  });
  test("is over after that", () => {
    assert.deepEqual([phase(60_001, 1), phase(61_001, 1000)], ["over", "over"]);
  });
  test("is open around the limit on a clock that differs from the kit's", () => {
    assert.deepEqual(
      [phase(58_500, 1, 2000), phase(61_500, 1, 2000), phase(62_001, 1, 2000)],
      ["either", "either", "over"],
    );
  });
});

describe("a body", () => {
  const doubts = (body: string | Uint8Array) => readBody(body).doubts;

  test("is measured in bytes", () => assert.equal(readBody('"é"').bytes, 4));
  test("is absent where it is empty or missing", () => {
    assert.deepEqual([readBody(undefined).kind, readBody("").kind], ["absent", "absent"]);
  });
  test("names a member twice", () => {
    assert.deepEqual(doubts('{"a":1,"\\u0061":2}'), ["JSON-DUPLICATE-KEY"]);
    assert.deepEqual(doubts('{"a":{"b":1},"c":[{"b":":"}]}'), []);
  });
  test("is not UTF-8 inside or outside its texts", () => {
    const inside = Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xff]), Buffer.from('"}')]);
    assert.deepEqual([readBody(inside).kind, doubts(inside)], ["object", ["JSON-INVALID-UTF-8"]]);
    assert.equal(readBody(Uint8Array.from([0xff])).kind, "no-utf-8");
  });
  test("has a byte order mark, a half surrogate, a depth", () => {
    assert.deepEqual(doubts("\uFEFF{}"), ["JSON-BOM"]);
    assert.deepEqual(doubts('{"a":"\\ud800"}'), ["half-surrogate"]);
    assert.deepEqual(doubts("[".repeat(40) + "]".repeat(40)), ["JSON-DEEP-NESTING"]);
  });
});

describe("a metadata address", () => {
  const rules = (uri: string) => uriFaults(uri, HOSTS).flatMap((fault) => (fault.certain ? fault.rules : []));
  const points = (uri: string) =>
    uriFaults(uri, HOSTS).flatMap((fault) => (fault.certain ? [] : [fault.point]));

  test("is fine at either gateway", () => {
    for (const uri of ["https://a.example/m.json", "https://b.example/x/y,z"]) {
      assert.deepEqual([rules(uri), points(uri)], [[], []]);
    }
  });
  for (const [uri, rule] of [
    ["http://a.example/m", "LAUNCH-29"],
    ["https://a.example.evil/m", "LAUNCH-30"],
    ["https://a.example./m", "LAUNCH-30"],
    ["https://a.example", "LAUNCH-31"],
    ["https://@a.example/m", "LAUNCH-32"],
    ["https://a.example:/m", "LAUNCH-33"],
    ["https://a.example/m#x", "LAUNCH-34"],
    [`https://a.example/${"x".repeat(183)}`, "LAUNCH-27"],
    [`https://a.example/${"é".repeat(100)}`, "LAUNCH-28"],
  ] as const) {
    test(`breaks ${rule}: ${uri.slice(0, 30)}`, () => assert.deepEqual(rules(uri), [rule]));
  }
  test("leaves its path open", () => {
    assert.deepEqual(points("https://A.example/m"), ["URI-UPPER-CASE-HOST"]);
    assert.deepEqual(points("https://a.example/m?q"), ["URI-QUERY"]);
    assert.deepEqual(points("https://a.example/m#"), ["URI-EMPTY-FRAGMENT"]);
    assert.deepEqual(points("https://a.example/m##"), []);
  });
});

describe("a name", () => {
  const certain = (name: string) =>
    textFaults("name", name).flatMap((fault) => (fault.certain ? fault.rules : []));

  test("ends at its bound, in characters and in bytes", () => {
    const { characters, utf8Bytes } = launchBounds("name");
    const most = "x".repeat(characters);
    const twoBytesEach = "é".repeat(Math.floor(utf8Bytes / 2));
    assert.deepEqual([certain(most), certain(`${most}x`)], [[], ["LAUNCH-17"]]);
    assert.deepEqual([certain(twoBytesEach), certain(`${twoBytesEach}é`)], [[], ["LAUNCH-18"]]);
  });
  test("is doubtful where it shows nothing", () => {
    assert.deepEqual(
      textFaults("name", "  ").map(({ point }) => point),
      ["NAME-WHITE-SPACE"],
    );
    assert.deepEqual(
      textFaults("symbol", "X ").map(({ point }) => point),
      ["SYMBOL-OUTER-SPACE"],
    );
  });
});

describe("two inputs", () => {
  const input = { creator: "a", mint: "b", name: "Coin", symbol: "C", uri: "https://a.example/m" };

  test("are the same, different, or alike to some", () => {
    assert.equal(compareInputs(input, { ...input }).sameness, "same");
    assert.deepEqual(compareInputs(input, { ...input, symbol: "D" }), {
      sameness: "different",
      rule: "IDEMPOTENCY-11",
    });
    assert.equal(compareInputs(input, { ...input, name: "Coin " }).sameness, "maybe");
  });
});

describe("a path beside the four", () => {
  const allowed = (method: string, path: string, body?: string) =>
    statuses(otherPath({ method, path, ...(body === undefined ? {} : { body }) }, false).outcomes);

  test("that would execute something is 404", () => {
    for (const path of [
      "/v1/sign",
      "/v1/launch/send",
      "/v1/sendTransaction",
      "/v1/fees/claim",
      "/v1/pay-out",
    ]) {
      assert.deepEqual(allowed("POST", path, "{}"), [404], path);
    }
  });
  test("that would execute something may lack its body before it lacks a route", () => {
    assert.deepEqual(allowed("POST", "/v1/sign"), [404, 400]);
    assert.deepEqual(allowed("GET", "/v1/sign"), [404]);
  });
  test("is served only where a lenient router would take it for one of them", () => {
    assert.ok(allowed("POST", "/V1/launch//build/").includes(200));
    assert.ok(!allowed("POST", "/v1/launch/design").includes(200));
  });
});
