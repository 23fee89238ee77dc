import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { loadTrials } from "../clients/load.ts";
import { readClientContract, readServiceContract } from "../contract/contract.ts";
import { DATA_FOLDER, ROOT } from "../data/kit-files.ts";
import { withPortablePaths } from "./compiled.ts";
import { loadKitVectors, loadSuiteFiles, suiteFiles } from "./load.ts";

test("compiled suites have the tests of their files, with their places", () => {
  const contract = readServiceContract();
  const files = suiteFiles(join(DATA_FOLDER, "suites"));
  assert.deepEqual(loadKitVectors(contract), loadSuiteFiles(files, contract));
  const clients = readClientContract();
  assert.deepEqual(loadTrials(clients), loadTrials(clients, suiteFiles(join(DATA_FOLDER, "client-suites"))));
});

test("portable paths are relative to the kit, at every depth", () => {
  const place = { file: join(ROOT, "vectors", "a.yaml"), line: 1 };
  const tests = [{ place, steps: [{ place, fields: { body: [null, { place: "here" }] } }] }];
  assert.deepEqual(withPortablePaths(tests), [
    {
      place: { file: "vectors/a.yaml", line: 1 },
      steps: [{ place: { file: "vectors/a.yaml", line: 1 }, fields: { body: [null, { place: "here" }] } }],
    },
  ]);
});
