import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { DATA_FOLDER } from "../data/kit-files.ts";
import { readContract } from "./contract.ts";
import { hintFor } from "./pitfalls.ts";
import type { WrongValue } from "./response-schemas.ts";

const source = join(DATA_FOLDER, "contract");
const { pitfalls } = readContract(source);

test("a pitfall matches by rule, by status and code, by body, or by value", () => {
  const hint = (rule: string, status: number, body: unknown, ...values: readonly Partial<WrongValue>[]) =>
    hintFor(pitfalls, {
      test: "suite/vector",
      rules: [rule],
      exchange: { status, envelope: { status, body } },
      values: values.map((value) => ({ path: "a", expected: "b", got: undefined, ...value })),
    }) ?? "";
  assert.match(hint("ENDPOINT-8", 404, "<!DOCTYPE html><title>Not found</title>"), /HTML page/);
  assert.match(hint("ENDPOINT-3", 401, { code: "INVALID_PROOF" }), /signedBytes/);
  assert.match(hint("ENDPOINT-3", 400, { code: "INVALID_FIELDS" }), /base64url/);
  assert.match(hint("LAUNCH-18", 200, {}), /bytes of the UTF-8 form/);
  assert.match(hint("CHALLENGE-9", 200, {}, { got: "1970-01-21T00:00:00Z", offMs: -9e12 }), /by 1000/);
  assert.match(hint("CHALLENGE-9", 200, {}, { got: "2026-10-10T12:01:00Z", offMs: -137 }), /clockStepMs/);
  assert.equal(hint("CHALLENGE-9", 200, {}, { got: "2026-10-10T12:01:00Z", offMs: 1_000 }), "");
  assert.match(hint("IDEMPOTENCY-18", 409, { code: "IDEMPOTENCY_CONFLICT" }), /creator and key/);
  assert.match(hint("LAUNCH-16", 429, { code: "OFFLINE_CAPACITY" }), /as the fact capacity states/);
  assert.match(hint("COST-3", 200, {}, { got: "165" }), /JSON string/);
  assert.equal(hint("SESSION-3", 200, {}, { got: "draft" }), "");
  const finding = { test: "in-process/key-of-another-type/list", rules: ["IDEMPOTENCY-4"], values: [] };
  assert.match(hintFor(pitfalls, finding) ?? "", /a key that is not a string/);
});

test("unknown rules and invalid regular expressions are reported with their places", () => {
  const folder = mkdtempSync(join(tmpdir(), "pitfalls-test-"));
  try {
    cpSync(source, folder, { recursive: true });
    const file = join(folder, "pitfalls.yaml");
    const text = readFileSync(file, "utf8");
    writeFileSync(file, text.replace("CHALLENGE-9,", "CHALENGE-9,").replace('^"\\d', '("\\d'));
    assert.throws(() => readContract(folder).pitfalls, {
      name: "DataError",
      message: /^\S+pitfalls\.yaml:\d+:\d+: unknown rule "CHALENGE-9"; did you mean "CHALLENGE-9"\?\n/,
    });
    assert.throws(() => readContract(folder).pitfalls, /\n\S+:\d+:\d+: .*Unterminated group$/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
