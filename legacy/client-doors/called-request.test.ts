import assert from "node:assert/strict";
import { test } from "node:test";
import { calledRequest } from "./called-request.ts";

test("a call in process is the request that it would be over HTTP", () => {
  const { body, ...request } = calledRequest({
    method: "POST",
    path: "/v1/launch/build",
    body: '{"a":1}',
    bearer: "token",
    idempotencyKey: "key-1234",
  });
  assert.deepEqual(request, {
    method: "POST",
    target: "/v1/launch/build",
    headers: [
      ["content-type", "application/json"],
      ["authorization", "Bearer token"],
      ["idempotency-key", "key-1234"],
    ],
  });
  assert.equal(Buffer.from(body ?? []).toString(), '{"a":1}');
});

test("what is null is absent, what is no text is its JSON, and bytes come as they are", () => {
  assert.deepEqual(calledRequest({ method: "GET", path: "/x", body: null, bearer: null }), {
    method: "GET",
    target: "/x",
    headers: [],
  });
  const { body } = calledRequest({ method: "POST", path: "/x", body: { a: [1] } });
  assert.equal(Buffer.from(body ?? []).toString(), '{"a":[1]}');
  const bytes = calledRequest({ method: "POST", path: "/x", bodyBase64: "//79" });
  assert.deepEqual([...(bytes.body ?? [])], [0xff, 0xfe, 0xfd]);
});

test("nothing that a client gives away goes unseen", () => {
  const { headers } = calledRequest({ method: "GET", path: "/x", secretKey: "abc", More: { b: 1 } });
  assert.deepEqual(headers, [
    ["secretkey", "abc"],
    ["more", '{"b":1}'],
  ]);
});
