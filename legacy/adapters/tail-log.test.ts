import assert from "node:assert/strict";
import { test } from "node:test";
import { LOG_BYTES, TailLog } from "./tail-log.ts";

test("a short log is whole", () => {
  const log = new TailLog();
  log.append(Buffer.from("one\n"));
  log.append(Buffer.from("two\n"));
  assert.equal(log.text(), "one\ntwo\n");
});

test("of a long log the end is kept", () => {
  const log = new TailLog();
  for (let line = 0; line < 50_000; line += 1) log.append(Buffer.from(`line ${line}\n`));
  assert.equal(log.text().length, LOG_BYTES);
  assert.ok(log.text().endsWith("line 49998\nline 49999\n"));
});
