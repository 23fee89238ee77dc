import { copyFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";
import { stdioAdapter } from "../adapters/stdio.ts";
import { CONTRACT_ID } from "../contract/operations.ts";
import { PATHS } from "../paths.ts";
import { SERVED } from "../testing/adapters/served-contract.ts";
import { holdStatements } from "../testing/examples/hold-statements.ts";
import { temporaryDirectory } from "../testing/temporary-file.ts";

const PROBED = fileURLToPath(new URL("../testing/examples/probed_service.py", import.meta.url));
const EXAMPLE = join(PATHS.examples, "python");

/** A folder with the service that is asked, beside which an adapter is to be put. */
function besideProbed(context: TestContext): string {
  const folder = temporaryDirectory(context);
  copyFileSync(PROBED, join(folder, "probed_service.py"));
  return folder;
}

async function hold(context: TestContext, file: string): Promise<void> {
  const adapter = stdioAdapter({ command: `exec /usr/bin/python3 ${file}` });
  context.after(() => adapter.close());
  const connection = await adapter.connect({ ...SERVED, id: CONTRACT_ID });
  await holdStatements(connection);
  await connection.close();
}

test("what the adapter of the Python example states holds", async (context) => {
  const folder = besideProbed(context);
  copyFileSync(join(EXAMPLE, "adapter.py"), join(folder, "adapter.py"));
  const facts = 'FACTS = {"metadataHosts": ["a.example", "b.example"]}\n';
  writeFileSync(join(folder, "service.py"), `from probed_service import Service\n\n${facts}`);
  await hold(context, join(folder, "adapter.py"));
});
