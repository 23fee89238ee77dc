import assert from "node:assert/strict";
import { test } from "node:test";
import { responseSchemas } from "../../contract/judge/response-schemas.ts";
import { loadKitData } from "../../contract/kit-data.ts";
import { operationOf } from "../../contract/operations.ts";
import { allSteps } from "./needs.ts";
import type { OperationStep, Vector } from "./vector.ts";

const { contract, suites } = loadKitData();
const { vectors } = suites;
const required = [...contract.rules.values()].filter(
  ({ level, observable }) => level === "required" && observable,
);
const naming = (rule: string) => vectors.filter(({ rules }) => rules.includes(rule));

/** Every outcome that a vector accepts of a single step, or counts in a tally, with the step's place. */
function outcomesOf(vector: Vector) {
  return allSteps(vector.steps).flatMap((step) => {
    const accepted =
      step.kind === "operation"
        ? (step.expect?.accepted ?? [])
        : step.kind === "together"
          ? step.tallies.flat().map(({ outcome }) => outcome)
          : [];
    return accepted.map((outcome) => ({ outcome, step, at: `${step.place.file}:${step.place.line}` }));
  });
}

test("there are at least 350 vectors, each with an id of its own", () => {
  assert.ok(vectors.length >= 350, `${vectors.length} vectors`);
  assert.equal(new Set(vectors.map(({ id }) => id)).size, vectors.length);
});

test("every required rule that can be observed has two vectors at least", () => {
  const thin = required.map(({ id }) => [id, naming(id).length] as const).filter(([, count]) => count < 2);
  assert.deepEqual(thin, []);
});

test("a rule with two sides is tried from both: something is accepted, and something refused", () => {
  const twoSided = required.filter(({ sides }) => sides === "both");
  assert.ok(twoSided.length > 100, `${twoSided.length} rules have two sides`);
  const lopsided = twoSided.flatMap(({ id }) => {
    const statuses = naming(id)
      .flatMap(outcomesOf)
      .map(({ outcome }) => outcome.status);
    const accepted = statuses.some((status) => status < 400);
    const refused = statuses.some((status) => status >= 400);
    return accepted && refused ? [] : [`${id}: nothing ${accepted ? "refused" : "accepted"}`];
  });
  assert.deepEqual(lopsided, []);
});

test("no two entries have the same title", () => {
  const titles = new Map<string, Set<string>>();
  for (const { id, suite, title } of vectors) {
    const entry = id.split("/").slice(0, 2).join("/");
    titles.set(title, (titles.get(title) ?? new Set()).add(`${suite} ${entry}`));
  }
  const repeated = [...titles].filter(([, entries]) => entries.size > 1).map(([title]) => title);
  assert.deepEqual(repeated, []);
});

test("every outcome that a vector accepts is one that the contract lists for its operation", () => {
  const wrong = vectors.flatMap((vector) =>
    outcomesOf(vector).flatMap(({ outcome, step, at }) => {
      const { status, codes } = outcome;
      const listed = responseSchemas().codes(status);
      const known = status === 200 || codes.every((code) => listed?.has(code));
      const statuses = step.kind === "operation" ? statusesOf(step) : undefined;
      return known && (statuses?.has(status) ?? true) ? [] : [`${at}: ${status} ${codes.join(" | ")}`];
    }),
  );
  assert.deepEqual([...new Set(wrong)], []);
});

/** The statuses that the contract allows a step; undefined where that depends on what is filled in. */
function statusesOf({ verb, fields }: OperationStep): ReadonlySet<number> | undefined {
  if (fields["method"] !== undefined || fields["path"] !== undefined) {
    const operation = operationOf(String(fields["method"]), String(fields["path"]));
    return operation === "platform" ? undefined : responseSchemas().statuses(operation);
  }
  if (verb === "platform" || verb === "request") return undefined;
  return responseSchemas().statuses(verb === "session" ? "verify" : verb);
}
