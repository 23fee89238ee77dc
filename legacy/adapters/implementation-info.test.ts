import assert from "node:assert/strict";
import { test } from "node:test";
import { initializeResult } from "./implementation-info.ts";

const implementation = { name: "x", version: "1", language: "Go" };
const facts = { metadataHosts: ["a.example", "b.example"] };
const result = { protocol: 1, implementation, capabilities: {}, facts };

test("what is given is kept and what is absent has its default", () => {
  assert.deepEqual(initializeResult({ ...result, capabilities: { restart: false } }), {
    implementation,
    capabilities: { clock: "virtual", restart: false, rawBody: true, concurrency: false },
    facts: { ...facts, signedBytes: "utf8", capacity: {} },
  });
  const full = {
    implementation,
    capabilities: { clock: "real", restart: false, rawBody: false, concurrency: true },
    facts: { ...facts, operatorKey: "1".repeat(32), signedBytes: "hex", capacity: { drafts: 3 } },
  };
  assert.deepEqual(initializeResult({ protocol: 1, ...full }), full);
});

const host = (value: unknown) => ({ ...result, facts: { metadataHosts: ["a.example", value] } });
for (const [given, message] of [
  [undefined, "no protocol version, but the kit speaks version 1"],
  ["x", "no protocol version, but the kit speaks version 1"],
  [{ ...result, protocol: 2 }, "protocol version 2, but the kit speaks version 1"],
  [{ ...result, protocol: "1" }, 'protocol version "1", but the kit speaks version 1'],
  [{ protocol: 1, facts }, "implementation is missing"],
  [{ ...result, implementation: { name: "x" } }, "implementation.version is missing"],
  [{ ...result, implementation: { name: "", version: "1" } }, "implementation.name must not be empty"],
  [{ ...result, implementation: { name: "x", version: 1 } }, "implementation.version must be a text, not 1"],
  [{ protocol: 1, implementation }, "facts is missing"],
  [{ ...result, facts: {} }, "facts.metadataHosts is missing"],
  [{ ...result, facts: { metadataHosts: ["a"] } }, 'facts.metadataHosts must be two strings, not ["a"]'],
  [host("https://b"), 'facts.metadataHosts.1 must be a bare host name, not "https://b"'],
  [host(5), "facts.metadataHosts.1 must be a text, not 5"],
  [
    { ...result, facts: { ...facts, operatorKey: "0" } },
    'facts.operatorKey must be a base58 public key, not "0"',
  ],
  [
    { ...result, facts: { ...facts, signedBytes: "UTF8" } },
    'facts.signedBytes must be one of utf8, hex, base64, sha256, adapter, not "UTF8"',
  ],
  [
    { ...result, facts: { ...facts, capacity: { drafts: "9" } } },
    'facts.capacity.drafts must be a whole number, not "9"',
  ],
  [
    { ...result, capabilities: { clock: "fake" } },
    'capabilities.clock must be one of virtual, real, not "fake"',
  ],
  [{ ...result, capabilities: { restart: "yes" } }, 'capabilities.restart must be true or false, not "yes"'],
  [
    { ...result, capabilities: { concurency: true } },
    'capabilities.concurency is no name of the protocol (did you mean "concurrency"?)',
  ],
  [
    { ...result, capabilities: { snapshots: true } },
    "capabilities.snapshots is no name of the protocol; there are clock, restart, rawBody, concurrency, instances, and x-… for your own",
  ],
  [{ ...result, capabilities: { instances: 0 } }, "capabilities.instances must be 1 or more, not 0"],
  [
    { ...result, facts: { ...facts, signedbytes: "hex" } },
    'facts.signedbytes is no name of the protocol (did you mean "signedBytes"?)',
  ],
  [
    { ...result, facts: { ...facts, capacity: { chalenges: 4 } } },
    'facts.capacity.chalenges is no name of the protocol (did you mean "challenges"?)',
  ],
  [
    { protocol: 1, implementation, facts, capabilites: {} },
    'capabilites is no name of the protocol (did you mean "capabilities"?)',
  ],
] as const) {
  test(`initialize is refused: ${message}`, () => {
    assert.throws(() => initializeResult(given), {
      name: "AdapterFault",
      fatal: true,
      message: `initialize: ${message}`,
    });
  });
}

test("names of an adapter's own are let be, more may be said of the implementation, and null is absent", () => {
  const info = initializeResult({
    ...result,
    "x-log": "here",
    implementation: { ...implementation, language: null, commit: "abc" },
    capabilities: { restart: false, "x-snapshots": true, instances: 4, snapshots: null },
    facts: { ...facts, operatorKey: null, capacity: null, "x-region": "here" },
  });
  assert.equal(info.capabilities.restart, false);
  assert.deepEqual(info.facts.capacity, {});
  assert.equal(info.facts.operatorKey, undefined);
});
