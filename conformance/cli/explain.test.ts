import assert from "node:assert/strict";
import { test } from "node:test";
import { explain } from "./explain.ts";

test("the explanation of a rule shows its statement, level, section, decision, and tests", () => {
  const text = explain("LAUNCH-18");
  assert.match(text, /^LAUNCH-18 {2}\S.*\n {2}level {6}required\n {2}section {4}\S/);
  assert.match(text, /^ {2}properties \(\d+\)\n {4}property\/texts {2}/m);
  assert.match(text, /^ {2}vectors \(\d+\)\n {4}\S+\/\S+ {2}/m);
  assert.match(explain("DRAFT-11"), /^ {2}decision {3}The contract says base64 .* RFC 4648/m);
  assert.match(explain("SERVICE-6"), /^ {2}level {6}required, not observable: responses do not show/m);
});

test("the explanation of an open point shows its readings, the reference's reading, and its tests", () => {
  const text = explain("RATE-SHAPE");
  assert.match(text, /^ {2}open {7}The contract \S/m);
  assert.match(text, /^ {2}allowed readings \(5\)\n {4}sliding {8}each build counts for 60 seconds$/m);
  assert.match(
    text,
    /^ {2}reference {2}sliding: no period of 60 seconds then contains more than \w+ new builds$/m,
  );
  assert.match(text, /^ {2}vectors \(1\)\n {4}rate-shape\/shape {2}/m);
});

test("the explanation of a vector shows its cases, and its source with file and line", () => {
  const text = explain("platform/same-twice");
  assert.match(text, /^platform\/same-twice {2}two profiles in a row are the same$/m);
  assert.match(text, /^ {2}source {5}vectors\/suites\/platform\.yaml:\d+$/m);
  assert.match(text, /^ {2}- id: same-twice\n[\s\S]*steps:\n[\s\S]*platform/m);
  assert.equal(text.match(/- id:/g)?.length, 1);
  assert.match(
    explain("build-texts/name-within-bounds"),
    /^ {2}cases \(\d+\)\n {4}build-texts\/name-within/m,
  );
});

test("the explanation of an error code, a status, a property, a suite, or a section shows its rules and tests", () => {
  const code = explain("IDEMPOTENCY_CONFLICT");
  assert.match(
    code,
    /^IDEMPOTENCY_CONFLICT {2}error code of status 409\n {2}rules \(\d+\)\n {4}IDEMPOTENCY-9 /,
  );
  assert.match(code, /^ {2}open points[\s\S]*EXPIRED-CONFLICT[\s\S]*vectors that expect this code \(\d+\)$/m);
  assert.match(explain("property/texts"), /^ {2}tries .*\n {2}needs .*\n {2}rules \(\d+\)$/m);
  assert.match(explain("429"), /^429 {2}status of an error\n {2}codes \(2\)\n {4}OFFLINE_CAPACITY\n/);
  assert.match(explain("challenge-1"), /^CHALLENGE-1 {2}/);
  assert.match(explain("200"), /^200 {2}status of a success\n {2}rules \(\d+\)\n/);
  assert.match(explain("session/**"), /^session {2}suite of \d+ tests\n/);
  for (const suite of ["platform", "Platform/**"])
    assert.match(explain(suite), /^platform {2}suite of \d+ tests\n {2}vectors \(\d+\)\n/);
  assert.match(explain("limits"), /^Section "Limits" of the contract\n {2}rules \(\d+\)/);
});
