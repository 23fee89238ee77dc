import assert from "node:assert/strict";
import { test } from "node:test";
import { idsOf } from "../engine/search/search-ids.ts";
import { SEARCH_IDS } from "./search-ids.ts";
import { SEARCHES } from "./searches.ts";

test("the ids of what is searched for are known without it", () => {
  assert.deepEqual(SEARCH_IDS, idsOf(SEARCHES));
});
