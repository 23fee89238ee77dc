import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { AdapterFault } from "../../adapters/adapter.ts";
import { GREETER } from "../../testing/greeter/greeter-contract.ts";
import { type Greeted, greeterDoor } from "../../testing/greeter/greeter-door.ts";
import { runGreeter } from "../../testing/greeter/run-greeter.ts";
import type { ClientContract } from "./client-contract.ts";

type Entry = Readonly<Record<string, unknown>>;

/** The greeter's contract, with a search among answers that are lost and waits that are asked for. */
const SEARCHED: ClientContract = {
  ...GREETER,
  search: {
    name: "greetings",
    title: "a client keeps its rules with any greeter",
    rules: ["GREET-2"],
    entries: async () =>
      fc.record({
        waits: fc.nat(3),
        loses: fc.nat(3),
        steps: fc.array(fc.record({ greet: fc.constantFrom("ann", "bob", "eve") }), {
          minLength: 1,
          maxLength: 3,
        }),
      }),
    simpler: ({ steps, ...rest }: Entry) => {
      const greeted = steps as readonly Entry[];
      return greeted.length === 1
        ? []
        : greeted.map((_, place) => ({ ...rest, steps: greeted.toSpliced(place, 1) }));
    },
  },
};

/** Asks until it is greeted. Eve it cannot greet where an answer was lost on the way, which no vector tries. */
const shyOfEve: Greeted = async (name, { ask, sleep }) => {
  for (let tries = 0; tries < 8; tries += 1) {
    const [status, body] = await ask(`/greet/${name}`).catch(() => {
      if (name === "eve") throw new AdapterFault("the client fell over", { fatal: true });
      return [0, undefined];
    });
    if (status === 200) return body;
    await sleep(100);
  }
  return { refused: {} };
};

const patient: Greeted = (name, tools) =>
  shyOfEve(name === "eve" ? "ann" : name, tools).then((greeting) =>
    name === "eve" ? { greeting: "Hello, eve!" } : greeting,
  );

test("the search comes after the vectors, and passes where nothing is found", async () => {
  const { results, runs, verdict } = await runGreeter(greeterDoor(patient), { contract: SEARCHED, runs: 10 });
  const last = results.at(-1);
  assert.deepEqual(
    [last?.id, last?.outcome, runs, verdict],
    ["property/greetings", "passed", 10, "conforms"],
  );
});

test("what it finds is a vector, made small, of a client that is started anew after each fall", async () => {
  let opened = 0;
  const door = greeterDoor(shyOfEve, 2, () => {
    opened += 1;
  });
  const { results, exitStatus } = await runGreeter(door, { contract: SEARCHED, runs: 40 });
  const found = results.at(-1);
  assert.deepEqual([found?.outcome, found?.failures[0]?.rule, exitStatus], ["failed", "GREET-2", 1]);
  assert.match(found?.vector ?? "", / {4}loses: 1\n {4}steps:\n {6}- greet: eve\n$/);
  assert.ok(opened > 2);
});

test("where vectors fail, or no runs are asked for, nothing is searched", async () => {
  const rude: Greeted = async () => ({});
  const failed = await runGreeter(greeterDoor(rude), { contract: SEARCHED, runs: 10 });
  assert.deepEqual(
    [failed.results.at(-1)?.outcome, failed.results.at(-1)?.reason],
    ["skipped", "not run: what the vectors tell is to be mended first"],
  );
  const { results } = await runGreeter(greeterDoor(patient), { contract: SEARCHED, runs: 0 });
  assert.ok(results.every(({ kind }) => kind === "vector"));
});

test("a search can be chosen by its id, and a run that is stopped leaves it out", async () => {
  const chosen = { contract: SEARCHED, runs: 5, only: ["property/*"] };
  const { results } = await runGreeter(greeterDoor(patient), chosen);
  assert.deepEqual(
    results.map(({ id }) => id),
    ["property/greetings"],
  );
  const stopped = await runGreeter(greeterDoor(patient), { ...chosen, stopped: () => "stopped by hand" });
  assert.deepEqual(
    stopped.results.map(({ outcome, reason }) => [outcome, reason]),
    [["skipped", "stopped by hand"]],
  );
});
