import assert from "node:assert/strict";
import { test } from "node:test";
import { exchangeOf } from "../../testing/exchanges.ts";
import { ROUTES } from "../operations.ts";
import { KnownDrafts } from "./known-drafts.ts";

/** What is found in the draft of a launch whose transaction holds a uri, after that of a launch with the uri in lower case. */
function foundOf(uri: string, held: string): readonly string[] {
  const drafts = new KnownDrafts();
  const compared = (mint: string, own: string, inTransaction: string) => {
    const input = { creator: "A", mint, name: "Coin", symbol: "C", uri: own };
    const unsignedTransactionBase64 = Buffer.from(`${mint} ${inTransaction}`).toString("base64");
    const body = { requiredSigners: ["A", mint], unsignedTransactionBase64, messageHash: mint };
    const exchange = exchangeOf({ ...ROUTES.build, body: JSON.stringify(input) }, { status: 200, body });
    return drafts.compare(exchange, { transaction: undefined, hashed: undefined, input });
  };
  compared("B", "https://gateway.example/coin.json", "https://gateway.example/coin.json");
  return compared("C", uri, held).mismatches.map(({ rule }) => rule);
}

test("a transaction holds no text of another launch, and its own as a canonical form has it", () => {
  const other = "https://gateway.example/coin.json";
  assert.deepEqual(foundOf("https://gateway.example/silver.json", other), ["DRAFT-42"]);
  assert.deepEqual(foundOf("https://gateway.example/silver.json", "https://gateway.example/silver.json"), []);
  assert.deepEqual(foundOf("HTTPS://Gateway.example/coin.json", other), []);
});
