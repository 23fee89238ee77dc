import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { PATHS } from "../../paths.ts";
import { spoiltModule } from "../../testing/spoilt-module.ts";
import { temporaryDirectory } from "../../testing/temporary-file.ts";

/** What never happens must not be waited for for ever. */
const HANGS = { timeout: 120_000 };

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
    const cli = join(PATHS.root, "conformance/cli.ts");
    const only = ["--only", "platform/constants", "--runs", "0", "--exhaustive", "0"];
    const words = ["run", "--watch", "--module", module, ...only];
    const child = spawn(process.execPath, ["--import", "tsx", cli, ...words], {
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
    assert.match(await screen(), /^FAILED {2}platform\/constants\//m);
    writeFileSync(mode, readFileSync(mode, "utf8").replace("LIVE", "OFFLINE_PROTOTYPE"));
    assert.match(await screen(), /^mended {3}3: platform\/constants \(3\)\n[\s\S]*^selection passed: /m);
    child.stdin.write("\n");
    assert.match(await screen(), /^selection passed: /m);
    child.kill("SIGINT");
    assert.deepEqual(await ended, [0, null]);
  },
);
