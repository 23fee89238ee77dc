import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { readContract } from "../contract/contract.ts";
import { PROPERTIES } from "../properties/index.ts";
import { Program } from "./edits.ts";
import { combine, DATA_FOLDER, PROGRAM_FOLDER, readEntries } from "./entries.ts";
import { EntryJudge, readSources } from "./judge.ts";

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

test("two conforming variants combine to one that has the edits of both", () => {
  const [one, other] = entries.filter((entry) => entry.kind === "variant");
  assert.ok(one !== undefined && other !== undefined);
  assert.deepEqual(combine(one, other).edits, [...one.edits, ...other.edits]);
});

test("a mutant is caught by the property that it names, and survives if another rule is violated", async () => {
  const mutant = entries.find(({ id }) => id === "hidden/host-of-a-long-uri-ignored");
  assert.ok(mutant?.kind === "mutant");
  const judge = new EntryJudge(DATA_FOLDER);
  assert.deepEqual((await judge.judge(mutant)).problems, []);
  const { problems } = await judge.judge({ ...mutant, breaks: ["SESSION-7"] });
  assert.match(problems.join(), /^SESSION-7 not violated; property\/uris, step 1: LAUNCH-30: /);
});
