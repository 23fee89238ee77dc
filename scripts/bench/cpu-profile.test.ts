import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { PATHS } from "../../conformance/paths.ts";
import { sourcesOf, spentIn } from "./cpu-profile.ts";

const frame = (functionName: string, path = "") => ({
  functionName,
  url: path === "" || path.startsWith("node:") ? path : pathToFileURL(join(PATHS.root, path)).href,
  lineNumber: 0,
  columnNumber: 0,
});

const PROFILE = {
  nodes: [
    { id: 1, callFrame: frame("(root)"), children: [2, 3] },
    { id: 2, callFrame: frame("(idle)") },
    { id: 3, callFrame: frame("play", "conformance/engine/play/play.ts"), children: [4, 5, 6] },
    { id: 4, callFrame: frame("signOneShot", "node:internal/crypto/sig") },
    { id: 5, callFrame: frame("parse") },
    { id: 6, callFrame: frame("writeUtf8String") },
  ],
  samples: [2, 3, 4, 5, 6, 2],
  timeDeltas: [400_000, 100_000, 300_000, 50_000, 50_000, 100_000],
};

test("the time of a thread is shared out to what its functions are for, the engine's own to their callers", () => {
  const { seconds, shares } = spentIn(PROFILE);
  assert.equal(seconds, 1);
  assert.deepEqual(
    [...shares].map(([part, share]) => [part, Number(share.toFixed(3))]),
    [
      ["waiting for something to come", 0.5],
      ["signatures, keys, digests", 0.3],
      ["playing steps", 0.15],
      ["pipes, sockets, messages of threads", 0.05],
    ],
  );
});

test("a thread is known by its sources", () => {
  assert.ok(sourcesOf(PROFILE).has("conformance/engine/play/play.ts"));
});
