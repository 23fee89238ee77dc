import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { recordTranscript, TRANSCRIPT } from "./transcript.ts";

test("an adapter answers today as the transcript has it: `npm run docs` records it anew", async () => {
  assert.equal(await recordTranscript(), readFileSync(TRANSCRIPT, "utf8"));
});
