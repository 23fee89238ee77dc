import assert from "node:assert/strict";
import { test } from "node:test";
import { remembered } from "./remembered.ts";

/** Gives each text in capitals, and nothing for an empty one; tells what it was asked for. */
function counted(most: number): { readonly of: (text: string) => unknown; readonly asked: string[] } {
  const asked: string[] = [];
  const make = (text: string) => {
    asked.push(text);
    return text === "" ? undefined : { text: text.toUpperCase() };
  };
  return { of: remembered(most, make), asked };
}

test("a text is made into the same value once, nothing at all included", () => {
  const { of, asked } = counted(10);
  assert.equal(of("a"), of("a"));
  assert.deepEqual(of("a"), { text: "A" });
  assert.equal(of(""), undefined);
  assert.equal(of(""), undefined);
  assert.deepEqual(asked, ["a", ""]);
});

test("no more texts are remembered than there is room for, and no long ones", () => {
  const { of, asked } = counted(2);
  for (const text of ["a", "b", "c", "c", "a"]) of(text);
  assert.deepEqual(asked, ["a", "b", "c", "a"]);
  const long = "d".repeat(1001);
  for (const text of [long, long]) of(text);
  assert.equal(asked.filter((text) => text === long).length, 2);
});
