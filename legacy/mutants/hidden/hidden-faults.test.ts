import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import type { ServiceModule } from "../../adapters/in-process.ts";
import { SEARCHES } from "../../contract/searches.ts";
import type { Property } from "../../engine/contract.ts";
import type { Stretch } from "../../engine/run/shard.ts";
import { DEFAULT_RUNS } from "../../engine/search/default-runs.ts";
import { contract } from "../../testing/contract-data.ts";
import { reference } from "../../testing/reference.ts";
import { withFault } from "../../testing/search/stage.ts";
import { WHOLE } from "../../testing/whole-tests.ts";
import { brokenRaces } from "./broken-races.ts";
import type { HiddenFault } from "./hidden-fault.ts";
import { hiddenFaults } from "./hidden-faults.ts";
import { hunt, replay } from "./hunt.ts";
import { MOST_STEPS } from "./trial-summary.ts";

const SEED = 1;

/** A few of the faults that are found soon, by property; the others are hunted by `npm run hidden-faults`. */
const FOUND_SOON: Readonly<Record<string, readonly string[]>> = {
  stateful: [
    "once two creators have drafts: the third retry gets another draft",
    ...(WHOLE ? ["two proofs in flight together get each other's session"] : []),
  ],
  spellings: ["an escaped slash makes another input"],
  uris: ["the host of a long metadata address is not looked at"],
};

const folder = mkdtempSync(join(tmpdir(), "hidden-faults-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

describe("a fault that hides behind the state is found, and told as a vector that fails again", () => {
  for (const [property, names] of Object.entries(FOUND_SOON)) {
    for (const name of names) {
      test(name, async () => {
        const fault = hiddenFaults.find((hidden) => hidden.name === name) ?? assert.fail("no such fault");
        await findAndReplay(fault, property);
      });
    }
  }
});

describe("a fault that only requests in flight together show is found, and told as a vector", () => {
  for (const fault of brokenRaces) {
    test(fault.name, () => findAndReplay(fault, "races"));
  }
});

/** The cases of a usual run; of races, which are few and left to vectors there, as many as it takes. */
function usualCases({ name, perRun = 1 }: Property): Stretch {
  return { from: 0, count: name === "races" ? 1000 : Math.ceil(DEFAULT_RUNS * perRun) };
}

async function findAndReplay(fault: HiddenFault, name: string): Promise<void> {
  const property = SEARCHES.properties.find((candidate) => candidate.name === name);
  assert.ok(property !== undefined);
  const fresh = (): ServiceModule => withFault(fault);
  const { failure, vector = "" } = await hunt(contract, fresh(), property, SEED, usualCases(property));
  assert.ok(failure !== undefined, "not found");

  const file = join(folder, "found.yaml");
  const { steps, result } = await replay(contract, vector, file, fresh());
  assert.equal(result.outcome, "failed", vector);
  assert.equal(result.failures[0]?.rule, failure.rule, vector);
  assert.ok(steps <= MOST_STEPS, vector);
  const good = await replay(contract, vector, file, reference);
  assert.deepEqual([good.result.outcome, good.result.failures], ["passed", []], vector);
}
