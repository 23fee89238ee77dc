import assert from "node:assert/strict";
import { test } from "node:test";
import { ImplementationError } from "./adapter.ts";
import { firstUnmetNeed, readInfo } from "./info.ts";

const implementation = { name: "x", version: "1" };
const facts = { metadataHosts: ["a.example", "b.example"] };

test("a value that is null or not stated gets its default", () => {
  const stated = {
    implementation: { ...implementation, language: null },
    capabilities: { restart: null },
    facts,
  };
  assert.deepEqual(readInfo(stated, "x", "stdio", false), {
    implementation,
    capabilities: { clock: "virtual", restart: true, rawBody: true, concurrency: false },
    facts: { ...facts, signedBytes: "utf8", capacity: {} },
    transport: "stdio",
  });
});

for (const [change, message] of [
  [
    { implementation: { name: "x" } },
    "implementation.version must be a string that is not empty, got absent",
  ],
  [{ capabilities: "all" }, 'capabilities must be an object, got "all"'],
  [{ capabilities: { clock: "fake" } }, 'capabilities.clock must be "virtual" or "real", got "fake"'],
  [{ capabilities: { restart: "yes" } }, 'capabilities.restart must be true or false, got "yes"'],
  [{ capabilities: { instances: 0 } }, "capabilities.instances must be a positive integer, got 0"],
  [
    { capabilities: { rawbody: true } },
    'capabilities has the unknown name "rawbody"; did you mean "rawBody"?',
  ],
  [
    { capabilities: { "\u001b[1m": true } },
    'capabilities has the unknown name "\\u{1b}[1m"; ' +
      "use one of clock, restart, rawBody, concurrency, instances",
  ],
  [{ capabilites: {} }, 'unknown name "capabilites"; did you mean "capabilities"?'],
  [
    { facts: {} },
    "facts.metadataHosts must be two different host names without scheme, port, or path, got absent",
  ],
  [
    { facts: { metadataHosts: ["a.example:443", "b.example"] } },
    "facts.metadataHosts must be two different host names without scheme, port, or path, " +
      'got ["a.example:443","b.example"]',
  ],
  ...["a.example", "A.Example", "a.example.", "%61.example"].map(
    (host) =>
      [
        { facts: { metadataHosts: ["a.example", host] } },
        "facts.metadataHosts must be two different host names without scheme, port, or path, " +
          `got ["a.example","${host}"]`,
      ] as const,
  ),
  [
    { facts: { ...facts, operatorKey: "0OIl" } },
    'facts.operatorKey must be a base58 public key of 32 bytes, got "0OIl"',
  ],
  ...[0.5, 1001].map(
    (clockStepMs) =>
      [
        { facts: { ...facts, clockStepMs } },
        `facts.clockStepMs must be an integer from 1 to 1000, got ${clockStepMs}`,
      ] as const,
  ),
  [
    { facts: { ...facts, signedBytes: "utf-8" } },
    'facts.signedBytes must be "utf8" or "hex" or "base64" or "sha256" or "adapter", got "utf-8"',
  ],
  [
    { facts: { ...facts, capacity: { draft: 3 } } },
    'facts.capacity has the unknown name "draft"; did you mean "drafts"?',
  ],
] as const)
  test(`is refused: ${JSON.stringify(change)}`, () =>
    assert.throws(
      () => readInfo({ implementation, facts, ...change }, "facts.yaml", "http", true),
      new ImplementationError(`facts.yaml: ${message}`),
    ));

test("capabilities, facts, and the transport decide whether a need is met", () => {
  const http = readInfo({ implementation, facts, capabilities: { clock: "real" } }, "x", "http", true);
  assert.equal(firstUnmetNeed(http, ["http", "real-clock", "concurrency", "restart"]), undefined);
  assert.match(firstUnmetNeed(http, ["rawBody", "virtual-clock"]) ?? "", /^a clock that the kit can move/);
  assert.equal(firstUnmetNeed(http, ["operatorKey"]), "the fact operatorKey");
  const module = readInfo(
    { implementation, facts, capabilities: { rawBody: false } },
    "x",
    "in-process",
    true,
  );
  assert.equal(firstUnmetNeed(module, ["in-process", "virtual-clock", "restart"]), undefined);
  assert.match(firstUnmetNeed(module, ["rawBody"]) ?? "", /the exact text of the body/);
  assert.match(firstUnmetNeed(module, ["http"]) ?? "", /^a server/);
});
