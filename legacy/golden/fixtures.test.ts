import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import { test } from "node:test";
import { address } from "@solana/addresses";
import { getCompiledTransactionMessageDecoder } from "@solana/transaction-messages";
import { getTransactionDecoder } from "@solana/transactions";
import { responseSchemas } from "../contract/judge/response-schemas.ts";
import { keyPairOf } from "../contract/keys/key-pair.ts";
import { operationOf } from "../contract/operations.ts";
import { readYaml } from "../engine/data/yaml-source.ts";
import { matchesOutcome } from "../engine/outcome.ts";
import { PATHS } from "../paths.ts";
import { contract } from "../testing/contract-data.ts";
import { golden } from "../testing/golden/kit-fixtures.ts";
import { exchangesOf, GOLDEN_VERSION, type JsonObject } from "./fixture.ts";

const exchanges = golden.fixtures.flatMap(exchangesOf);

test("the folder holds what the index names, byte for byte, and nothing else", () => {
  const files = golden.index.fixtures.map(({ file }) => file);
  assert.deepEqual(readdirSync(PATHS.golden).sort(), [...files, "index.json"].sort());
  assert.deepEqual(golden.altered, []);
  assert.deepEqual(golden.index.omitted, []);
});

test("the version of every fixture is the contract's and a revision", () => {
  const { info } = readYaml(PATHS.openapi).value as { info: { version: string } };
  assert.match(GOLDEN_VERSION, new RegExp(`^${info.version}\\+golden\\.\\d+$`));
  for (const { contract: name, version } of [golden.index, ...golden.fixtures]) {
    assert.equal(name, info.version);
    assert.equal(version, GOLDEN_VERSION);
  }
});

test("every error code of the contract occurs, with its status", () => {
  const listed = [400, 401, 404, 409, 413, 429].flatMap((status) =>
    [...(responseSchemas().codes(status) ?? [])].map((code) => `${status} ${code}`),
  );
  const seen = exchanges.map(({ response }) => `${response.status} ${String(response.body["code"])}`);
  assert.equal(listed.length, 18);
  assert.deepEqual(
    listed.filter((outcome) => !seen.includes(outcome)),
    [],
  );
});

test("every operation occurs with every status that the reference can give it", () => {
  const seen = new Map<string, Set<number>>();
  for (const { request, response } of exchanges) {
    const operation = operationOf(request.method, request.path);
    seen.set(operation, (seen.get(operation) ?? new Set()).add(response.status));
  }
  const statuses = Object.fromEntries([...seen].map(([operation, set]) => [operation, [...set].sort()]));
  // No request makes the reference answer a challenge with 401, which the contract allows.
  assert.deepEqual(statuses, {
    platform: [200],
    challenge: [200, 400, 413, 429],
    verify: [200, 400, 401, 413, 429],
    build: [200, 400, 401, 409, 413, 429],
    other: [404],
  });
});

test("every rule and open point that a fixture names exists", () => {
  for (const { rules } of golden.fixtures)
    for (const rule of rules) assert.ok(contract.rules.has(rule), rule);
  for (const { open } of exchanges) assert.ok(open === undefined || contract.points.has(open), open);
});

test("each answer to an open point is an accepted one, and the reading that the reference states", () => {
  const open = exchanges.filter((exchange) => exchange.open !== undefined);
  assert.ok(open.length > 40);
  for (const { response, accepts, open: id = "" } of open) {
    const { status, body } = response;
    assert.ok(
      accepts?.some((outcome) => matchesOutcome(outcome, status, body["code"])),
      id,
    );
    const point = contract.points.get(id);
    const own = point?.readings.find((reading) => reading.id === point.reference)?.outcome;
    assert.ok(own !== undefined && matchesOutcome(own, status, body["code"]), id);
  }
});

