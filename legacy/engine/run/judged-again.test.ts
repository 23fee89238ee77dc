/** A server that outlives the runs is found the same each time, whatever the runs before left behind. */
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { pathToFileURL } from "node:url";
import { PATHS } from "../../paths.ts";
import { IdleTime } from "../../testing/idle-time.ts";
import { assertAlike, judgedThrice, type Live } from "../../testing/judged-again.ts";
import { reference } from "../../testing/reference.ts";

interface ReferenceServer {
  serveReference(options: object): Promise<{ readonly url: string; close(): Promise<void> }>;
}

/** Vectors that build, that wait, and that are about limits of one creator. */
const BUILDING = ["rate-limit", "revival", "verify/address-that-begins-with-1"];

async function served(context: TestContext): Promise<Live> {
  const { serveReference }: ReferenceServer = await import(pathToFileURL(PATHS.referenceServer).href);
  const time = new IdleTime(Date.UTC(2026, 9, 10, 12));
  const options = { host: "127.0.0.1", port: 0, control: false, capacity: 5_000, now: time.now };
  const { url, close } = await serveReference(options);
  context.after(close);
  const { metadataHosts } = reference.facts as { readonly metadataHosts: readonly string[] };
  return { url, metadataHosts, time };
}

test("a server is judged three times, the second at once, and found the same", async (context) => {
  const reports = await judgedThrice(await served(context), BUILDING);
  assertAlike(reports);
  assert.deepEqual(
    reports.map(({ salt }) => salt),
    ["a", "b", "c"],
  );
});
