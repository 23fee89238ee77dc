import assert from "node:assert/strict";
import { test } from "node:test";
import { runCli } from "../testing/run-cli.ts";
import { temporaryFile } from "../testing/temporary-file.ts";

/** What a run says of a file of facts, before it asks anything of a server. */
async function saidOf(file: string): Promise<readonly [number, string]> {
  const { status, stderr } = await runCli(["run", "--url", "http://127.0.0.1:9", "--facts", file]);
  return [status, stderr];
}

test("a name that the protocol does not know is told with its place and the nearest", async (context) => {
  const hosts = "metadataHosts: [a.example, b.example]\n";
  for (const [text, place, message] of [
    ["operatorkey: x\n", "2:1", 'operatorkey is no name of the protocol (did you mean "operatorKey"?)'],
    [
      "capacity:\n  chalenges: 4\n",
      "3:3",
      'capacity.chalenges is no name of the protocol (did you mean "challenges"?)',
    ],
    ["capacity: { drafts: many }\n", "2:13", 'capacity.drafts must be a whole number, not "many"'],
    [
      "region: here\n",
      "2:1",
      "region is no name of the protocol; there are metadataHosts, operatorKey, signedBytes, capacity, and x-… for your own",
    ],
  ] as const) {
    const file = temporaryFile(context, "facts.yaml", hosts + text);
    assert.deepEqual(await saidOf(file), [2, `${file}:${place}: ${message}\n`]);
  }
});

test("a name of one's own is let be", async (context) => {
  const file = temporaryFile(
    context,
    "facts.yaml",
    "metadataHosts: [a.example, b.example]\nx-region: here\n",
  );
  const [status, stderr] = await saidOf(file);
  assert.equal(status, 3);
  assert.match(stderr, /cannot be reached/);
});
