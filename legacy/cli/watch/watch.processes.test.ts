import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { PATHS } from "../../paths.ts";
import { PROGRAM } from "../../testing/cli-process.ts";
import { spoiltModule } from "../../testing/spoilt-module.ts";
import { temporaryDirectory } from "../../testing/temporary-file.ts";

/** What never happens must not be waited for for ever. */
const HANGS = { timeout: 120_000 };

/** The kit while it watches: what its screens show, one after the other, and how it ended. */
function watching(context: TestContext, folder: string, words: readonly string[]) {
  const child = spawn(process.execPath, [PROGRAM, ...words], {
    cwd: PATHS.root,
    stdio: ["pipe", "pipe", "inherit"],
    env: { ...process.env, NO_COLOR: "1", LAUNCH_DRAFT_CACHE: join(folder, "cache") },
  });
  context.after(() => child.kill("SIGKILL"));
  const ended = once(child, "close");
  let text = "";
  let wake = () => {};
  child.stdout.on("data", (piece: Buffer) => {
    text += piece;
    wake();
  });
  child.once("close", () => wake());
  const screen = async () => {
    const end = /^watching \d+ files · Enter: all again · q: end$/m;
    while (!end.test(text)) {
      assert.equal(child.exitCode, null, text);
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    const shown = text;
    text = "";
    return shown;
  };
  return { child, ended, screen };
}

test(
  "a fault is mended while the kit watches, Enter judges again, and Ctrl-C ends with the last status",
  HANGS,
  async (context) => {
    const folder = temporaryDirectory(context);
    const [module, mode] = [join(folder, "service.ts"), join(folder, "mode.ts")];
    writeFileSync(mode, 'export const mode = "LIVE";\n');
    const answer = `const answer = service.handle(call);
    if (call.path === "/v1/platform") answer.body["mode"] = mode;
    return answer;`;
    writeFileSync(module, `import { mode } from "./mode.ts";\n${spoiltModule(answer)}`);
    const only = ["--only", "platform/constants", "--runs", "0", "--exhaustive", "0"];
    const words = ["run", "--watch", "--module", module, ...only];
    const { child, ended, screen } = watching(context, folder, words);
    assert.match(await screen(), /^FAILED {2}platform\/constants\//m);
    writeFileSync(mode, readFileSync(mode, "utf8").replace("LIVE", "OFFLINE_PROTOTYPE"));
    assert.match(await screen(), /^mended {3}3: platform\/constants \(3\)\n[\s\S]*^selection passed: /m);
    child.stdin.write("\n");
    assert.match(await screen(), /^selection passed: /m);
    child.kill("SIGINT");
    assert.deepEqual(await ended, [0, null]);
  },
);

test("a client is watched as a service is", HANGS, async (context) => {
  const folder = temporaryDirectory(context);
  const [module, path] = [join(folder, "client.ts"), join(folder, "path.ts")];
  writeFileSync(path, 'export const path = "/v1/platform/";\n');
  writeFileSync(
    module,
    `import { path } from "./path.ts";
    import { launch as good } from ${JSON.stringify(PATHS.exampleClient)};
    export const launch = (task: never, { handle, ...tools }: any) =>
      good(task, { ...tools, handle: (call) => handle(call.method === "GET" ? { ...call, path } : call) });`,
  );
  const words = ["client", "--watch", "--module", module, "--only", "launches/first"];
  const { child, ended, screen } = watching(context, folder, words);
  assert.match(await screen(), /^client --module [\s\S]*^FAILED {2}launches\/first /m);
  writeFileSync(path, 'export const path = "/v1/platform";\n');
  assert.match(await screen(), /^mended {3}1: launches\/first\n[\s\S]*^selection passed: /m);
  child.kill("SIGINT");
  assert.deepEqual(await ended, [0, null]);
});
