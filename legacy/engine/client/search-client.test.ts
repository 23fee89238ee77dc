import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Failure, Result } from "../play/result.ts";
import type { ClientContract } from "./client-contract.ts";
import type { ClientVector } from "./client-vector.ts";
import { searchClient } from "./search-client.ts";

/** Numbers, of which a client may stumble over some. */
const search = {
  name: "numbers",
  title: "a client takes any numbers",
  rules: ["NUMBER-1"],
  entries: async () => fc.record({ steps: fc.array(fc.nat(99), { minLength: 1, maxLength: 6 }) }),
  simpler: ({ steps }: Readonly<Record<string, unknown>>) => {
    const numbers = steps as readonly number[];
    return numbers.length === 1 ? [] : numbers.map((_, place) => ({ steps: numbers.toSpliced(place, 1) }));
  },
};

const rule = (id: string) =>
  ({ id, area: "number", section: "", level: "required", statement: "", observable: true }) as const;

const contract = {
  id: "numbers-1",
  areas: new Map([["number", "Numbers"]]),
  rules: new Map(["NUMBER-1", "NUMBER-2"].map((id) => [id, rule(id)])),
  points: new Map(),
  mostRequests: 1,
  compile: (entry) => ({ steps: entry["steps"] }),
  stage: () => Promise.reject(new Error("nothing is staged here")),
} satisfies ClientContract;

function failure(broken: string): Failure {
  const place = { file: "numbers", line: 1 };
  const told = { message: "stumbles", step: "1", place, clockMs: 0, expected: "a number", got: "a fall" };
  return { rule: broken, rules: [broken], ...told, differences: [] };
}

function resultOf({ id, title, rules, place: source }: ClientVector, broken: readonly string[]): Result {
  const nothing = { incidental: [], observations: [], advice: [], trace: [] };
  const outcome = broken.length === 0 ? "passed" : "failed";
  return { id, kind: "vector", title, rules, source, outcome, failures: broken.map(failure), ...nothing };
}

/** Searches a client that breaks these rules for those numbers. */
function searched(
  brokenBy: (numbers: readonly number[]) => readonly string[],
  {
    seed = 1,
    jobs = 1,
    count = 50,
    cut,
  }: { seed?: number; jobs?: number; count?: number; cut?: "overdue" } = {},
) {
  const played: string[] = [];
  const play = async (vector: ClientVector) => {
    const numbers = vector.scenario["steps"] as readonly number[];
    played.push(numbers.join(" "));
    const broken = brokenBy(numbers);
    return { result: resultOf(vector, broken), ...(broken.length === 0 || cut === undefined ? {} : { cut }) };
  };
  const result = searchClient({ contract, search, seed, jobs, cases: { from: 0, count }, play });
  return result.then((told) => ({ result: told, played }));
}

const large = (numbers: readonly number[]) => (numbers.some((one) => one > 40) ? ["NUMBER-2"] : []);

test("a client that stumbles over nothing passes, after as many cases as were asked for", async () => {
  const { result, played } = await searched(() => []);
  assert.deepEqual([result.id, result.outcome, played.length], ["property/numbers", "passed", 50]);
});

test("what breaks a client once and never again is told without a vector", async () => {
  let times = 0;
  const { result } = await searched(() => (++times === 7 ? ["NUMBER-2"] : []));
  assert.deepEqual(
    [result.outcome, result.rules, result.failures.map((one) => one.rule), result.vector],
    ["failed", ["NUMBER-1", "NUMBER-2"], ["NUMBER-2"], undefined],
  );
});

test("what breaks a client is told as the smallest vector that shows it", async () => {
  const { result } = await searched(large);
  assert.deepEqual(
    [result.outcome, result.rules, result.failures.map((one) => one.rule)],
    ["failed", ["NUMBER-1", "NUMBER-2"], ["NUMBER-2"]],
  );
  assert.match(result.vector ?? "", /^suite: numbers\nvectors:\n {2}- id: found\n/);
  assert.match(result.vector ?? "", /rules: \[ NUMBER-2 \]\n {4}steps:\n {6}- 41\n$/);
});

test("what is made small stays the same fault", async () => {
  const two = (numbers: readonly number[]) =>
    numbers.some((one) => one > 40) ? ["NUMBER-2"] : numbers.some((one) => one > 5) ? ["NUMBER-1"] : [];
  const told = await Promise.all([1, 2, 3].map(async (seed) => (await searched(two, { seed })).result));
  for (const { vector, failures } of told)
    assert.match(vector ?? "", failures[0]?.rule === "NUMBER-2" ? /- 41\n$/ : /- 6\n$/);
});

test("the same seed draws the same cases, side by side or not; another seed others", async () => {
  const [one, again, wide, other] = await Promise.all([
    searched(large),
    searched(large),
    searched(large, { jobs: 4 }),
    searched(() => [], { seed: 2 }),
  ]);
  assert.deepEqual(one, again);
  assert.deepEqual(wide.result, one.result);
  assert.notEqual(other.played[0], one.played[0]);
});

test("shards have the cases of one run between them", async () => {
  const whole = await searched(() => []);
  const part = async (from: number, count: number) => {
    const played: string[] = [];
    const play = async (vector: ClientVector) => {
      played.push((vector.scenario["steps"] as readonly number[]).join(" "));
      return { result: resultOf(vector, []) };
    };
    await searchClient({ contract, search, seed: 1, jobs: 1, cases: { from, count }, play });
    return played;
  };
  assert.deepEqual([...(await part(0, 20)), ...(await part(20, 30))], whole.played);
});

test("a client that is cut off is not cut off hundreds of times to make a case small", async () => {
  const { result, played } = await searched(() => ["NUMBER-1"], { cut: "overdue" });
  assert.equal(result.outcome, "failed");
  assert.ok(played.length < 8, `${played.length}`);
});

test("a fault that is not seen again is told as it was seen", async () => {
  let once = true;
  const { result } = await searched(() => {
    const broken = once ? ["NUMBER-2"] : [];
    once = false;
    return broken;
  });
  assert.deepEqual([result.outcome, result.failures.length, result.vector], ["failed", 1, undefined]);
});
