import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import * as reference from "../../reference/service.ts";
import { readClientContract } from "../contract/contract.ts";
import { selectVectors } from "../run/plan.ts";
import type { Report } from "../run/run.ts";
import type { ClientAdapter } from "./adapters/client-adapter.ts";
import { openClientCommand, openClientModule, openTaskProgram } from "./adapters/programs.ts";
import { loadTrials } from "./load.ts";
import { type ClientRunOptions, runClient } from "./run.ts";
import type { ReferenceModule } from "./service/simulated-service.ts";

const contract = readClientContract();
const trials = loadTrials(contract);
const SMALL_CLIENT = join(import.meta.dirname, "testing", "small-client.ts");

function run(adapter: ClientAdapter, options: Partial<ClientRunOptions>): Promise<Report> {
  return runClient(contract, trials, adapter, { reference: reference as ReferenceModule, ...options });
}

/** The same client, reached in three ways. */
const WAYS: Readonly<Record<string, () => Promise<ClientAdapter>>> = {
  "a module in a separate process": () => openClientModule(SMALL_CLIENT),
  "a resident program": () => openClientCommand(`node --import tsx ${SMALL_CLIENT} --resident`),
  "a program for each task": async () => openTaskProgram(`node --import tsx ${SMALL_CLIENT}`),
};

for (const [name, open] of Object.entries(WAYS))
  test(`a client can be ${name}`, async () => {
    const selection = {
      only: ["launches/first", "launches/two-creators*", "forms/pieces", "lost-answers/build/*"],
    };
    const adapter = await open();
    const report = await run(adapter, { selection, jobs: 2, timeoutMs: 60_000 }).finally(() =>
      adapter.close(),
    );
    assert.deepEqual(
      report.results.map(({ outcome, reason }) => ({ outcome, reason })),
      selectVectors(trials, selection).map(() => ({ outcome: "passed", reason: undefined })),
    );
  });

/** Programs that violate the client protocol, each with the reported error. */
const BROKEN_PROGRAMS: readonly (readonly [string, RegExp])[] = [
  ["cat >&2; echo 'went wrong' >&2; exit 3", /without a result; standard error: went wrong$/],
  ["cat > /dev/null; echo '{}'; echo '{}'", /wrote a second line after its result/],
  [
    `cat > /dev/null; exec node -e 'require("child_process").spawn("yes", { detached: true, stdio: "inherit" })'`,
    /wrote more than 1 MiB$/,
  ],
  ["cat > /dev/null; printf 'done \\033[31m\\n'", /result that is not JSON: "done \\u001b\[31m"$/],
];

for (const [command, expected] of BROKEN_PROGRAMS)
  test(`the error of a program is reported: ${expected.source}`, async () => {
    const report = await run(openTaskProgram(command), { selection: { only: ["launches/first"] } });
    assert.equal(report.results[0]?.outcome, "error");
    assert.match(report.results[0]?.reason ?? "", expected);
  });

test("closing the adapter ends a program that is running, and starts no other", async () => {
  const adapter = openTaskProgram("exec sleep 1000");
  const played = run(adapter, { selection: { only: ["launches/two-creators*"] }, timeoutMs: 0 });
  await adapter.close();
  const { results } = await played;
  assert.deepEqual(
    results.map(({ outcome }) => outcome),
    results.map(() => "error"),
  );
});
