import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { readContract } from "../contract/contract.ts";
import { DATA_FOLDER } from "../contract/openapi.ts";
import { readCompiledSuite, serializeSuite } from "./compiled.ts";
import { loadKitVectors } from "./load.ts";

const folder = mkdtempSync(join(tmpdir(), "compiled-test-"));
after(() => rmSync(folder, { recursive: true }));

test("a compiled suite has the vectors that were compiled, with their places", () => {
  const vectors = loadKitVectors(readContract(join(DATA_FOLDER, "contract")));
  const root = join(DATA_FOLDER, "..");
  const path = join(folder, "suite.json");
  writeFileSync(path, serializeSuite(vectors, root));
  assert.deepEqual(readCompiledSuite(path, root), vectors);
});
