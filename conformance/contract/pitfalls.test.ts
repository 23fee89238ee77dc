import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { DATA_FOLDER } from "../data/kit-files.ts";
import { readContract } from "./contract.ts";
import { hintFor } from "./pitfalls.ts";

const source = join(DATA_FOLDER, "contract");
const { pitfalls } = readContract(source);

test("a pitfall matches by rule, by value, or by the whole response", () => {
  const hint = (rule: string, expected: string, got: string, received?: string) =>
    hintFor(pitfalls, { rules: [rule], expected, got, ...(received !== undefined && { received }) });
  const received = '404 "<!DOCTYPE html><title>Not found</title>"';
  assert.match(hint("ENDPOINT-8", "404 NO_EXECUTION_ENDPOINT", "404", received) ?? "", /HTML page/);
  assert.match(hint("ENDPOINT-3", "200", "401 INVALID_PROOF") ?? "", /signedBytes/);
  assert.match(hint("ENDPOINT-3", "200", "400 INVALID_FIELDS") ?? "", /base64url/);
  assert.match(hint("LAUNCH-18", "400 INVALID_FIELDS", "200", "200 {}") ?? "", /bytes of the UTF-8 form/);
  assert.match(hint("CHALLENGE-9", "expiresAt: issue time + 60 s", "expiresAt: 1970-01-21") ?? "", /by 1000/);
  assert.match(hint("IDEMPOTENCY-18", "200", "409 IDEMPOTENCY_CONFLICT") ?? "", /creator and key/);
  assert.match(hint("LAUNCH-16", "200", "429 OFFLINE_CAPACITY") ?? "", /state the fact capacity/);
  assert.match(hint("COST-3", "cost.accounts.0.bytes: must be integer", '"165"') ?? "", /JSON string/);
  assert.equal(hint("SESSION-3", 'scope: "offline:launch-draft"', 'scope: "draft"', "200 {}"), undefined);
});

test("unknown rules and invalid regular expressions are reported with their places", () => {
  const folder = mkdtempSync(join(tmpdir(), "pitfalls-test-"));
  try {
    cpSync(source, folder, { recursive: true });
    const file = join(folder, "pitfalls.yaml");
    const text = readFileSync(file, "utf8");
    writeFileSync(file, text.replace("CHALLENGE-9,", "CHALENGE-9,").replace("^500\\b", "("));
    assert.throws(() => readContract(folder).pitfalls, {
      name: "DataError",
      message: /^\S+pitfalls\.yaml:\d+:\d+: unknown rule "CHALENGE-9"; did you mean "CHALLENGE-9"\?\n/,
    });
    assert.throws(() => readContract(folder).pitfalls, /\n\S+:\d+:\d+: .*Unterminated group$/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
