import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { startCli } from "../testing/cli-process.ts";
import { vectorText } from "../testing/run-vectors.ts";
import { spoiltModule } from "../testing/spoilt-module.ts";
import { temporaryFile } from "../testing/temporary-file.ts";

/** Runs the command line as a process of its own. */
async function kit(...words: readonly string[]) {
  const child = startCli(words);
  let [out, err] = ["", ""];
  child.stdout?.on("data", (chunk: Buffer) => {
    out += chunk;
  });
  child.stderr?.on("data", (chunk: Buffer) => {
    err += chunk;
  });
  const [status, signal] = await once(child, "close");
  return { status: status ?? signal, out, err };
}

const SUITE = `suite: sample
vectors:
  - { id: profile, title: gives a profile, rules: [PLATFORM-1], steps: [{ platform: }] }
  - { id: challenge, title: issues a challenge, rules: [CHALLENGE-1], steps: [{ challenge: { for: alice } }] }
`;

test("a module that asks for the kit's inspector, and then answers with 400 MB, is an error; what was found is kept", async (context) => {
  const source = spoiltModule(`if (!call.path.endsWith("/challenge")) return service.handle(call);
      process.kill(process.ppid, "SIGUSR1");
      return { status: 200, body: { id: "x".repeat(4e8) } };`);
  const module = temporaryFile(context, "service.ts", source);
  const { status, out, err } = await kit(
    "replay",
    temporaryFile(context, "suite.yaml", SUITE),
    "--module",
    module,
  );
  assert.deepEqual([status, err], [3, ""]);
  assert.match(out, /^1 passed, 0 failed, 0 skipped, 1 error;/m);
  assert.match(out, /^ {2}broke {5}the answer is larger than 8 MiB$/m);
});

test("a process that is ended from within before the verdict, with status 0, ends with status 3", async (context) => {
  const vectors = temporaryFile(context, "suite.yaml", vectorText("- platform:"));
  const reporter = temporaryFile(
    context,
    "leaves.mjs",
    "setImmediate(() => process.exit(0));\nexport default async function* () {}\n",
  );
  const { status, out, err } = await kit("replay", vectors, "--reporter", reporter);
  assert.deepEqual([status, out, err], [3, "", "the process exited before a verdict was reached\n"]);
});
