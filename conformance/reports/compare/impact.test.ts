import assert from "node:assert/strict";
import { test } from "node:test";
import { loadRuleBook } from "../../engine/rule-book.ts";
import { PATHS } from "../../paths.ts";
import { IMPACTS, impactOf } from "./impact.ts";

const { points } = loadRuleBook(PATHS.contract);
const at = (id: string, ...observed: string[]) => {
  const point = points.get(id);
  assert.ok(point, id);
  return impactOf(point, observed);
};

test("a client sees another form of the answers", () => {
  assert.equal(at("CHALLENGE-TIMESTAMP-FORMAT", "iso-8601", "epoch-seconds"), "form");
  assert.equal(at("MESSAGE-LAYOUT", "lines", "json"), "form");
});

test("a request that one serves and the other refuses is a matter of what is accepted", () => {
  assert.equal(at("URI-QUERY", "accepted", "METADATA_URL"), "acceptance");
  assert.equal(at("TRAILING-SLASH", "NO_EXECUTION_ENDPOINT", "served"), "acceptance");
  assert.equal(at("CANONICAL-TRIMMING", "same-input", "changed-input"), "acceptance");
  assert.equal(at("JSON-DUPLICATE-KEY-WINNER", "first-wins", "last-wins"), "acceptance");
});

test("a request that both refuse is a matter of the answer to a fault", () => {
  assert.equal(at("URI-QUERY", "METADATA_HOST", "METADATA_URL"), "answer");
  assert.equal(at("ORDER-BEARER-OR-KEY", "bearer", "key"), "answer");
});

test("limits, lifetimes and what is remembered are one matter", () => {
  assert.equal(at("RATE-SHAPE", "fixed", "sliding"), "limit");
  assert.equal(at("CHALLENGE-INSTANT", "valid", "expired"), "limit");
  assert.equal(at("KEY-MEMORY", "remembered", "forgotten"), "limit");
});

test("one reading among several is enough to be served", () => {
  assert.equal(at("URI-QUERY", "METADATA_URL | accepted", "METADATA_URL"), "acceptance");
});

test("every observable point falls into a kind that there is, and every kind has points", () => {
  const kinds = new Set(
    [...points.values()]
      .filter(({ observable }) => observable)
      .map((point) =>
        impactOf(
          point,
          point.readings.map(({ id }) => id),
        ),
      ),
  );
  assert.deepEqual([...kinds].sort(), Object.keys(IMPACTS).sort());
});
