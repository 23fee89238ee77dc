import assert from "node:assert/strict";
import { test } from "node:test";
import { loadClientData } from "./client-data.ts";
import type { Scenario } from "./script/scenario.ts";

const { contract, suites } = loadClientData();

test("every observable rule of clients is tried by two vectors or more", () => {
  const counts = new Map<string, number>();
  for (const rule of suites.vectors.flatMap(({ rules }) => rules))
    counts.set(rule, (counts.get(rule) ?? 0) + 1);
  const observable = [...contract.rules.values()].filter((rule) => rule.observable);
  assert.deepEqual(
    observable.filter(({ id }) => (counts.get(id) ?? 0) < 2).map(({ id }) => id),
    [],
  );
});

test("where a script refuses, loses or breaks something, a client may give up", () => {
  const strict = suites.vectors.filter(({ scenario }) => {
    const { disturbances, steps } = scenario as unknown as Scenario;
    const hindered = disturbances.some(
      ({ does }) => does.refuse !== undefined || does.status !== undefined || does.lose !== undefined,
    );
    const launches = steps.flatMap((step) => (step.kind === "launches" ? step.launches : []));
    return hindered && !launches.some(({ expect }) => expect.includes("refused"));
  });
  assert.deepEqual(
    strict.map(({ id }) => id),
    [],
  );
});

test("a title says what the client does, and nobody what it should do", () => {
  const odd = suites.vectors.filter(({ title }) => /\bshould\b|\btests? that\b|\.$/i.test(title));
  assert.deepEqual(odd, []);
});

test("the order names every suite of clients", () => {
  const named = [...(contract.order?.places.keys() ?? [])].map((name) => name.split("/")[0]);
  assert.deepEqual([...new Set(suites.vectors.map(({ suite }) => suite))].sort(), [...new Set(named)].sort());
});
