import assert from "node:assert/strict";
import { test } from "node:test";
import type { TraceEntry } from "../../engine/play/result.ts";
import { answerHtml, requestHtml, timelineHtml } from "./exchange.ts";

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

const answer = (response: unknown, ...differences: Parameters<typeof answerHtml>[1]) =>
  String(answerHtml(response, differences))
    .replaceAll(/<\/?bdi>/g, "")
    .replaceAll("&quot;", '"');

test("the member that differs is marked, with what was expected of it", () => {
  const text = answer(
    { status: 200, body: { cost: { accounts: [{ kind: "pool" }], reserveLamports: 1 } } },
    { path: "cost.reserveLamports", expected: "1000000", got: "1" },
    { path: "cost.accounts.0.kind", expected: "one of these", got: '"pool"' },
  );
  assert.match(text, /<mark>.*reserveLamports.*: 1<\/mark> <span class="want">expected 1000000<\/span>/);
  assert.match(text, /<mark>.*kind.*"pool"<\/mark> <span class="want">expected one of these<\/span>/);
  assert.equal(text.match(/<mark>/g)?.length, 2);
  assert.doesNotMatch(text, /differences/);
});

test("a wrong status is marked at the status, a wrong code under the right one at the code", () => {
  const status = answer(
    { status: 200, body: {} },
    { path: "status", expected: "400 METADATA_URL", got: "200" },
  );
  assert.match(status, /<mark>200<\/mark> <span class="want">expected 400 METADATA_URL/);
  const code = answer(
    { status: 401, body: { code: "INVALID_PROOF" } },
    { path: "status", expected: "200, or 401 UNAUTHORIZED", got: "401 INVALID_PROOF" },
  );
  assert.match(code, /<mark>.*INVALID_PROOF.*<\/mark>/);
  assert.doesNotMatch(code, /<mark>401/);
});

test("what is absent from the answer, or was cut off, is listed below it", () => {
  const absent = answer({ status: 200, body: {} }, { path: "code", expected: "present", got: "absent" });
  assert.match(absent, /<ul class="differences"><li><code>code<\/code>: <mark>absent<\/mark>/);
  const cut = answer({ status: 200, cut: "{…" }, { path: "code", expected: "present", got: "absent" });
  assert.match(cut, /<ul class="differences">/);
});

test("an answer that is no envelope is shown as it is", () => {
  assert.match(answer(null), /null/);
  assert.match(answer("text"), /"text"/);
  assert.match(answer({ body: [] }), /\[\]/);
  assert.match(answer(undefined), /nothing/);
});

test("time passes from one step to the next, and never back", () => {
  const at = (step: string, clockMs: number): TraceEntry => ({
    step,
    place: { file: "a.yaml", line: 1 },
    clockMs,
    request: { method: "GET", path: "/" },
    response: null,
  });
  const text = String(timelineHtml([at("1.1", 0), at("1.2", 2_200), at("2.1", 0), at("2.2", 0)], new Set()));
  assert.deepEqual(text.match(/[-\d.]+ s pass/g), ["2.200 s pass"]);
});
