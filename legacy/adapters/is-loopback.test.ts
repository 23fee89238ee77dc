import assert from "node:assert/strict";
import { test } from "node:test";
import { isLoopback } from "./is-loopback.ts";

test("this machine itself", () => {
  for (const host of [
    "127.0.0.1",
    "127.9.9.9",
    "::1",
    "[::1]",
    "localhost",
    "LOCALHOST",
    "::ffff:127.0.0.1",
  ]) {
    assert.equal(isLoopback(host), true, host);
  }
});

test("anything else", () => {
  for (const host of [
    "0.0.0.0",
    "::",
    "10.0.0.1",
    "localhost.example",
    "127.0.0.1.example",
    "",
    "1",
    "::ffff:8.8.8.8",
  ]) {
    assert.equal(isLoopback(host), false, host);
  }
});
