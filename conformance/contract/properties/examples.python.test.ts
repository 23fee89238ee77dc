import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { stdioAdapter } from "../../adapters/stdio.ts";
import { Grounds } from "../../engine/search/grounds.ts";
import { propertyId } from "../../engine/search/property-result.ts";
import { runProperties } from "../../engine/search/run-properties.ts";
import { PATHS } from "../../paths.ts";
import { contract } from "../../testing/contract-data.ts";
import { timeInSteps } from "../../testing/timekeeping.ts";
import { SEARCHES } from "../searches.ts";

const PYTHON = "/usr/bin/python3";
/** The example counts whole seconds. */
const RESOLUTION_MS = 1000;

test("the Python example has every property", {
  skip: !existsSync(PYTHON) && `no ${PYTHON} here`,
}, async () => {
  const adapter = stdioAdapter({ command: `${PYTHON} '${join(PATHS.examples, "python/adapter.py")}'` });
  const connect = () => adapter.connect(contract);
  const connection = await connect();
  const { info } = connection;
  const stage = {
    contract,
    seed: 2,
    timekeeping: timeInSteps(RESOLUTION_MS),
    readingMs: 0,
    clockToleranceMs: 0,
  };
  const grounds = new Grounds(info, connect, adapter.jobs);
  const results = await runProperties({ properties: SEARCHES.properties, grounds, info, stage, runs: 40 });
  const search = await SEARCHES.exhaustive.search({ connection, info, stage, depth: 2 });
  await adapter.close();
  assert.deepEqual(
    results.map(({ id, outcome }) => [id, outcome]),
    SEARCHES.properties.map((property) => [propertyId(property), "passed"]),
  );
  assert.equal(search.result.outcome, "passed");
  assert.ok(search.sequences > 0);
});
