import assert from "node:assert/strict";
import { test } from "node:test";
import { NotTransportable } from "./adapter.ts";
import { exactBody, parsedBody } from "./request-body.ts";

test("valid UTF-8 becomes text, byte order mark included", () => {
  assert.equal(exactBody(Buffer.from("\ufeff{ü}\u0000")), "\ufeff{ü}\u0000");
  assert.equal(exactBody(new Uint8Array(0)), "");
  assert.equal(exactBody(new Uint8Array([0x58, 0x61, 0x62]).subarray(1)), "ab");
});

test("other bytes stay bytes, text stays text, and no body stays none", () => {
  const bytes = new Uint8Array([0x22, 0xff, 0x22]);
  assert.equal(exactBody(bytes), bytes);
  assert.equal(exactBody("a\u{1f600}b"), "a\u{1f600}b");
  assert.equal(exactBody(undefined), undefined);
});

test("half a surrogate pair cannot be sent", () => {
  assert.throws(() => exactBody('{"name":"\ud83d"}'), NotTransportable);
});

test("a parsed body is a JSON value or cannot be sent", () => {
  assert.deepEqual(parsedBody(' {"a": [1]}'), { a: [1] });
  assert.equal(parsedBody(undefined), undefined);
  assert.throws(() => parsedBody(""), NotTransportable);
  assert.throws(() => parsedBody(new Uint8Array([0xff])), NotTransportable);
});
