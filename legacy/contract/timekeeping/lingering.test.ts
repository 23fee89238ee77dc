import assert from "node:assert/strict";
import { test } from "node:test";
import { type Body, changed, GOOD } from "../../testing/exchanges.ts";
import { mayLinger } from "./lingering.ts";

const { sentAt } = GOOD.build;
const draft = (expiresAt: unknown) => changed("build", (body: Body) => Object.assign(body, { expiresAt }));

for (const [what, exchange, expected] of [
  ["whose expiry has just passed", draft(sentAt - 1_250), false],
  ["whose expiry in seconds has just passed", draft(Math.floor(sentAt / 1000) - 2), false],
  ["whose expiry lies ahead", draft(sentAt + 270_000), true],
  ["whose expiry is of another clock", draft(30), true],
  ["without an expiry", draft("soon"), false],
] as const) {
  test(`a draft ${what} ${expected ? "may" : "must not"} be given at any time`, () => {
    assert.equal(mayLinger(exchange), expected);
  });
}

test("another answer is no draft", () => assert.equal(mayLinger(GOOD.verify), false));
