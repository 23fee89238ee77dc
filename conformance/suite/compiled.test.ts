import assert from "node:assert/strict";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { loadTrials } from "../clients/load.ts";
import { readClientContract, readServiceContract } from "../contract/contract.ts";
import { DATA_FOLDER, ROOT } from "../data/kit-files.ts";
import { fileOf, withPortablePaths } from "./compiled.ts";
import { loadKitVectors, loadSuiteFiles, suiteFiles } from "./load.ts";

test("compiled suites have the tests of their files, with their places", () => {
  const contract = readServiceContract();
  const files = suiteFiles(join(DATA_FOLDER, "suites"));
  assert.deepEqual(loadKitVectors(contract), withPortablePaths(loadSuiteFiles(files, contract)));
  const clients = readClientContract();
  const trials = loadTrials(clients, suiteFiles(join(DATA_FOLDER, "client-suites")));
  assert.deepEqual(loadTrials(clients), withPortablePaths(trials));
});

test("portable paths are relative to the kit, at every depth", () => {
  const file = join(ROOT, "vectors", "a.yaml");
  const place = { file, line: 1 };
  const tests = [{ place, steps: [{ place, fields: { body: [null, { place: "here" }] } }] }];
  assert.deepEqual(withPortablePaths(tests), [
    {
      place: { file: "kit:vectors/a.yaml", line: 1 },
      steps: [
        { place: { file: "kit:vectors/a.yaml", line: 1 }, fields: { body: [null, { place: "here" }] } },
      ],
    },
  ]);
  assert.equal(resolve(fileOf({ file: "kit:vectors/a.yaml", line: 1 })), file);
});
