import assert from "node:assert/strict";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { pathToFileURL } from "node:url";
import { inProcessAdapter } from "../adapters/in-process.ts";
import { stdioAdapter } from "../adapters/stdio.ts";
import { PATHS } from "../paths.ts";
import { SERVED } from "../testing/adapters/served-contract.ts";
import { holdProtocol } from "../testing/examples/hold-protocol.ts";
import { holdStatements } from "../testing/examples/hold-statements.ts";
import { ONLY_KEPT, withProbes } from "../testing/examples/skeleton-trial.ts";
import { runCli } from "../testing/run-cli.ts";
import { temporaryDirectory } from "../testing/temporary-file.ts";

/** A copy of a skeleton, in a folder of its own, around the service that is asked. */
function probedModule(context: TestContext): string {
  const path = join(temporaryDirectory(context), "skeleton.ts");
  const text = readFileSync(join(PATHS.examples, "typescript/skeleton.ts"), "utf8");
  writeFileSync(path, withProbes(text, "probed.mjs"));
  return path;
}

test("what skeleton.ts states holds, and around a right profile it passes what a profile can", async (context) => {
  const path = probedModule(context);
  const module = await import(pathToFileURL(path).href);
  await holdStatements(await inProcessAdapter(module, { name: "skeleton.ts" }).connect());
  const { status, stdout, stderr } = await runCli(["run", "--module", path, ...ONLY_KEPT]);
  assert.equal(status, 0, stdout + stderr);
});

test("what skeleton.ts states holds as a process, which keeps to the protocol", async (context) => {
  const stdio = join(probedModule(context), "../skeleton-stdio.ts");
  copyFileSync(join(PATHS.examples, "typescript/skeleton-stdio.ts"), stdio);
  const command = `${join(PATHS.root, "node_modules/.bin/tsx")} ${stdio}`;
  await holdProtocol(command);
  const adapter = stdioAdapter({ command: `exec ${command}` });
  context.after(() => adapter.close());
  const connection = await adapter.connect(SERVED);
  await holdStatements(connection);
  await connection.close();
});
