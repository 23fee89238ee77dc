import assert from "node:assert/strict";
import { test } from "node:test";
import { Option } from "commander";
import { helpText } from "./command-line.ts";

for (const [defaultValue, expected] of [
  [undefined, "so many"],
  [false, "so many"],
  [[], "so many"],
  [3, "so many (default: 3)"],
  ["ts", 'so many (default: "ts")'],
] as const) {
  test(`help ${expected === "so many" ? "passes over" : "tells"} a default of ${JSON.stringify(defaultValue)}`, () => {
    const option = new Option("--count <n>", "so many").default(defaultValue);
    assert.equal(helpText(option), expected);
  });
}

test("help passes over a switch that is off, and tells what an option may be", () => {
  assert.equal(helpText(new Option("--bail", "stop").default(false)), "stop");
  assert.match(helpText(new Option("--kind <name>", "which").choices(["a", "b"])), /choices: "a", "b"/);
});
