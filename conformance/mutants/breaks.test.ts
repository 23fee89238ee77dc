import assert from "node:assert/strict";
import { test } from "node:test";
import { contract } from "../testing/contract-data.ts";
import { scanBreaks } from "./breaks.ts";
import { loadBank } from "./load-bank.ts";

test("what is scanned off the bank's files is what the bank says", () => {
  assert.deepEqual(
    scanBreaks(),
    loadBank(contract).broken.map(({ id, breaks }) => ({ id, breaks })),
  );
});
