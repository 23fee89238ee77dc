import assert from "node:assert/strict";
import { test } from "node:test";
import { EXACT } from "../../engine/play/timekeeping.ts";
import { stepsOf } from "../../engine/search/commands.ts";
import { COMMANDS } from "./launch-commands.ts";
import { walks } from "./walks.ts";

const SEEDS = [1, 2, 3];
const firstOf = (seed: number, count: number) => {
  const source = walks(seed);
  return Array.from({ length: count }, () => source.next().value);
};

test("a seed has walks of its own, always the same", () => {
  assert.deepEqual(firstOf(1, 3), firstOf(1, 3));
  assert.notDeepEqual(firstOf(1, 3), firstOf(2, 3));
});

test("walks go on to states that none before them has met", () => {
  for (const seed of SEEDS) {
    const found = firstOf(seed, 48).map(({ newStates }) => newStates);
    assert.ok(Math.min(...found) > 0, `${found}`);
  }
});

test("hardly a command of a walk has nothing to act on", () => {
  for (const { commands } of SEEDS.flatMap((seed) => firstOf(seed, 8))) {
    const steps = stepsOf(commands, COMMANDS, EXACT, "1");
    assert.ok(steps.length > commands.length * 0.9, `${steps.length} steps of ${commands.length} commands`);
  }
});

test("restarts, hours, second sign-ins, crowds and pairs in flight are met on the way", () => {
  for (const seed of SEEDS) {
    const commands = firstOf(seed, 24).flatMap((walk) => walk.commands);
    for (const kind of ["restart", "session", "crowd", "together"])
      assert.ok(
        commands.some((command) => command.do === kind),
        `${kind}, seed ${seed}`,
      );
    const hours = commands.filter((command) => command.do === "wait" && command.since === "session");
    assert.ok(hours.length > 0, `no hour, seed ${seed}`);
  }
});
