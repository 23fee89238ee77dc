import assert from "node:assert/strict";
import { test } from "node:test";
import { parseReporters } from "./reporters.ts";

for (const [values, specs] of [
  [[], [{ name: "console" }]],
  [["json=a=b.json"], [{ name: "console" }, { name: "json", file: "a=b.json" }]],
  [["json"], [{ name: "json" }]],
  [["json=-"], [{ name: "json" }]],
  [["console"], [{ name: "console" }]],
  [["github"], [{ name: "console" }, { name: "github" }]],
  [
    ["tap", "github"],
    [{ name: "tap" }, { name: "github" }],
  ],
  [["console=a.txt"], [{ name: "console" }, { name: "console", file: "a.txt" }]],
] as const) {
  test(`--reporter ${values.join(" ") || "left out"} asks for ${JSON.stringify(specs)}`, () => {
    assert.deepEqual(parseReporters(values), specs);
  });
}

for (const [values, message] of [
  [["=x"], "--reporter =x: must be NAME or NAME=FILE"],
  [["json="], "--reporter json=: must have a file after the ="],
  [["json=a", "tap=./a"], "--reporter tap=./a: json is to be written to that file"],
  [["json", "tap"], "--reporter tap: json is to go to standard output; give one of them a file (tap=FILE)"],
  [
    ["console", "json=-"],
    "--reporter json: console is to go to standard output; give one of them a file (json=FILE)",
  ],
] as const) {
  test(`--reporter ${values.join(" ")} is wrong usage`, () => {
    assert.throws(() => parseReporters(values), { name: "UsageError", message });
  });
}
