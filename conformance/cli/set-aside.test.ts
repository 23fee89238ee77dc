import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { temporaryFile } from "../testing/temporary-file.ts";
import { setAside } from "./write-file.ts";

test("a file that holds something gets the next free name; what holds nothing stays", (context) => {
  const file = temporaryFile(context, "traffic.har", "");
  assert.equal(setAside(file), undefined);
  for (const [number, text] of ["one", "two"].entries()) {
    writeFileSync(file, text);
    const aside = file.replace("traffic.har", `traffic.${number + 1}.har`);
    assert.equal(setAside(file), aside);
    assert.deepEqual([readFileSync(aside, "utf8"), existsSync(file)], [text, false]);
  }
  assert.equal(setAside(file), undefined);
  assert.equal(setAside("/dev/null"), undefined);
});