test("every unsigned transaction decodes, and has its signers, empty signatures and hash in their places", () => {
  const drafts = exchanges.filter(
    ({ request, response }) =>
      operationOf(request.method, request.path) === "build" && response.status === 200,
  );
  assert.ok(drafts.length > 30);
  for (const { request, response } of drafts) checkDraft(JSON.parse(request.body ?? ""), response.body);
});

function checkDraft(request: { readonly creator: string; readonly mint: string }, draft: JsonObject): void {
  const bytes = Buffer.from(String(draft["unsignedTransactionBase64"]), "base64");
  const { messageBytes, signatures } = getTransactionDecoder().decode(bytes);
  const [creator, mint] = [address(request.creator), address(request.mint)];
  assert.deepEqual(Object.entries(signatures), [
    [creator, null],
    [mint, null],
  ]);
  const message = getCompiledTransactionMessageDecoder().decode(messageBytes);
  assert.equal(message.header.numSignerAccounts, 2);
  assert.deepEqual(message.staticAccounts.slice(0, 2), [creator, mint]);
  assert.deepEqual(draft["requiredSigners"], [creator, mint]);
  assert.equal(bytes[0], 2);
  assert.ok(bytes.subarray(1, 129).every((byte) => byte === 0));
  assert.equal(
    draft["messageHash"],
    createHash("sha256").update(Uint8Array.from(messageBytes)).digest("hex"),
  );
}

test("the published keys are the pairs of their labels, and the creators and mints of the requests", () => {
  const named = { creator: 0, mint: 0 };
  for (const fixture of golden.fixtures) {
    const published = new Set<unknown>();
    for (const { label, publicKey, privateKeyHex } of Object.values(fixture.keys)) {
      assert.equal(privateKeyHex, createHash("sha256").update(label).digest("hex"));
      assert.equal(publicKey, keyPairOf(label.replace("launch-draft-conformance ", "")).address);
      published.add(publicKey);
    }
    for (const { request, response } of exchangesOf(fixture).filter((one) => one.response.status === 200)) {
      if (request.body === undefined) continue;
      const { creator = response.body["creator"], mint } = JSON.parse(request.body) as JsonObject;
      for (const [name, key] of [
        ["creator", creator],
        ["mint", mint],
      ] as const) {
        if (key === undefined) continue;
        assert.ok(published.has(key), fixture.name);
        named[name] += 1;
      }
    }
  }
  assert.ok(named.creator > 100 && named.mint > 30, JSON.stringify(named));
});

test("no id and no bearer is given out twice in one fixture, also after a restart", () => {
  for (const fixture of golden.fixtures) {
    const given = exchangesOf(fixture).flatMap(
      ({ response: { body } }) => body["id"] ?? body["bearer"] ?? [],
    );
    assert.equal(new Set(given).size, given.length, fixture.name);
    if (fixture.name === "restart") assert.ok(given.length >= 4, "a challenge and a session on either side");
  }
  assert.ok(golden.fixtures.some(({ name }) => name === "restart"));
});

test("the HTTP form carries the same body bytes and credentials as the call", () => {
  for (const { request, response, http } of exchanges) {
    const { method, path, headers, ...body } = http.request;
    const { bearer, idempotencyKey, ...call } = request;
    assert.deepEqual({ method, path, ...body }, call);
    const value = (name: string) => headers.find((header) => header.name === name)?.value;
    assert.equal(value("authorization"), bearer === undefined ? undefined : `Bearer ${bearer}`);
    assert.equal(value("idempotency-key"), idempotencyKey);
    assert.equal(http.response.status, response.status);
    assert.deepEqual(JSON.parse(http.response.body), response.body);
  }
});

test("steps are numbered from 1, and the clock runs through them", () => {
  for (const { name, steps } of golden.fixtures) {
    let now = steps[0]?.nowMs ?? 0;
    for (const [index, step] of steps.entries()) {
      assert.equal(step.step, index + 1, name);
      assert.equal(step.nowMs, now, name);
      if (step.kind === "advance") now += step.ms;
    }
  }
});
