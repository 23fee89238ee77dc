import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { loadClientData } from "../contract/client/client-data.ts";
import { PATHS } from "../paths.ts";
import { applyEdits, checkEdits } from "./edits.ts";
import { type ClientTrial, judgedClient, judgeMutant, judgeVariant } from "./judge.ts";
import { clientFromSources } from "./module-from-sources.ts";
import { exampleProgram } from "./program.ts";
import { type ConformingVariant, loadMutants, type Mutant } from "./suite.ts";
import { mutantComplaints } from "./summary.ts";
import { rulesWithoutMutant } from "./traceability.ts";

const { contract, suites } = loadClientData();
/** A few vectors show what the harness does; the command plays them all. */
const FEW = /^(?:launches\/first|broken-service\/once\/profile)/;
const kit = { contract, suites: { ...suites, vectors: suites.vectors.filter(({ id }) => FEW.test(id)) } };
const bank = loadMutants("clients", contract);
const program = exampleProgram();

/** In the tests nothing is awaited that ends only when its time is up, and nothing talks HTTP. */
const trial: ClientTrial = {
  kit,
  sites: { open: () => Promise.reject(new Error("nobody listens")), close: async () => {} },
  sleep: () => new Promise(() => {}),
};

test("every edit of the clients' suite applies to the example as it is", () => {
  assert.deepEqual(checkEdits(bank, program), []);
});

test("every required rule of clients that a test can show has a mutant of its own", () => {
  assert.deepEqual(rulesWithoutMutant(contract, bank), []);
});

test("every required rule of clients has a mutant that no other rule sees", () => {
  const alone = new Set(bank.broken.filter((one) => one.alone).map(({ breaks }) => breaks[0]));
  const required = [...contract.rules.values()].filter(
    ({ level, observable }) => level === "required" && observable,
  );
  assert.deepEqual(
    required.map(({ id }) => id).filter((id) => !alone.has(id)),
    [],
  );
});

test("the page on the suites says how many clients it has", () => {
  const page = readFileSync(join(PATHS.root, "docs/who-tests-the-tests.md"), "utf8").replace(/\s+/g, " ");
  const [broken, legal] = [bank.broken.length, bank.legal.length];
  const said = `${broken} of ${broken} mutants of clients caught by the right rule; ${legal} of ${legal} conforming variants accepted`;
  assert.ok(page.includes(said), `the page does not say: ${said}`);
  const door = readFileSync(join(PATHS.root, "README.md"), "utf8");
  assert.ok(
    door.includes(`${broken} mutants and ${legal} conforming variants of clients`),
    "the README says other numbers",
  );
});

function entry<Entry extends Mutant | ConformingVariant>(entries: readonly Entry[], id: string): Entry {
  return entries.find((one) => one.id === id) ?? assert.fail(`no entry ${id}`);
}

for (const id of ["secret/key-in-header", "flow/breaks-at-500"]) {
  test(`${id} is caught by the right rule`, async () => {
    const broken = entry(bank.broken, id);
    const client = await clientFromSources(applyEdits(program, broken.edits));
    assert.deepEqual(
      mutantComplaints(broken, await judgeMutant(broken, judgedClient(client, broken.over, trial))),
      [],
    );
  });
}

test("a rule that a mutant does not break is a complaint", async () => {
  const broken = { ...entry(bank.broken, "flow/breaks-at-500"), breaks: ["CLIENT-SECRET-1"] };
  const client = await clientFromSources(applyEdits(program, broken.edits));
  const outcome = await judgeMutant(broken, judgedClient(client, broken.over, trial));
  assert.deepEqual(mutantComplaints(broken, outcome), [
    "survives CLIENT-SECRET-1; instead failed CLIENT-FLOW-3",
  ]);
  assert.equal(outcome.first?.rule, "CLIENT-FLOW-3");
});

test("the choices of a conforming client are reported, and what was not tested", async () => {
  const legal = entry(bank.legal, "legal/key-hex");
  const client = await clientFromSources(applyEdits(program, legal.edits));
  const { choices, complaints } = await judgeVariant(
    legal.id,
    judgedClient(client, legal.over, trial),
    undefined,
  );
  assert.deepEqual(choices["CLIENT-KEY-FORM"], "hex");
  assert.deepEqual(
    complaints.filter((complaint) => !complaint.endsWith("was not tried")),
    [],
  );
  assert.ok(complaints.length > 0);
});
