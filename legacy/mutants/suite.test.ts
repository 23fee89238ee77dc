import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { PATHS } from "../paths.ts";
import { contract } from "../testing/contract-data.ts";
import { checkEdits } from "./edits.ts";
import { referenceProgram } from "./program.ts";
import { loadMutants } from "./suite.ts";
import { rulesWithoutMutant } from "./traceability.ts";

const bank = loadMutants("services", contract);

test("every edit of the suite applies to the reference as it is", () => {
  assert.deepEqual(checkEdits(bank, referenceProgram()), []);
});

test("every required rule that a test can show has a mutant of its own", () => {
  assert.deepEqual(rulesWithoutMutant(contract, bank), []);
});

test("the page on the suites says how many services it has", () => {
  const page = readFileSync(join(PATHS.root, "docs/who-tests-the-tests.md"), "utf8").replace(/\s+/g, " ");
  const [broken, legal] = [bank.broken.length, bank.legal.length];
  const said = `${broken} of ${broken} mutants of services caught by the right rule; ${legal} of ${legal} conforming variants accepted`;
  assert.ok(page.includes(said), `the page does not say: ${said}`);
  const door = readFileSync(join(PATHS.root, "README.md"), "utf8");
  assert.ok(
    door.includes(`${broken} mutants and ${legal} conforming variants of services`),
    "the README says other numbers",
  );
});

/** Seen over HTTP alone, where the suite is judged in process. */
const NEVER_SEEN_OTHERWISE = ["BEARER-SCHEME-CASE"];

test("every open point that can be observed has a conforming variant that reads it otherwise than the reference", () => {
  const read = new Set(bank.legal.flatMap(({ choices }) => Object.keys(choices)));
  const points = [...contract.points.values()].filter(({ id, observable }) => observable && !read.has(id));
  assert.deepEqual(
    points.map(({ id }) => id),
    NEVER_SEEN_OTHERWISE,
  );
});
