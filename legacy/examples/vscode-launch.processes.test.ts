import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { PATHS } from "../paths.ts";
import { temporaryDirectory } from "../testing/temporary-file.ts";

interface Launch {
  readonly configurations: readonly {
    readonly name: string;
    readonly program: string;
    readonly args: readonly string[];
  }[];
  readonly inputs: readonly { readonly id: string; readonly default: string }[];
}

const EXAMPLE = join(PATHS.examples, "typescript");
const { configurations, inputs } = JSON.parse(
  readFileSync(join(EXAMPLE, "vscode-launch.json"), "utf8"),
) as Launch;
const INSTALLED = `\${workspaceFolder}/node_modules/launch-draft-conformance/`;

test("what an editor launches runs the vector, then what failed, and the debugger reaches the service's process", (context) => {
  const folder = temporaryDirectory(context);
  copyFileSync(join(EXAMPLE, "skeleton.ts"), join(folder, "skeleton.ts"));
  const reached = join(folder, "reached.txt");
  // An editor's debugger comes into each process in this way.
  const debug = join(folder, "debug.cjs");
  writeFileSync(
    debug,
    `require("node:fs").appendFileSync(${JSON.stringify(reached)}, process.argv.join(" ") + "\\n");`,
  );
  for (const { name, program, args } of configurations) {
    assert.ok(program.startsWith(INSTALLED), name);
    writeFileSync(reached, "");
    const words = args.map((word) =>
      inputs.reduce((text, input) => text.replace(`\${input:${input.id}}`, input.default), word),
    );
    const { status, stdout } = spawnSync(
      process.execPath,
      [join(PATHS.root, program.slice(INSTALLED.length)), ...words],
      {
        cwd: folder,
        encoding: "utf8",
        env: {
          ...process.env,
          NODE_OPTIONS: `--require ${debug}`,
          LAUNCH_DRAFT_CACHE: join(folder, "cache"),
        },
      },
    );
    assert.equal(status, 1, name);
    assert.match(stdout, /^FAILED {2}platform\/constants\/whole-second /m, name);
    assert.match(stdout, /^0 passed, 1 failed, /m, name);
    assert.match(readFileSync(reached, "utf8"), / \.\/skeleton\.ts$/m, name);
  }
});

test("docs/every-day.md shows the first of them, for a module of another name", () => {
  const page = readFileSync(join(PATHS.root, "docs/every-day.md"), "utf8");
  const [, block = ""] = /```json\n(\{\n {2}"version"[^`]*)```/.exec(page) ?? [];
  const shown = JSON.parse(block.replace("./service.ts", "./skeleton.ts")) as Launch;
  assert.deepEqual(shown.configurations, configurations.slice(0, 1));
  assert.deepEqual(
    shown.inputs.map(({ id }) => id),
    inputs.map(({ id }) => id),
  );
});
