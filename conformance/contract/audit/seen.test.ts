import assert from "node:assert/strict";
import { test } from "node:test";
import { asRecorded } from "../traffic/secret-masks.ts";
import { exchangeOf } from "./seen.ts";

test("a masked signature is judged as one, and shown as it was recorded", () => {
  const shown = (mask: string) => {
    const body = `{"id":"x", "signatureBase64" : "${mask}"}`;
    const request = { method: "POST", path: "/v1/auth/verify", body };
    const recorded = {
      kind: "exchange" as const,
      source: { file: "a", line: 1 },
      startedMs: 0,
      endedMs: 1,
      request,
      credentials: "none" as const,
      response: { status: 200, body: "{}" },
    };
    const exchange = exchangeOf(recorded, "unknown");
    assert.ok(exchange !== undefined && exchange.request.body !== body);
    assert.match(String(exchange.request.body), /"[A-Za-z0-9+/]{86}=="/);
    return [asRecorded(exchange.request).body, body];
  };
  for (const mask of ["masked:7c2e90", "masked:bwhgjSGiJsLpwhTGYtUVfh", `masked:${"0".repeat(57)}`]) {
    const [told, body] = shown(mask);
    assert.equal(told, body);
  }
  const request = { method: "POST", path: "/", body: `{"signatureBase64":"${"A".repeat(86)}=="}` };
  assert.deepEqual(asRecorded(request), request);
});

test("what only servers in between answer is no answer, unless it has the service's words", () => {
  const request = { method: "GET", path: "/v1/platform" };
  const answered = (status: number, body: string) =>
    exchangeOf(
      {
        kind: "exchange",
        source: { file: "a", line: 1 },
        startedMs: 0,
        endedMs: 1,
        request,
        credentials: "none",
        response: { status, body },
      },
      undefined,
    )?.status;
  for (const status of [304, 408, 431, 494, 499, 502, 503, 504, 520, 530]) {
    assert.equal(answered(status, "<h1>no</h1>"), undefined);
    assert.equal(answered(status, '{"code":"UNAUTHORIZED"}'), status);
  }
  for (const status of [200, 307, 400, 403, 413, 429, 500, 501]) assert.equal(answered(status, "no"), status);
});
