import assert from "node:assert/strict";
import { test } from "node:test";
import { temporaryFile } from "../testing/temporary-file.ts";
import { subjectOf } from "./subject.ts";

/** SHA-256 of `abc` (FIPS 180-4, example B.1). */
const ABC = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

test("a subject is a file, by its digest", (context) => {
  const file = temporaryFile(context, "service.tar", "abc");
  assert.deepEqual(subjectOf({ subject: file }), { name: "service.tar", sha256: ABC });
});

test("the module under test is one, unless another is named", (context) => {
  const module = temporaryFile(context, "service.ts", "abc");
  assert.deepEqual(subjectOf({ module }), { name: "service.ts", sha256: ABC });
  assert.equal(
    subjectOf({ module, subject: `registry.example/service@sha256:${ABC}` }).name,
    "registry.example/service",
  );
});

for (const [options, message, name] of [
  [{}, "--reporter in-toto needs --subject, a file or NAME@sha256:HEX: what was under test", "UsageError"],
  [{ subject: "/no/such/file" }, "/no/such/file: cannot be read (ENOENT)", "DataError"],
  [{ subject: "service@sha256:abc" }, "service@sha256:abc: cannot be read (ENOENT)", "DataError"],
] as const) {
  test(`${JSON.stringify(options)} names no subject`, () => {
    assert.throws(() => subjectOf(options), { name, message });
  });
}
