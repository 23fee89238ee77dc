import assert from "node:assert/strict";
import { test } from "node:test";
import type { TraceEntry } from "../../engine/play/result.ts";
import { timelineHtml } from "./timeline.ts";

test("time passes from one step to the next, and never back", () => {
  const at = (step: string, clockMs: number): TraceEntry => ({
    step,
    place: { file: "a.har", line: 1 },
    clockMs,
    request: { method: "GET", path: "/" },
    response: null,
  });
  const text = String(timelineHtml([at("1.1", 0), at("1.2", 2_200), at("2.1", 0), at("2.2", 0)], new Set()));
  assert.deepEqual(text.match(/[-\d.]+ s pass/g), ["2.200 s pass"]);
});
