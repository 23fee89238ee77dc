import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { stdioAdapter } from "../../conformance/adapters/stdio.ts";
import { loadKitData } from "../../conformance/contract/kit-data.ts";
import { auditRun } from "../../conformance/testing/recordings/audit-run.ts";
import { CUTS } from "../../conformance/testing/recordings/cuts.ts";
import { recordRun } from "../../conformance/testing/recordings/record-run.ts";

test("nothing is found in a recording of the Python example, however it is cut", async () => {
  const kit = loadKitData();
  const example = fileURLToPath(new URL("../../conformance/examples/python/adapter.py", import.meta.url));
  const adapter = stdioAdapter({ command: `/usr/bin/python3 '${example}'` });
  const vectors = kit.suites.vectors.filter((_, index) => index % 10 === 0);
  const run = await recordRun(adapter, kit, vectors);
  assert.ok(run.items.length > 500 && run.complete);
  for (const cut of Object.keys(CUTS))
    assert.deepEqual(
      auditRun(run, cut).map(({ rules }) => rules[0]),
      [],
      cut,
    );
});
