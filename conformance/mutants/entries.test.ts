import assert from "node:assert/strict";
import { test } from "node:test";
import type { Adapter } from "../adapters/adapter.ts";
import { BUILDS_PER_MINUTE } from "../contract/constants.ts";
import { readServiceContract } from "../contract/contract.ts";
import { RATE_WINDOW_MS } from "../contract/refusals.ts";
import { PROPERTIES } from "../properties/index.ts";
import { run } from "../run/run.ts";
import { loadKitVectors } from "../suite/load.ts";
import { readEntries } from "./entries.ts";
import { judgeEntry, openService, serviceSubject } from "./judge.ts";

const entries = readEntries(readServiceContract());

test("entries of different files have different IDs", () => {
  assert.equal(new Set(entries.map(({ id }) => id)).size, entries.length);
});

test("if a mutant names a property, the property exists and the edits of the mutant apply", () => {
  const ids = PROPERTIES.map(({ id }) => id);
  const hidden = entries.filter((entry) => entry.kind === "mutant" && entry.property !== undefined);
  assert.ok(hidden.length > 0);
  for (const entry of hidden) {
    assert.ok(entry.sources().size > 0);
    assert.ok(entry.kind === "mutant" && ids.includes(`property/${entry.property}`), entry.id);
  }
});

test("a mutant is caught by its property, and survives if only a rule that it does not name is violated", async () => {
  const mutant = entries.find(({ id }) => id === "hidden/host-of-a-long-uri-ignored");
  assert.ok(mutant?.kind === "mutant");
  const subject = serviceSubject();
  assert.deepEqual(await judgeEntry(subject, mutant), []);
  const problems = await judgeEntry(subject, { ...mutant, breaks: ["SESSION-7"] });
  assert.match(problems.join(), /^SESSION-7 not violated; property\/uris, step 1: LAUNCH-30: /);
});

test("on a real clock, a variant whose limit allows another build between two requests is accepted", async () => {
  const variant = entries.find(({ id }) => id === "conforming/places-at-each-twelfth-second");
  assert.ok(variant !== undefined);
  const contract = readServiceContract();
  const inner = await openService(variant);
  const { info } = inner;
  const starts: number[] = [];
  // The service starts 50 ms before a build is allowed again, and each response takes 10 ms.
  let nowMs = Date.UTC(2026, 9, 10, 12) + RATE_WINDOW_MS / BUILDS_PER_MINUTE - 50;
  const adapter: Adapter = {
    info: { ...info, capabilities: { ...info.capabilities, clock: "real" } },
    ...{ hasSeparateServices: true, lost: undefined },
    start: async () => {
      starts.push(nowMs);
      const service = await inner.start(nowMs);
      const handle = service.handle.bind(service);
      service.handle = async (request) => {
        await service.advance(10);
        nowMs = service.nowMs;
        return handle(request);
      };
      return service;
    },
    bytesToSign: (message) => inner.bytesToSign(message),
    close: () => inner.close(),
  };
  const { results } = await run(contract, loadKitVectors(contract), adapter, {
    selection: { only: ["rate-limit/new-session"] },
  });
  assert.deepEqual(
    results.map(({ outcome }) => outcome),
    ["passed"],
  );
  assert.equal(starts.length, 2);
});
