import assert from "node:assert/strict";
import { test } from "node:test";
import { standalonePage } from "./init-command.ts";

test("a page by itself links to nothing that is not there, and names files as they lie beside it", () => {
  const text = "[`data/a.json`](../data/a.json), see [doors](doors.md#one) and [JSON](https://json.org)\n";
  const files = new Map([["data/a.json", "a.json"]]);
  assert.equal(standalonePage(text, files), "`a.json`, see doors and [JSON](https://json.org)\n");
});
