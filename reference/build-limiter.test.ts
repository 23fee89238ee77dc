import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { BUILDS_PER_WINDOW, BuildLimiter } from "./build-limiter.ts";

describe("build limiter", () => {
  it("allows each creator the maximum number of builds per minute", () => {
    const limiter = new BuildLimiter(10);
    for (let built = 0; built < BUILDS_PER_WINDOW; built += 1) {
      assert.equal(limiter.allows("a", 1000), true);
      limiter.record("a", 1000);
    }
    assert.equal(limiter.allows("a", 1000), false);
    assert.equal(limiter.allows("b", 1000), true, "another creator");
  });

  it("slides: a build stops counting when it is exactly 60 s old", () => {
    const limiter = new BuildLimiter(10);
    const later = new Array<number>(BUILDS_PER_WINDOW - 2).fill(40_000);
    for (const time of [0, 10_000, ...later]) limiter.record("a", time);
    assert.equal(limiter.allows("a", 59_999), false);
    assert.equal(limiter.allows("a", 60_000), true);
    limiter.record("a", 60_000);
    assert.equal(limiter.allows("a", 69_999), false, "only the first build has aged out");
    assert.equal(limiter.allows("a", 70_000), true);
  });

  it("holds no more creators than its capacity", () => {
    const limiter = new BuildLimiter(2);
    limiter.record("a", 0);
    limiter.record("b", 0);
    assert.equal(limiter.hasRoom("c", 59_999), false);
    assert.equal(limiter.hasRoom("a", 59_999), true);
    for (let time = 60_000; time < 6_000_000; time += 60_000) limiter.record(`creator ${time}`, time);
    assert.equal(limiter.size, 2);
  });
});
