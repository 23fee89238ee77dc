import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { inProcessAdapter } from "../adapters/in-process.ts";
import { stdioAdapter } from "../adapters/stdio.ts";
import { PATHS } from "../paths.ts";
import { SERVED } from "../testing/adapters/served-contract.ts";
import { holdStatements } from "../testing/examples/hold-statements.ts";
import { temporaryDirectory } from "../testing/temporary-file.ts";

const PROBED = fileURLToPath(new URL("../testing/examples/probed-service.ts", import.meta.url));

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
  const adapter = stdioAdapter({ command: `exec ${tsx} ${join(folder, "skeleton-stdio.ts")}` });
  context.after(() => adapter.close());
  const connection = await adapter.connect(SERVED);
  await holdStatements(connection);
  await connection.close();
});
