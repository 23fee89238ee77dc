import assert from "node:assert/strict";
import { test } from "node:test";
import { type Command, FAULT, PROBES } from "./command.ts";
import { newBuilds } from "./command-arbitrary.ts";
import { keyedBuild, OTHER_INPUT, WAITS } from "./command-set.ts";
import { finalProbes } from "./final-probes.ts";

/** The first two waits lead to either side of the half minute, the last two to either side of the hour. */
const [BEFORE_HALF_MINUTE, AFTER_HALF_MINUTE] = WAITS as [Command, Command];
const BEFORE_HOUR = WAITS.at(-2) as Command;
const RESTART: Command = { do: "restart" };
const CHALLENGE: Command = { do: "challenge", who: "alice" };

const OF_ALICE = [FAULT.foreignCreator, FAULT.noBearer, FAULT.noKey].map((fault) => ({
  do: "invalid",
  who: "alice",
  key: 0,
  fault,
}));
const OF_ALL = PROBES.map((_, probe) => ({ do: "probe", probe }));
const drafts = (sequence: readonly Command[]) =>
  finalProbes(sequence).filter((command) => command.do === "build");

test("each draft is asked for again, with other input, and again; then what is answered alike in any state", () => {
  const [usual, other] = [keyedBuild("alice", 1, 0), keyedBuild("alice", 1, OTHER_INPUT)];
  const [ofBob, otherOfBob] = [keyedBuild("bob", 1, 0), keyedBuild("bob", 1, OTHER_INPUT)];
  assert.deepEqual(finalProbes([other, ofBob, usual]), [
    ...[other, usual, other],
    ...[ofBob, otherOfBob, ofBob],
    ...OF_ALICE,
    ...OF_ALL,
  ]);
  assert.equal(OF_ALL.length, 7);
});

test("a draft that a restart or its half minute has ended is not asked for", () => {
  const build = keyedBuild("alice", 1, 0);
  assert.deepEqual(drafts([build, RESTART]), []);
  assert.deepEqual(drafts([build, AFTER_HALF_MINUTE]), []);
  assert.deepEqual(drafts([build, BEFORE_HOUR]), []);
  assert.equal(drafts([build, BEFORE_HALF_MINUTE]).length, 3);
  assert.equal(drafts([build, RESTART, keyedBuild("alice", 2, 0)]).length, 3);
});

test("builds under fresh keys and builds at fault are not asked for again", () => {
  const invalid: Command = { do: "invalid", who: "alice", key: 1, fault: FAULT.foreignHost };
  assert.deepEqual(drafts([...newBuilds("alice", 4), invalid]), []);
});

test("probes open no session", () => {
  assert.deepEqual(finalProbes([CHALLENGE]), OF_ALL);
});
