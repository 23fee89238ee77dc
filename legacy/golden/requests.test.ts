import assert from "node:assert/strict";
import { test } from "node:test";
import { golden } from "../testing/golden/kit-fixtures.ts";
import type { ExchangeStep } from "./fixture.ts";
import { substitute, substitutionsIn } from "./requests.ts";

function answered(step: number, body: Readonly<Record<string, unknown>>): ExchangeStep {
  const http = {
    request: { method: "GET", path: "/", headers: [] },
    response: { status: 200, headers: [], body: "" },
  };
  return {
    kind: "exchange",
    step,
    nowMs: 0,
    request: { method: "GET", path: "/" },
    response: { status: 200, body },
    http,
  };
}

const facts = {
  metadataHosts: ["a.example", "b.example"],
  signedBytes: "utf8",
  capacity: {},
  operatorKey: "operator",
} as const;
const earlier = [answered(1, { id: "first-id", message: "sign me" }), answered(2, { bearer: "secret" })];
const proofs = new Map([["c2lnbmF0dXJl", { by: "alice", text: "sign me", signature: "s-plus-l" as const }]]);

test("what a request takes from earlier answers, from facts and from keys is found in it", () => {
  const body =
    '{"id":"first-id","signatureBase64":"c2lnbmF0dXJl","uri":"https://b.example/","mint":"operator"}';
  const request = { method: "POST", path: "/", body, bearer: "secret" };
  assert.deepEqual(substitutionsIn(request, earlier, proofs, facts), [
    { value: "first-id", step: 1, pointer: "/id" },
    { value: "secret", step: 2, pointer: "/bearer" },
    { value: "c2lnbmF0dXJl", proof: { by: "alice", step: 1, pointer: "/message", signature: "s-plus-l" } },
    { value: "b.example", fact: "/metadataHosts/1" },
    { value: "operator", fact: "/operatorKey" },
  ]);
});

test("what a request does not hold, or holds otherwise, is not", () => {
  const request = { method: "POST", path: "/", body: '{"id":"second-id"}', bearer: "secret-and-more" };
  assert.deepEqual(substitutionsIn(request, earlier, proofs, facts), []);
});

test("every occurrence is replaced, and nothing in a replacement is special", () => {
  const request = { method: "POST", path: "/", body: '["id","id"]', bearer: "id", idempotencyKey: "id-key" };
  assert.deepEqual(substitute(request, [["id", "$&$1"]]), {
    method: "POST",
    path: "/",
    body: '["$&$1","$&$1"]',
    bearer: "$&$1",
    idempotencyKey: "$&$1-key",
  });
});

test("every proof, bearer, id and host in the kit's fixtures can be replaced", () => {
  const found = { bearers: 0, signatures: 0, ids: 0, hosts: 0 };
  for (const { name, steps } of golden.fixtures) {
    const issued = new Set<unknown>();
    for (const step of steps) {
      if (step.kind !== "exchange") continue;
      const { request, substitutions = [] } = step;
      const values = new Set(substitutions.map(({ value }) => value));
      const given = /^[A-Za-z0-9_-]{43}$/.test(request.bearer ?? "") ? [request.bearer] : [];
      const { id = "", signatureBase64 = "", uri = "" } = members(request.body);
      const ids = issued.has(id) ? [id] : [];
      issued.add(step.response.body["id"]);
      const signature = /^[A-Za-z0-9+/]{86}==$/.test(signatureBase64) ? [signatureBase64] : [];
      const hosts = golden.index.facts.metadataHosts.filter((host) => uri.includes(host));
      for (const value of [...given, ...signature, ...ids, ...hosts])
        assert.ok(values.has(value ?? ""), `${name} ${step.step}`);
      found.bearers += given.length;
      found.signatures += signature.length;
      found.ids += ids.length;
      found.hosts += hosts.length;
    }
  }
  assert.ok(Math.min(...Object.values(found)) > 50, JSON.stringify(found));
});

function members(body: string | undefined): Readonly<Record<string, string>> {
  try {
    const entries = Object.entries(JSON.parse(body ?? "{}") ?? {});
    return Object.fromEntries(
      entries.filter((entry): entry is [string, string] => typeof entry[1] === "string"),
    );
  } catch {
    return {};
  }
}
