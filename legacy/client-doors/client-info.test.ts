import assert from "node:assert/strict";
import { test } from "node:test";
import { clientInfo } from "./client-info.ts";

test("who a client is has defaults, and names for what it does not have are its own", () => {
  assert.deepEqual(clientInfo({}, "client.py", "initialize"), {
    client: { name: "client.py", version: "unstated" },
    facts: {},
  });
  const stated = {
    client: { name: "mine", version: "2", language: "Go", "x-team": 7 },
    facts: { signedBytes: "hex", "x-own": 1 },
  };
  assert.deepEqual(clientInfo(stated, "client", "initialize"), {
    client: { name: "mine", version: "2", language: "Go" },
    facts: stated.facts,
  });
});

for (const [stated, message] of [
  [{ client: 7 }, "initialize: client must be an object, not 7"],
  [{ client: { name: "" } }, 'initialize: client.name must be a text, not ""'],
  [
    { client: { nmae: "x" } },
    "initialize: client.nmae is no name of the protocol; there are name, version, language",
  ],
  [{ facts: [] }, "initialize: facts must be an object, not []"],
  [{ facts: { signed: 1 } }, "initialize: facts.signed is no name of the protocol; there is signedBytes"],
  [
    { facts: { signedBytes: "latin1" } },
    'initialize: facts.signedBytes must be one of utf8, hex, base64, sha256, not "latin1"',
  ],
] as const) {
  test(`a client that states ${JSON.stringify(stated)} is told so in one line`, () => {
    assert.throws(() => clientInfo(stated, "client", "initialize"), { name: "AdapterFault", message });
  });
}
