/** As judged-again.test.ts, for a service in another language whose stores are small. */
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { pathToFileURL } from "node:url";
import { stdioAdapter } from "../../adapters/stdio.ts";
import { PATHS } from "../../paths.ts";
import { contract } from "../../testing/contract-data.ts";
import { IdleTime } from "../../testing/idle-time.ts";
import { assertAlike, judgedThrice, type Live } from "../../testing/judged-again.ts";

interface ReferenceHttp {
  serveHttp(service: object, options: object): Promise<{ readonly url: string; close(): Promise<void> }>;
}

/** Few enough that the sessions of three runs find room in the example's store. */
const BUILDING = [
  "draft/replayed",
  "rate-limit/five-at-once",
  "rate-limit/after-a-minute",
  "idempotency/lifetime",
  "verify/address-that-begins-with-1",
];
const BEGINNING_MS = Date.UTC(2026, 9, 10, 12);

/** The example behind a server that passes requests on to it; its clock moves as the kit waits. */
async function served(context: TestContext): Promise<Live> {
  const { serveHttp }: ReferenceHttp = await import(new URL("http.ts", pathToFileURL(PATHS.reference)).href);
  const command = `/usr/bin/python3 '${join(PATHS.examples, "python/adapter.py")}'`;
  const adapter = stdioAdapter({ command });
  context.after(() => adapter.close());
  const connection = await adapter.connect(contract);
  await connection.start(BEGINNING_MS);
  const handle = (call: Parameters<typeof connection.handle>[0]) => connection.handle(call);
  const { url, close } = await serveHttp({ handle }, { port: 0 });
  context.after(close);
  const { metadataHosts } = connection.info.facts;
  return { url, metadataHosts, time: new IdleTime(BEGINNING_MS, (ms) => connection.advance(ms)) };
}

test("the Python example is judged three times, the second at once, and found the same", async (context) => {
  assertAlike(await judgedThrice(await served(context), BUILDING));
});
