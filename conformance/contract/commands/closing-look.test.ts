import assert from "node:assert/strict";
import { test } from "node:test";
import { type Letter, LIMITS, type Sight } from "./alphabet.ts";
import { closingLook } from "./closing-look.ts";

const build = (who: "alice" | "bob", key: 1 | 2, input: 1 | 2): Letter => ({
  kind: "build",
  who,
  key,
  input,
});
const wait = (span: string, edge: string): Letter => ({
  kind: "wait",
  limit: LIMITS.findIndex((limit) => limit.span === span && limit.edge === edge),
});

const look = (...sights: readonly Sight[]): readonly Letter[] => sights.map((at) => ({ kind: "look", at }));
const drafts = (letters: readonly Letter[]) => closingLook(letters).filter(({ kind }) => kind === "build");

test("each draft is asked for again, with other input, and again; then what is answered alike in any state", () => {
  assert.deepEqual(closingLook([build("alice", 1, 2), build("bob", 1, 1), build("alice", 1, 1)]), [
    build("alice", 1, 2),
    build("alice", 1, 1),
    build("alice", 1, 2),
    build("bob", 1, 1),
    build("bob", 1, 2),
    build("bob", 1, 1),
    ...look("foreign", "bare", "unkeyed", "profile", "terms", "sign", "send", "buy", "claim", "payout"),
  ]);
});

test("a draft that a restart or its half minute has ended is not asked for", () => {
  assert.deepEqual(drafts([build("alice", 1, 1), { kind: "restart" }]), []);
  assert.deepEqual(drafts([build("alice", 1, 1), wait("30s", "just-after")]), []);
  assert.deepEqual(drafts([build("alice", 1, 1), wait("1h", "just-before")]), []);
  assert.equal(drafts([build("alice", 1, 1), wait("30s", "just-before")]).length, 3);
  assert.equal(drafts([build("alice", 1, 1), { kind: "restart" }, build("alice", 2, 1)]).length, 3);
});

test("builds under fresh keys are not asked for again", () => {
  assert.deepEqual(drafts([{ kind: "spend" }, { kind: "invalid" }]), []);
});

test("a look opens no session", () => {
  assert.deepEqual(
    closingLook([{ kind: "challenge" }]),
    look("profile", "terms", "sign", "send", "buy", "claim", "payout"),
  );
});
