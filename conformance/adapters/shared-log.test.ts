import assert from "node:assert/strict";
import { test } from "node:test";
import { SharedLog } from "./shared-log.ts";
import { LOG_BYTES } from "./tail-log.ts";

test("what one side writes the other side reads", () => {
  const writer = new SharedLog();
  writer.append("one\n");
  writer.append(Buffer.from("zwö\n"));
  assert.equal(new SharedLog(writer.memory).text(), "one\nzwö\n");
});

test("the end of a flood is kept", () => {
  const log = new SharedLog();
  for (let line = 0; line < 50_000; line += 1) log.append(`line ${line}\n`);
  assert.equal(log.text().length, LOG_BYTES);
  assert.ok(log.text().endsWith("line 49998\nline 49999\n"));
});

test("of one huge write the end is kept, and the next follows it", () => {
  const log = new SharedLog();
  log.append("x");
  log.append(`${"a".repeat(3 * LOG_BYTES + 17)}b`);
  log.append("c");
  assert.equal(log.text(), `${"a".repeat(LOG_BYTES - 2)}bc`);
});

test("a ring that is exactly full is whole", () => {
  const log = new SharedLog();
  log.append(`${"a".repeat(LOG_BYTES - 1)}b`);
  assert.equal(log.text(), `${"a".repeat(LOG_BYTES - 1)}b`);
});
