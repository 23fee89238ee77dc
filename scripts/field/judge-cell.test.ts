import assert from "node:assert/strict";
import { test } from "node:test";
import { otherChoices } from "./judge-cell.ts";

/** A report that saw these readings. */
const saw = (readings: Readonly<Record<string, string>>) => ({
  choices: Object.entries(readings).map(([point, observed]) => ({
    point,
    title: point,
    readings: [],
    observed,
    reference: "",
  })),
});

test("a reading that the first adapter did not show is told", () => {
  assert.deepEqual(otherChoices(saw({ A: "later" }), saw({ A: "at-once" })), [
    "A is later, but at-once over the first adapter",
  ]);
});

test("fewer readings may be seen, and none of a point", () => {
  const first = saw({ A: "at-once | later", B: "yes", C: "not seen" });
  assert.deepEqual(otherChoices(saw({ A: "later", B: "not seen", C: "no" }), first), []);
});

test("whether a crowd finds an end may differ", () => {
  assert.deepEqual(
    otherChoices(saw({ "CROWD-OF-CREATORS": "ends" }), saw({ "CROWD-OF-CREATORS": "goes-on" })),
    [],
  );
});
