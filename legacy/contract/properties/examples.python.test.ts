import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { stdioAdapter } from "../../adapters/stdio.ts";
import { plainStage } from "../../engine/run/stage.ts";
import { propertyId } from "../../engine/search/property-result.ts";
import { PATHS } from "../../paths.ts";
import { contract } from "../../testing/contract-data.ts";
import { runProperties } from "../../testing/search/stage.ts";
import { timeInSteps } from "../../testing/timekeeping.ts";
import { SEARCHES } from "../searches.ts";

const PYTHON = "/usr/bin/python3";
/** The example counts whole seconds. */
const RESOLUTION_MS = 1000;

test("the Python example has every property", {
  skip: !existsSync(PYTHON) && `no ${PYTHON} here`,
}, async () => {
  const adapter = stdioAdapter({ command: `${PYTHON} '${join(PATHS.examples, "python/adapter.py")}'` });
  const connection = await adapter.connect(contract);
  const { info } = connection;
  const measured = { timekeeping: timeInSteps(RESOLUTION_MS), room: {} };
  const stage = { ...plainStage(contract, 2), measured };
  const results = await runProperties({ adapter, connection, stage, runs: 40 });
  const search = await SEARCHES.exhaustive.search({ connection, info, stage, depth: 2 });
  await adapter.close();
  assert.deepEqual(
    results.map(({ id, outcome }) => [id, outcome]),
    SEARCHES.properties.map((property) => [propertyId(property), "passed"]),
  );
  assert.equal(search.result.outcome, "passed");
  assert.ok(search.sequences > 0);
});
