import assert from "node:assert/strict";
import { test } from "node:test";
import { loadKitData } from "./kit-data.ts";
import { VOCABULARY } from "./verbs/vocabulary.ts";

const { contract, suites } = loadKitData();
const places = contract.order?.places ?? new Map<string, never>();
const suiteNames = new Set(suites.vectors.map(({ suite }) => suite));
const names = new Set(
  suites.vectors.flatMap(({ id, suite }) => [id, id.split("/").slice(0, 2).join("/"), suite]),
);

test("every suite has its place in the order of the vectors, and every place its suite or vector", () => {
  assert.deepEqual(
    [...suiteNames].filter((suite) => !places.has(suite)),
    [],
  );
  assert.deepEqual(
    [...places.keys()].filter((name) => !names.has(name)),
    [],
  );
});

/** Steps that are several in one. */
const GROUPS = new Set(["together"]);

test("the stages name verbs that there are", () => {
  const verbs = [...(contract.order?.stageOfVerb.keys() ?? [])];
  assert.ok(verbs.length > 3, `${verbs.length} verbs`);
  assert.deepEqual(
    verbs.filter(
      (verb) => ![VOCABULARY.operations, VOCABULARY.custom, GROUPS].some((known) => known.has(verb)),
    ),
    [],
  );
});

test("a service is judged as it is built: profile, challenge, proof, build", () => {
  const first = (operation: string) =>
    suites.vectors.findIndex(({ steps }) =>
      steps.some((step) => step.kind === "operation" && step.verb === operation),
    );
  const order = ["platform", "challenge", "verify", "build"];
  assert.deepEqual(
    [...order].sort((one, other) => first(one) - first(other)),
    order,
  );
});
