import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import type { ServiceModule } from "../../adapters/in-process.ts";
import { PROPERTIES } from "../../contract/properties/properties.ts";
import { reference } from "../../testing/reference.ts";
import { hunt, replay } from "../../testing/search/hunt.ts";
import { withFault } from "../../testing/search/stage.ts";
import { brokenRaces } from "./broken-races.ts";
import type { HiddenFault } from "./hidden-fault.ts";
import { hiddenFaults } from "./hidden-faults.ts";

const SEED = 1;
const MOST_STEPS = 8;

/**
 * One hidden service of each kind, and where a run with this seed comes upon its fault, as `npm run hidden-faults`
 * prints it, which tries them all: property and case. Here the search begins at that case, to save the time of all
 * those before it.
 */
const FOUND_AT: Readonly<Record<string, readonly [property: string, atCase: number]>> = {
  "a challenge lives for half a minute where its creator has a session": ["stateful", 20],
  "a second attempt under an expired key is served": ["stateful", 68],
  "an escaped slash makes another input": ["spellings", 1],
  "once there was a conflict: a spent minute lasts two": ["stateful", 23],
  "once there was a retry: a retry finds the draft that was last built under its key, whoever built it": [
    "stateful",
    12,
  ],
  "once there was a retry: a restart within the half minute keeps the keys": ["stateful", 230],
  "once three sessions were opened: whoever has a session proves for others, too": ["stateful", 20],
  "once two creators have drafts: a session lives for an hour since its last use": ["stateful", 32],
  "once two creators have drafts: the third retry gets another draft": ["stateful", 1],
  "the host of a long metadata address is not looked at": ["uris", 19],
};

const folder = mkdtempSync(join(tmpdir(), "hidden-faults-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

describe("a fault that hides behind the state is found, and told as a vector that fails again", () => {
  for (const [name, [property, atCase]] of Object.entries(FOUND_AT)) {
    test(name, async () => {
      const wrong = hiddenFaults.find((service) => service.name === name) ?? assert.fail("no such service");
      await findAndReplay(wrong, property, { from: atCase - 1, count: 1 });
    });
  }
});

describe("a fault that only requests in flight together show is found, and told as a vector", () => {
  for (const wrong of brokenRaces) {
    test(wrong.name, () => findAndReplay(wrong, "races", { from: 0, count: 100 }));
  }
});

async function findAndReplay(
  wrong: HiddenFault,
  name: string,
  cases: { readonly from: number; readonly count: number },
): Promise<void> {
  const property = PROPERTIES.find((candidate) => candidate.name === name);
  assert.ok(property !== undefined);
  const fresh = (): ServiceModule => withFault(wrong);
  const { failure, vector = "" } = await hunt(fresh(), property, SEED, cases);
  assert.ok(failure !== undefined, "not found");

  const file = join(folder, "found.yaml");
  const { steps, result } = await replay(vector, file, fresh());
  assert.equal(result.outcome, "failed", vector);
  assert.equal(result.failures[0]?.rule, failure.rule, vector);
  assert.ok(steps <= MOST_STEPS, vector);
  const good = await replay(vector, file, reference);
  assert.deepEqual([good.result.outcome, good.result.failures], ["passed", []], vector);
}
