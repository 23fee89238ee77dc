import assert from "node:assert/strict";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { inProcessAdapter } from "../adapters/in-process.ts";
import { stdioAdapter } from "../adapters/stdio.ts";
import { PATHS } from "../paths.ts";
import { SERVED } from "../testing/adapters/served-contract.ts";
import { holdProtocol } from "../testing/examples/hold-protocol.ts";
import { holdStatements } from "../testing/examples/hold-statements.ts";
import { ONLY_KEPT, withProbes } from "../testing/examples/skeleton-trial.ts";
import { runCli } from "../testing/run-cli.ts";
import { temporaryDirectory } from "../testing/temporary-file.ts";

const PROBED = fileURLToPath(new URL("../testing/examples/probed/probed.mjs", import.meta.url));

test("what the TypeScript skeleton states holds, as a module and as a process", async (context) => {
  const folder = temporaryDirectory(context);
  const text = readFileSync(join(PATHS.examples, "typescript/skeleton.ts"), "utf8");
  const [statements = ""] = text.split(/\/\*\*\n \* Makes a service/);
  const service = `export { createService } from ${JSON.stringify(pathToFileURL(PROBED).href)};\n`;
  const file = join(folder, "skeleton.ts");
  writeFileSync(file, statements + service);
  const module = await import(pathToFileURL(file).href);
  await holdStatements(await inProcessAdapter(module, { name: "skeleton.ts" }).connect());
  copyFileSync(join(PATHS.examples, "typescript/skeleton-stdio.ts"), join(folder, "skeleton-stdio.ts"));
  const tsx = join(PATHS.root, "node_modules/.bin/tsx");
  const command = `${tsx} ${join(folder, "skeleton-stdio.ts")}`;
  await holdProtocol(command, true);
  const adapter = stdioAdapter({ command: `exec ${command}` });
  context.after(() => adapter.close());
  const connection = await adapter.connect(SERVED);
  await holdStatements(connection);
  await connection.close();
});

test("what the JavaScript skeleton states holds, and around a right profile it passes what a profile can", async (context) => {
  const folder = temporaryDirectory(context);
  const file = join(folder, "skeleton.mjs");
  const text = readFileSync(join(PATHS.examples, "javascript/skeleton.mjs"), "utf8");
  writeFileSync(file, withProbes(text, "probed.mjs"));
  const module = await import(pathToFileURL(file).href);
  await holdStatements(await inProcessAdapter(module, { name: "skeleton.mjs" }).connect());
  const { status, stdout, stderr } = await runCli(["run", "--module", file, ...ONLY_KEPT]);
  assert.equal(status, 0, stdout + stderr);
});
