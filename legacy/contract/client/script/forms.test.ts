import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { PATHS } from "../../../paths.ts";
import { isNoMoment, parseTimestamp } from "../../judge/timestamp.ts";
import { BEARER_FORMS } from "./bearer-forms.ts";
import { MESSAGE_LAYOUTS } from "./message-layouts.ts";
import { CAST } from "./scenario.ts";
import { JSON_SPELLINGS } from "./spellings.ts";
import { TIMESTAMP_FORMS } from "./timestamp-forms.ts";
import { TRANSACTION_FORMS } from "./transaction-forms.ts";

const PARTS = {
  creator: "4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi",
  audience: "offline-demo",
  termsHash: "0123456789abcdef".repeat(4),
  expiry: "2026-10-10T12:01:00.250Z",
};

for (const [name, layout] of Object.entries(MESSAGE_LAYOUTS)) {
  test(`a message laid out as ${name} holds what a message has to, and JSON and UTF-8 carry it`, () => {
    const message = layout(PARTS);
    for (const part of Object.values(PARTS)) assert.ok(message.includes(part), part);
    assert.equal(JSON.parse(JSON.stringify(message)), message);
    assert.equal(
      new TextDecoder("utf-8", { ignoreBOM: true }).decode(new TextEncoder().encode(message)),
      message,
    );
  });
}

test("no two layouts give the same message", () => {
  const messages = Object.values(MESSAGE_LAYOUTS).map((layout) => layout(PARTS));
  assert.equal(new Set(messages).size, messages.length);
});

/** Forms that the kit does not read: clients meet them all the same. */
const NOT_READ = new Set(["iso-8601-basic", "iso-8601-space", "epoch-nanoseconds-text", "object"]);

for (const [name, form] of Object.entries(TIMESTAMP_FORMS)) {
  const ms = Date.UTC(2026, 9, 10, 12, 1, 0, 250);
  test(`a moment written as ${name} is legal${NOT_READ.has(name) ? "" : ", and is read as that moment"}`, () => {
    assert.equal(isNoMoment(form(ms)), false);
    const read = parseTimestamp(form(ms), ms);
    assert.equal(read === undefined, NOT_READ.has(name));
    if (read !== undefined) assert.ok(Math.abs(read.ms - ms) < 1000, `${read.ms} for ${ms}`);
  });
}

for (const [name, form] of Object.entries(BEARER_FORMS)) {
  test(`a bearer of the form ${name} is of its session alone, and a header carries it as it is`, () => {
    const bearers = ["one", "another"].map((bearer) => form(bearer.padEnd(43, "x")));
    assert.notEqual(bearers[0], bearers[1]);
    for (const bearer of bearers) assert.match(bearer, /^[\x21-\x7e]+$/);
  });
}

for (const [name, spelling] of Object.entries(JSON_SPELLINGS)) {
  test(`JSON written as ${name} is the same value`, () => {
    const value = { "": null, a: [1.5, -2, true, { "b/ü": '\u0000"\\🪙\u2028' }], c: [], d: {}, e: 5000 };
    const text = spelling(value);
    assert.deepEqual(JSON.parse(text), value);
    assert.notEqual(text, JSON.stringify(value));
  });
}

test("the schema of the suites offers every form, person and no other", () => {
  const { $defs } = JSON.parse(readFileSync(PATHS.clientSuiteSchema, "utf8"));
  const offered = (member: string) => $defs.disturbance.properties[member].anyOf[0].enum;
  assert.deepEqual(offered("message"), Object.keys(MESSAGE_LAYOUTS));
  assert.deepEqual(offered("timestamps"), Object.keys(TIMESTAMP_FORMS));
  assert.deepEqual(offered("bearer"), Object.keys(BEARER_FORMS));
  assert.deepEqual(offered("transaction"), Object.keys(TRANSACTION_FORMS));
  assert.deepEqual(offered("spelling"), Object.keys(JSON_SPELLINGS));
  assert.deepEqual($defs.person.anyOf[0].enum, [...CAST]);
});
