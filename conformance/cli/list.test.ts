import assert from "node:assert/strict";
import { test } from "node:test";
import { list } from "./list.ts";

test("vectors are listed with their titles, or as JSON with rules, place, and needs", () => {
  const text = list({ only: ["platform/same-*", "over-http/chunked"] });
  assert.match(text, /^platform\/same-twice +two profiles in a row are the same$/m);
  assert.match(text, /^(?:\S+ {2,}\S[^\n]*\n)+\d+ vectors and properties\n$/);
  const [vector] = JSON.parse(list({ json: true, only: ["over-http/chunked"] }));
  assert.deepEqual(Object.keys(vector), ["id", "title", "rules", "source", "needs"]);
  assert.ok(vector.needs.includes("http") && vector.source.file.endsWith("over-http.yaml"));
});

test("rules are listed with levels and numbers of vectors, and open points with the reference's reading", () => {
  const rules = list({ rules: true });
  assert.match(rules, /^ {2}SERVICE-6 +unobservable +- +The service neither holds/m);
  assert.match(rules, /^ {2}SERVICE-10 +recommendation +3 +Lifetimes/m);
  assert.match(list({ points: true }), /^ {2}CLOCK-RESOLUTION +millisecond +What is the resolution/m);
});

test("properties, and the tests and rules of clients, are also listed", () => {
  assert.match(list({ only: ["property/*"] }), /^property\/stateful +the contract allows every response/m);
  assert.match(list({ clients: true, only: ["sign-in/*"] }), /^sign-in\/\S+ +\S/m);
  assert.match(list({ clients: true, rules: true }), /^ {2}CLIENT-SECRET-1 +required +\d+ /m);
});
