import assert from "node:assert/strict";
import { test } from "node:test";
import { workflowCommand } from "./workflow-command.ts";

/** As GitHub's runner reads it: the escapes of its `ActionCommand`, the percent sign last. */
function read(line: string) {
  const [, name, stated = "", message = ""] = /^::(\w+)(?: ([^\n]*?))?::([^\n]*)\n$/.exec(line) ?? [];
  const back = (text: string) => text.replaceAll("%0D", "\r").replaceAll("%0A", "\n");
  const value = (text: string) =>
    back(text).replaceAll("%3A", ":").replaceAll("%2C", ",").replaceAll("%25", "%");
  const pairs = stated.split(",").filter((pair) => pair !== "");
  const properties = pairs.map((pair) => [
    pair.slice(0, pair.indexOf("=")),
    value(pair.slice(pair.indexOf("=") + 1)),
  ]);
  return { name, properties: Object.fromEntries(properties), message: back(message).replaceAll("%25", "%") };
}

const HARD = "100%, a::b,c=d\r\n::error file=x::owned\n%0A%25";

test("whatever stands in a message or a property, the runner reads that, and one command", () => {
  for (const text of [HARD, "", "plain", "::", "%", "\r", ",", "é\u{1f600}"]) {
    const line = workflowCommand("error", { title: text, line: 7 }, text);
    assert.deepEqual(read(line), { name: "error", properties: { title: text, line: "7" }, message: text });
    assert.equal(line.split(/[\r\n]/).length, 2, "one line");
  }
});

test("colons and commas of a message stay as they are; a command without properties has no gap", () => {
  assert.equal(workflowCommand("notice", {}, "a: b, c"), "::notice::a: b, c\n");
  assert.equal(workflowCommand("error", { title: "a: b, c" }, "x"), "::error title=a%3A b%2C c::x\n");
});
