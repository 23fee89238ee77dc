import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { responseSchemas } from "../../contract/judge/response-schemas.ts";
import { loadKitData } from "../../contract/kit-data.ts";
import { openapi } from "../../contract/openapi.ts";
import { allSteps } from "./needs.ts";
import type { Step, Vector } from "./vector.ts";

const { contract, suites } = loadKitData();

/** Rules that the judge holds any answer to, whatever the step: in the HTTP description, and in its own files. */
const judged: ReadonlySet<string> = new Set(
  [JSON.stringify(openapi()), ...judgeSources()].flatMap(
    (text) => text.match(/[A-Z]+-[0-9]+(?=["\\])/g) ?? [],
  ),
);

/** What holds for any answer; what holds for it beside the answers before it has files of its own. */
function judgeSources(): readonly string[] {
  const folder = new URL("../../contract/", import.meta.url);
  const inJudge = readdirSync(new URL("judge", folder))
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
    .map((name) => `judge/${name}`);
  return [...inJudge, "verbs/issued.ts", "timekeeping/draft-expiries.ts"].map((name) =>
    readFileSync(fileURLToPath(new URL(name, folder)), "utf8"),
  );
}

/** The rules that a step breaks when it goes wrong. */
function blamedBy(step: Step, vector: Vector): readonly string[] {
  switch (step.kind) {
    case "operation": {
      if (step.expect !== undefined) return step.rules ?? vector.rules;
      const operation = step.verb === "session" ? "verify" : step.verb;
      return [responseSchemas().successRule(operation) ?? ""];
    }
    case "together":
    case "compare":
    case "custom":
      return step.rules ?? vector.rules;
    case "repeat":
      return step.atMost.length > 0 ? (step.rules ?? vector.rules) : [];
    default:
      return [];
  }
}

/** Whether a step that goes wrong can be told from one that does not: not where served and refused are both fine. */
function isStrict(step: Step): boolean {
  if (step.kind !== "operation" || step.expect === undefined) return true;
  const { accepted, body, sameAs } = step.expect;
  const sides = new Set(accepted.map(({ status }) => status < 400));
  return sides.size === 1 || body !== undefined || sameAs !== undefined;
}

/** What no step of a vector can be wrong about, by vector and rule. */
function unearned(counts: (step: Step) => boolean, rules: (rule: string) => boolean): readonly string[] {
  return suites.vectors.flatMap((vector) => {
    const steps = allSteps(vector.steps).filter(counts);
    const blamed = new Set(steps.flatMap((step) => blamedBy(step, vector)));
    return vector.rules
      .filter((rule) => rules(rule) && !judged.has(rule) && !blamed.has(rule))
      .map((rule) => `${vector.id}: ${rule}`);
  });
}

test("every rule that a vector names can be blamed by one of its steps, or by what holds for any answer", () => {
  assert.deepEqual(
    unearned(
      () => true,
      () => true,
    ),
    [],
  );
});

test("no vector earns a required rule by steps alone that are fine with an answer of either side", () => {
  // Rules about errors say which code comes when, and that an answer of either side can get wrong.
  const isAboutSides = (id: string) => {
    const rule = contract.rules.get(id);
    return rule?.level === "required" && rule.area !== "error";
  };
  assert.deepEqual(unearned(isStrict, isAboutSides), []);
});
