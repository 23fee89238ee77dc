/** Checks that the kit's vectors test each rule, by accepted and by refused requests. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { operationOf } from "../contract/constants.ts";
import { readServiceContract } from "../contract/contract.ts";
import type { Outcome } from "../contract/outcome.ts";
import { statusesOf } from "../contract/response-schemas.ts";
import { parseDuration } from "./compile.ts";
import { loadKitVectors } from "./load.ts";
import { allSteps, type RequestStep, type Step, sortVectors, type Vector } from "./vector.ts";

const contract = readServiceContract();
const vectors = loadKitVectors(contract);
const required = [...contract.rules.values()].filter(
  ({ level, observable }) => level === "required" && observable,
);
const testsOf = (rule: string) => vectors.filter(({ rules }) => rules.includes(rule));

function acceptedBy(step: Step): readonly Outcome[] {
  if (step.verb === "together") return step.tallies.flat().map(({ outcome }) => outcome);
  return "expect" in step ? (step.expect?.accepted ?? []) : [];
}

/** Returns the statuses that the contract allows for a step, or undefined if its operation is not known. */
function allowedStatuses(step: RequestStep): ReadonlySet<number> | undefined {
  const { verb, fields } = step;
  const isOther = fields["method"] !== undefined || fields["path"] !== undefined;
  if (!isOther && verb === "request") return undefined;
  const operation = isOther
    ? operationOf({ method: String(fields["method"]), path: String(fields["path"]) })
    : verb === "session"
      ? "verify"
      : (verb as "platform" | "challenge" | "verify" | "build");
  return statusesOf(operation)?.allowed;
}

test("every required rule that can be observed has at least two vectors", () => {
  assert.deepEqual(
    required.filter(({ id }) => testsOf(id).length < 2).map(({ id }) => id),
    [],
  );
});

test("a rule with `sides: both` is tested by accepted requests and by refused requests", () => {
  const statuses = (vector: Vector) =>
    allSteps(vector.steps).flatMap((step) => acceptedBy(step).map(({ status }) => status));
  const oneSided = required.filter(({ id, sides }) => {
    const seen = testsOf(id).flatMap(statuses);
    return sides === "both" && !(seen.some((status) => status < 400) && seen.some((status) => status >= 400));
  });
  assert.deepEqual(
    oneSided.map(({ id }) => id),
    [],
  );
});

test("every status that a step accepts is a status of the step's operation", () => {
  const wrong = vectors.flatMap(({ id, steps }) =>
    allSteps(steps).flatMap((step) => {
      const allowed = "fields" in step ? allowedStatuses(step) : undefined;
      return acceptedBy(step).flatMap(({ status }) =>
        allowed === undefined || allowed.has(status) ? [] : `${id}, line ${step.place.line}: ${status}`,
      );
    }),
  );
  assert.deepEqual(wrong, []);
});

test("no two vectors have the same title", () => {
  const titles = new Map(vectors.map(({ id, title }) => [id.split("/").slice(0, 2).join("/"), title]));
  const repeated = [...titles.values()].filter((title, index, all) => all.indexOf(title) !== index);
  assert.deepEqual(repeated, []);
});

test("vectors follow the stages of building a service; in a stage, vectors of one rule come first", () => {
  const stages = [
    { verbs: ["platform"], vectors: ["reads/shape", "reads"] },
    { verbs: ["build"], vectors: ["writes", "limits"] },
  ];
  const ordered = [
    ["reads/shape/case", ["platform"], 2],
    ["reads/one", ["platform"], 1],
    ["reads/all", ["platform"], 2],
    ["writes/one", ["build"], 1],
    ["limits/one", ["platform"], 1],
    ["reads/after-a-build", ["build", "platform"], 1],
    ["elsewhere/one", [], 1],
    ["elsewhere/all", [], 2],
  ] as const;
  const unordered = ordered.toReversed().map(([id, verbs, rules]) => {
    const steps = verbs.map((verb) => ({ verb }));
    return { id, steps, rules: Array(rules).fill("A-1") } as unknown as Vector;
  });
  const sorted = sortVectors(unordered, { ...contract, stages }).map(({ id }) => id);
  assert.deepEqual(
    sorted,
    ordered.map(([id]) => id),
  );
});

for (const [text, ms] of [
  ["59.999s", 59_999],
  ["90m", 5_400_000],
  ["1ms", 1],
  ["0.5m", 30_000],
  ["0.0001s", undefined],
  ["60", undefined],
  ["-1s", undefined],
  ["1h30m", undefined],
] as const) {
  test(`"${text}" is ${ms === undefined ? "not a duration" : `${ms} ms`}`, () => {
    assert.equal(parseDuration(text), ms);
  });
}
