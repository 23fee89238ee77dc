import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { clientVectorOf } from "../../../engine/client/load-client-suites.ts";
import { writeClientSuite } from "../../../engine/client/write-client-suite.ts";
import { checkSchema } from "../../../engine/data/schema.ts";
import { parseYaml } from "../../../engine/data/yaml-source.ts";
import { PATHS } from "../../../paths.ts";
import { partnerClient } from "../partner-client.ts";
import type { Scenario } from "../script/scenario.ts";
import { SCRIPTS } from "./script-arbitrary.ts";
import { simplerScripts } from "./simpler-scripts.ts";

const HEAD = { id: "found", title: "what was drawn is a vector", rules: ["CLIENT-FLOW-3"] };

test("whatever is drawn is a vector that the suite's schema and the compiler take, as a suite has it", () => {
  fc.assert(
    fc.property(SCRIPTS, (entry) => {
      const text = writeClientSuite("drawn", [{ ...HEAD, ...entry }]);
      const source = parseYaml(text, "drawn.yaml");
      assert.deepEqual(source.value, { suite: "drawn", vectors: [{ ...HEAD, ...entry }] });
      checkSchema(source, PATHS.clientSuiteSchema);
      clientVectorOf(text, "drawn.yaml", partnerClient);
    }),
    { seed: 1, numRuns: 300 },
  );
});

test("nothing is drawn that no service does by the contract", () => {
  for (const entry of fc.sample(SCRIPTS, { seed: 1, numRuns: 300 })) {
    const { scenario } = clientVectorOf(
      writeClientSuite("drawn", [{ ...HEAD, ...entry }]),
      "drawn",
      partnerClient,
    );
    for (const { does } of (scenario as unknown as Scenario).disturbances)
      assert.deepEqual([does.set, does.transaction], [undefined, undefined]);
  }
});

test("what is made simpler is a vector as well, and says less", () => {
  for (const entry of fc.sample(SCRIPTS, { seed: 2, numRuns: 60 })) {
    for (const simpler of simplerScripts(entry)) {
      const text = writeClientSuite("drawn", [{ ...HEAD, ...simpler }]);
      checkSchema(parseYaml(text, "drawn.yaml"), PATHS.clientSuiteSchema);
      clientVectorOf(text, "drawn.yaml", partnerClient);
      assert.notDeepEqual(simpler, entry);
    }
  }
});

test("making simpler comes to an end, at one launch by a service that does nothing odd", () => {
  for (const entry of fc.sample(SCRIPTS, { seed: 3, numRuns: 30 })) {
    let [least, next]: [unknown, typeof entry | undefined] = [entry, entry];
    for (let rounds = 0; next !== undefined; rounds += 1) {
      assert.ok(rounds < 100);
      least = next;
      next = simplerScripts(next).filter(({ steps }) => JSON.stringify(steps).includes('"launch"'))[0];
    }
    assert.deepEqual(least, { steps: [{ launch: { by: "alice" }, expect: "draft | refused | distrusted" }] });
  }
});
