import assert from "node:assert/strict";
import { test } from "node:test";
import { loadClientData } from "../../contract/client/client-data.ts";
import { applyEdits } from "../apply-edits.ts";
import { checkEdits } from "../check-edits.ts";
import { complaintsAboutLegal } from "../complaints.ts";
import { rulesWithoutEntry } from "../mutant-index.ts";
import type { BrokenClient, LegalClient } from "./client-entry.ts";
import { complaintsAboutBrokenClient } from "./client-summary.ts";
import { clientFromSources, exampleProgram } from "./example-program.ts";
import { type ClientTrial, judgeBrokenClient, judgeLegalClient } from "./judge-client.ts";
import { loadClientBank } from "./load-client-bank.ts";

const kit = loadClientData();
const bank = loadClientBank(kit.contract);
const program = exampleProgram();

/** In the tests nothing is awaited that ends only when its time is up, and nothing talks HTTP. */
const trial: ClientTrial = {
  kit,
  sites: { open: () => Promise.reject(new Error("nobody listens")), close: async () => {} },
  sleep: () => new Promise(() => {}),
};

test("every edit of the clients' bank applies to the example as it is", () => {
  assert.deepEqual(checkEdits(bank, program), []);
});

test("every required rule of clients that a test can show has a broken client of its own", () => {
  assert.deepEqual(rulesWithoutEntry(kit.contract, bank), []);
});

function entry<Entry extends BrokenClient | LegalClient>(entries: readonly Entry[], id: string): Entry {
  return entries.find((one) => one.id === id) ?? assert.fail(`no entry ${id}`);
}

for (const id of ["secret/key-in-header", "flow/breaks-at-500"]) {
  test(`${id} is caught by the right rule`, async () => {
    const broken = entry(bank.broken, id);
    const client = await clientFromSources(applyEdits(program, broken.edits));
    assert.deepEqual(complaintsAboutBrokenClient(broken, await judgeBrokenClient(broken, client, trial)), []);
  });
}

test("what a broken client does not break is a complaint", async () => {
  const broken = { ...entry(bank.broken, "flow/breaks-at-500"), breaks: ["CLIENT-SECRET-1"] };
  const client = await clientFromSources(applyEdits(program, broken.edits));
  const outcome = await judgeBrokenClient(broken, client, trial);
  assert.deepEqual(complaintsAboutBrokenClient(broken, outcome), [
    "survives CLIENT-SECRET-1; instead failed CLIENT-FLOW-3",
  ]);
  assert.equal(outcome.first?.rule, "CLIENT-FLOW-3");
});

test("a legal client conforms, and its choices are told", async () => {
  const legal = entry(bank.legal, "legal/key-hex");
  const client = await clientFromSources(applyEdits(program, legal.edits));
  const outcome = await judgeLegalClient(legal, client, trial);
  assert.deepEqual(complaintsAboutLegal({ ...legal, apart: [] }, outcome), []);
  assert.equal(outcome.choices["CLIENT-KEY-FORM"], "hex");
});
