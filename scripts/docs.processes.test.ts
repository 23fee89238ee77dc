/**
 * Runs the commands in the docs. A comment before a block can be `not run: REASON`, `exit STATUS`
 * (default: 0), `background`, or `file: NAME` for a block to write to a file. A block of text after a command
 * is the expected output, in which `…` matches any text.
 */
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { type Block, ROOT, readPages } from "./docs.ts";
import { drawPicture, PICTURE } from "./picture.ts";

const folder = mkdtempSync(join(tmpdir(), "docs-"));
after(() => rmSync(folder, { recursive: true }));
const bin = join(folder, "bin");
mkdirSync(bin);
writeFileSync(
  join(bin, "npx"),
  `#!/bin/sh\nshift\nexec node "${join(ROOT, "scripts/conformance.mjs")}" "$@"\n`,
);
chmodSync(join(bin, "npx"), 0o755);
const env = { ...process.env, PATH: `${bin}:${process.env["PATH"]}` };

/** Returns whether the lines of a pattern occur in a text, in order. */
function hasLines(text: string, pattern: string): boolean {
  const quote = (part: string) => part.trim().replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const lines = pattern.split("\n").map((line) => line.split("…").map(quote).join(".*"));
  return new RegExp(lines.join("[^]*")).test(text);
}

for (const { file, blocks } of readPages())
  test(`the commands in ${file} do what the page says`, async (context) => {
    const cwd = join(folder, file.replaceAll("/", "-"));
    mkdirSync(join(cwd, "node_modules"), { recursive: true });
    symlinkSync(join(ROOT, "node_modules/tsx"), join(cwd, "node_modules/tsx"));
    writeFileSync(join(cwd, "package.json"), '{ "type": "module" }');
    writeFileSync(
      join(cwd, "client.ts"),
      `export * from "${join(ROOT, "examples/clients/typescript/client.ts")}";\n`,
    );
    writeFileSync(join(cwd, "service.ts"), `export * from "${join(ROOT, "reference/service.ts")}";\n`);
    for (const [index, block] of blocks.entries()) {
      const name = /^file: (.*)$/.exec(block.comment)?.[1];
      if (name !== undefined) writeFileSync(join(cwd, name), block.text);
      if (block.language !== "sh" || block.comment.startsWith("not run: ")) continue;
      if (block.comment === "background") {
        const server = spawn("sh", ["-c", `exec ${block.text}`], {
          cwd,
          env,
          stdio: ["ignore", "pipe", "ignore"],
        });
        context.after(() => server.kill());
        await once(server.stdout, "data");
        continue;
      }
      run(block, blocks[index + 1], cwd, `${file}:${block.line}`);
    }
  });

test("the picture shows what the present kit prints; npm run picture draws it", async () => {
  assert.equal(readFileSync(PICTURE, "utf8"), await drawPicture());
});

function run({ text, comment }: Block, next: Block | undefined, cwd: string, place: string): void {
  const { status, stdout, stderr } = spawnSync("sh", ["-ec", text], { cwd, env, encoding: "utf8" });
  assert.equal(status, Number(/^exit (\d)$/.exec(comment)?.[1] ?? 0), `${place}\n${stdout}${stderr}`);
  if (next?.language === "text") assert.ok(hasLines(stdout, next.text), `${place}\n${stdout}`);
}
