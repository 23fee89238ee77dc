import assert from "node:assert/strict";
import { test } from "node:test";
import { requestHtml } from "./request.ts";

const request = (body: string) =>
  String(requestHtml({ method: "POST", path: "/v1/x", body, bearer: "b", idempotencyKey: "k" }))
    .replaceAll(/<[^>]+>/g, "")
    .replaceAll("&quot;", '"');

test("a body of plain JSON stands one member a line", () => {
  assert.equal(request('{"a":1}'), 'POST /v1/x\nbearer b\nidempotency key "k"\n{\n  "a": 1\n}\n');
});

test("a body whose spelling would be lost stands as it was sent", () => {
  for (const body of ['{"a": 1}', '{"a":1,"a":2}', '{"a":"\\u0061"}', "{", "", "1e1"]) {
    assert.ok(request(body).endsWith(`"k"\n${body}\n`), body);
  }
});
