import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { PATHS } from "../paths.ts";
import { contract } from "../testing/contract-data.ts";
import { temporaryDirectory } from "../testing/temporary-file.ts";
import { checkEdits } from "./edits.ts";
import { programOf, referenceSources, type Sources } from "./program.ts";
import { loadMutants } from "./suite.ts";
import { tokensOf } from "./tokens.ts";

const bank = loadMutants("services", contract);

test("every edit applies to the reference with shorter and with longer lines", (context) => {
  for (const lineWidth of [60, 200]) {
    assert.deepEqual(checkEdits(bank, programOf(formatted(referenceSources(), lineWidth, context))), []);
  }
});

test("every edit applies to the reference with other comments", () => {
  const sources = eachToken((text) => (text === "return" || text === "const" ? `/* so */ ${text}` : text));
  assert.deepEqual(checkEdits(bank, programOf(sources)), []);
});

test("every edit applies where a function has moved to another file", () => {
  const sources = new Map(referenceSources());
  const verify = sources.get("verify.ts") ?? "";
  const [moved = assert.fail("no such function")] = /^export function checkProof.*?^\}$/ms.exec(verify) ?? [];
  sources.set("verify.ts", verify.replace(moved, "")).set("proof.ts", moved);
  assert.deepEqual(checkEdits(bank, programOf(sources)), []);
});

test("where a variable has another name, each edit that names it is told, and no other", () => {
  const sources = eachToken((text) => (text === "earlier" ? "previous" : text));
  const naming = [...bank.broken, ...bank.legal].flatMap(({ id, edits }) =>
    edits
      .filter(({ replace }) => tokensOf(replace).some(({ text }) => text === "earlier"))
      .map(({ place: { file, line } }) => `${file}:${line}: ${id}: the source has nowhere`),
  );
  const told = checkEdits(bank, programOf(sources));
  assert.deepEqual(
    told.map((line) => line.slice(0, line.indexOf(" nowhere") + " nowhere".length)),
    naming,
  );
  assert.ok(naming.length > 0);
  for (const line of told) assert.match(line, /earlier.*nearest is \w[\w-]*\.ts:\d+: .*previous/);
});

/** The reference's sources with each token turned into another text. */
function eachToken(change: (text: string) => string): Sources {
  const changed = [...referenceSources()].map(([name, source]): [string, string] => {
    let text = "";
    let copied = 0;
    for (const token of tokensOf(source)) {
      text += source.slice(copied, token.start) + change(token.text);
      copied = token.end;
    }
    return [name, text + source.slice(copied)];
  });
  return new Map(changed);
}

function formatted(sources: Sources, lineWidth: number, context: TestContext): Sources {
  const folder = temporaryDirectory(context);
  const formatter = { indentStyle: "space", lineWidth };
  writeFileSync(join(folder, "biome.json"), JSON.stringify({ root: true, formatter }));
  for (const [name, text] of sources) writeFileSync(join(folder, name), text);
  const biome = join(PATHS.root, "node_modules", "@biomejs", "biome", "bin", "biome");
  execFileSync(process.execPath, [biome, "format", "--write", "."], { cwd: folder, stdio: "pipe" });
  const written = new Map(
    [...sources.keys()].map((name) => [name, readFileSync(join(folder, name), "utf8")]),
  );
  assert.notDeepEqual(written, sources);
  return written;
}
