import assert from "node:assert/strict";
import { test } from "node:test";
import { httpRequest } from "./http-request.ts";

const POST = { method: "POST", path: "/v1/launch/build" };

test("a call becomes a request below the base path", () => {
  assert.deepEqual(httpRequest({ ...POST, body: "{ }", bearer: "t.k", idempotencyKey: "k-1" }, "/base"), {
    method: "POST",
    path: "/base/v1/launch/build",
    headers: {
      accept: "application/json",
      authorization: "Bearer t.k",
      "idempotency-key": "k-1",
      "content-type": "application/json",
    },
    body: "{ }",
  });
});

test("a header without a value in the call is not sent, one with an empty value is", () => {
  assert.deepEqual(httpRequest(POST, "").headers, { accept: "application/json" });
  assert.equal(httpRequest({ ...POST, idempotencyKey: "" }, "").headers["idempotency-key"], "");
});

test("bytes that are no text are sent as they are", () => {
  const body = new Uint8Array([0xff]);
  assert.equal(httpRequest({ ...POST, body }, "").body, body);
});

test("what RFC 9110 admits is sent, however odd", () => {
  for (const method of ["PURGE", "M-SEARCH"])
    assert.equal(httpRequest({ ...POST, method }, "").method, method);
  for (const path of ["/", "/v1/...", "/v1/x/?a=//b&c=%00"])
    assert.equal(httpRequest({ ...POST, path }, "").path, path);
  assert.equal(
    httpRequest({ ...POST, bearer: "a b\t\xe9" }, "").headers["authorization"],
    "Bearer a b\t\xe9",
  );
});

for (const [what, change, message] of [
  ["method with a space", { method: "GE T" }, "the method is none that HTTP servers pass on"],
  ["lower-case method", { method: "get" }, "the method is none that HTTP servers pass on"],
  [
    "empty segment",
    { path: "//v1/platform" },
    "the path has empty or dot segments, which HTTP servers rewrite",
  ],
  [
    "dot segment",
    { path: "/v1/../v1/platform" },
    "the path has empty or dot segments, which HTTP servers rewrite",
  ],
  ["empty method", { method: "" }, "the method is none that HTTP servers pass on"],
  ["HEAD", { method: "HEAD" }, "an answer to HEAD has no body"],
  ["CONNECT", { method: "CONNECT" }, "CONNECT asks a proxy for a tunnel, not a service for an answer"],
  ["path with a space", { path: "/a b" }, "the path has characters that no HTTP request line can carry"],
  [
    "path with a line end",
    { path: "/a\r\nX: y" },
    "the path has characters that no HTTP request line can carry",
  ],
  ["path with a fragment", { path: "/a#b" }, "the path has characters that no HTTP request line can carry"],
  ["path without a slash", { path: "v1" }, "the path has characters that no HTTP request line can carry"],
  ["bearer with a line end", { bearer: "a\nb" }, "the bearer has characters that no HTTP header can carry"],
  ["bearer beyond Latin-1", { bearer: "ā" }, "the bearer has characters that no HTTP header can carry"],
  [
    "key with NUL",
    { idempotencyKey: "a\0" },
    "the idempotency key has characters that no HTTP header can carry",
  ],
  [
    "key with outer space",
    { idempotencyKey: " key" },
    "the idempotency key has outer white space, which HTTP removes",
  ],
  [
    "body with half a pair",
    { body: "\ud800" },
    "the body has half a surrogate pair, which UTF-8 cannot carry",
  ],
] as const) {
  test(`cannot be sent: ${what}`, () => {
    assert.throws(() => httpRequest({ ...POST, ...change }, ""), { name: "NotTransportable", message });
  });
}
