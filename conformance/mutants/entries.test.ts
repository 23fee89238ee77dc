import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { readContract } from "../contract/contract.ts";
import { PROPERTIES } from "../properties/index.ts";
import { Program } from "./edits.ts";
import { DATA_FOLDER, PROGRAM_FOLDER, readEntries } from "./entries.ts";
import { readSources, ServiceJudge } from "./judge.ts";

const entries = readEntries(readContract(join(DATA_FOLDER, "contract")));
const program = new Program(readSources(PROGRAM_FOLDER));

test("the edits of each mutant that needs a property apply, and its property exists", () => {
  const ids = PROPERTIES.map(({ id }) => id);
  const hidden = entries.filter((entry) => entry.kind === "mutant" && entry.property !== undefined);
  assert.ok(hidden.length > 46);
  for (const entry of hidden) {
    assert.ok(entry.edit(program).size > 0);
    assert.ok(entry.kind === "mutant" && ids.includes(`property/${entry.property}`), entry.id);
  }
});

test("a mutant is caught by the property that it names, and survives if another rule is violated", async () => {
  const mutant = entries.find(({ id }) => id === "hidden/host-of-a-long-uri-ignored");
  assert.ok(mutant?.kind === "mutant");
  const judge = new ServiceJudge();
  assert.deepEqual(await judge.judge(mutant), []);
  const problems = await judge.judge({ ...mutant, breaks: ["SESSION-7"] });
  assert.match(problems.join(), /^SESSION-7 not violated; property\/uris, step 1: LAUNCH-30: /);
});
