import assert from "node:assert/strict";
import { test } from "node:test";
import { loadKitData } from "../contract/kit-data.ts";
import { spoiled } from "../testing/reference.ts";
import { judgedService, judgeMutant } from "./judge.ts";
import type { Mutant } from "./suite.ts";

const { contract, suites } = loadKitData();
const FEW = /^(?:platform\/(?:constants|keys)|challenge\/issued|session\/issued)/;
const kit = { contract, suites: { ...suites, vectors: suites.vectors.filter(({ id }) => FEW.test(id)) } };

const entryOf = (rule: string): Mutant => ({
  id: "session/sample",
  title: "a sample",
  why: "a slip",
  breaks: [rule],
  edits: [],
  place: { file: "suite.yaml", line: 1 },
});
const SCOPE = spoiled((answer) => {
  if (answer.body.scope !== undefined) answer.body.scope = "everything";
});
const SCOPE_AND_MODE = spoiled((answer) => {
  if (answer.body.scope !== undefined) answer.body.scope = "everything";
  if (answer.body.mode !== undefined) answer.body.mode = "ONLINE";
});

test("the first failure is that of the entry where nothing else fails before it", async () => {
  const { first, caughtBy } = await judgeMutant(entryOf("SESSION-3"), judgedService(SCOPE, kit));
  assert.deepEqual([first?.id, first?.rule], ["session/issued/between-seconds", "SESSION-3"]);
  assert.ok((caughtBy["SESSION-3"] ?? []).length > 0);
});

test("a vector that is not about the entry comes first where it fails before", async () => {
  const { first } = await judgeMutant(entryOf("SESSION-3"), judgedService(SCOPE_AND_MODE, kit));
  assert.deepEqual([first?.id, first?.rule], ["platform/constants/between-seconds", "PLATFORM-1"]);
});

test("what is only met on the way is told where there is nothing else", async () => {
  const challenges = kit.suites.vectors.filter(({ suite }) => suite === "challenge");
  const few = { contract, suites: { ...suites, vectors: challenges } };
  const { first } = await judgeMutant(entryOf("SESSION-3"), judgedService(SCOPE_AND_MODE, few));
  assert.deepEqual([first?.id, first?.rule], ["challenge/issued/between-seconds", "PLATFORM-1"]);
});

test("where nothing fails, nothing is first", async () => {
  const { first, allBroken } = await judgeMutant(
    entryOf("SESSION-3"),
    judgedService(
      spoiled(() => undefined),
      kit,
    ),
  );
  assert.deepEqual([first, allBroken], [undefined, []]);
});
