import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { SEARCHES } from "../../contract/searches.ts";
import { brokenDrafts } from "../../mutants/hidden/broken-drafts.ts";
import { Counter, hiddenFault, isChallenge, members, refusal } from "../../mutants/hidden/hidden-fault.ts";
import { hiddenFaults } from "../../mutants/hidden/hidden-faults.ts";
import { replay } from "../../mutants/hidden/hunt.ts";
import { contract } from "../../testing/contract-data.ts";
import { reference, spoiled } from "../../testing/reference.ts";
import { propertyOptions, withFault } from "../../testing/search/stage.ts";
import type { ExhaustiveOptions, ExhaustiveOutcome, SearchProgress } from "../contract.ts";

const search = (options: ExhaustiveOptions) => SEARCHES.exhaustive.search(options);

test("every sequence of two commands passes on the reference", async () => {
  const seen: SearchProgress[] = [];
  const options = await propertyOptions(1, 0);
  const { result, sequences, ofSequences, steps } = await search({
    ...options,
    depth: 2,
    onProgress: (progress) => seen.push(progress),
  });
  assert.equal(result.outcome, "passed");
  // Those of two commands, and the four that follow a draft to its end.
  assert.deepEqual([sequences, ofSequences], [29 + 8, 29 + 8]);
  assert.ok(steps > 33, `${steps} steps`);
  assert.deepEqual(seen.at(-1), { sequences, leftOut: 0, ofSequences, steps, ended: true });
});

test("a fault between two retries is found and told as a vector", async () => {
  const again = brokenDrafts.find(({ name }) => name.startsWith("a second attempt under an expired key"));
  assert.ok(again);
  const options = await propertyOptions(1, 0, withFault(again));
  const { result } = await search({ ...options, depth: 4 });
  assert.equal(result.outcome, "failed");
  assert.match(result.vector ?? "", /just-after: 30s/);
});

test("a fault that waits for earlier sequences is told as a vector that fails again", async () => {
  const wrong = hiddenFaults.find(({ name }) =>
    name.endsWith("after one conflict a changed name goes unnoticed"),
  );
  assert.ok(wrong);
  const options = await propertyOptions(1, 0, withFault(wrong));
  const { result } = await search({ ...options, depth: 3 });
  const folder = mkdtempSync(join(tmpdir(), "exhaustive-"));
  try {
    const file = join(folder, "found.yaml");
    const again = await replay(contract, result.vector ?? "", file, withFault(wrong));
    assert.deepEqual([again.result.outcome, again.result.failures[0]?.rule], ["failed", "IDEMPOTENCY-10"]);
    assert.ok(again.steps <= 8, result.vector);
    assert.equal((await replay(contract, result.vector ?? "", file, reference)).result.outcome, "passed");
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("a wrong answer in every sequence is found in the first", async () => {
  const wrong = spoiled((answer) => {
    if (answer.body.messageHash !== undefined) answer.body.messageHash = "short";
  });
  const { result, sequences } = await search({ ...(await propertyOptions(1, 0, wrong)), depth: 3 });
  assert.deepEqual([sequences, result.failures[0]?.rule], [1, "DRAFT-10"]);
});

test("a service that gives one creator ten challenges, and then asks for patience, passes", async () => {
  const patient = hiddenFault("", (inner) => {
    const given = new Counter();
    return (call) => {
      if (!isChallenge(call)) return inner(call);
      const creator = members(call)["creator"] ?? "";
      if (given.get(creator) >= 10) return refusal(429, "OFFLINE_RATE_LIMIT");
      const answer = inner(call);
      if (answer.status === 200) given.add(creator);
      return answer;
    };
  });
  const options = await propertyOptions(1, 0, withFault(patient));
  const { result, sequences, leftOut, ofSequences } = await search({ ...options, depth: 3 });
  assert.deepEqual([result.outcome, sequences + leftOut], ["passed", ofSequences]);
  assert.ok(leftOut > 0, "no sequence had a step left out");
});

test("a search begins no further sequence once it has spent what it may", async () => {
  const options = await propertyOptions(1, 0);
  const { result, sequences, ofSequences, steps } = await search({ ...options, depth: 3, mostSteps: 200 });
  assert.equal(result.outcome, "passed");
  assert.ok(steps >= 200 && steps < 400, `${steps} steps`);
  assert.ok(sequences > 0 && sequences < ofSequences, `${sequences} of ${ofSequences} sequences`);
});

test("stretches of a search come to what all of it does", async () => {
  const wrong = hiddenFaults.find(({ name }) =>
    name.endsWith("after one conflict a changed name goes unnoticed"),
  );
  assert.ok(wrong);
  for (const service of [reference, withFault(wrong)]) {
    const options = { ...(await propertyOptions(1, 0, service)), depth: 3 };
    const whole = await search(options);
    const parts: ExhaustiveOutcome[] = [];
    for (const index of [1, 2, 3]) parts.push(await search({ ...options, shard: { index, of: 3 } }));
    const end = parts.findIndex(({ result }) => result.outcome !== "passed");
    const told = parts.slice(0, end < 0 ? undefined : end + 1);
    const sum = (count: "sequences" | "steps") => told.reduce((total, part) => total + part[count], 0);
    assert.deepEqual([sum("sequences"), sum("steps")], [whole.sequences, whole.steps]);
    assert.deepEqual(told.at(-1)?.result.vector, whole.result.vector);
  }
});

test("a search that is stopped says so", async () => {
  const options = await propertyOptions(1, 0);
  const { result } = await search({ ...options, depth: 2, stopped: () => "stopped" });
  assert.deepEqual([result.outcome, result.reason], ["skipped", "stopped"]);
});
