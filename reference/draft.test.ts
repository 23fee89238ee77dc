import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { describe, it } from "node:test";
import {
  getCompiledTransactionMessageDecoder,
  getCompiledTransactionMessageEncoder,
} from "@solana/transaction-messages";
import { getTransactionDecoder } from "@solana/transactions";
import { copyDraft, createDraft } from "./draft.ts";
import { PROGRAM_ADDRESS } from "./profile.ts";
import { actor, launchOf } from "./testing/test-client.ts";

describe("draft", () => {
  const request = { ...launchOf(actor("alice")), name: "Schön" };
  const draft = createDraft(request, 5000);
  const wire = Buffer.from(draft.unsignedTransactionBase64, "base64");

  it("has a transaction with two empty signatures, of the creator and then of the mint", () => {
    const { signatures, messageBytes } = getTransactionDecoder().decode(wire);
    assert.deepEqual(Object.entries(signatures), [
      [request.creator, null],
      [request.mint, null],
    ]);
    assert.equal(wire[0], 2);
    assert.deepEqual(wire.subarray(1, 129), Buffer.alloc(128));
    assert.deepEqual(wire.subarray(129), Buffer.from(messageBytes));
    assert.equal(draft.messageHash, createHash("sha256").update(Uint8Array.from(messageBytes)).digest("hex"));
  });

  it("has one instruction, which calls a program that is not deployed, and a blockhash of zeros", () => {
    const message = getCompiledTransactionMessageDecoder().decode(
      getTransactionDecoder().decode(wire).messageBytes,
    );
    assert.equal(message.version, 0);
    assert.deepEqual(message.header, {
      numSignerAccounts: 2,
      numReadonlySignerAccounts: 0,
      numReadonlyNonSignerAccounts: 1,
    });
    assert.deepEqual(message.staticAccounts, [request.creator, request.mint, PROGRAM_ADDRESS]);
    assert.equal(message.lifetimeToken, "1".repeat(32));
    assert.equal(message.instructions.length, 1);
    const { programAddressIndex, accountIndices, data } = message.instructions[0] ?? assert.fail();
    assert.deepEqual([programAddressIndex, accountIndices], [2, [0, 1]]);
    const expected = [request.name, request.symbol, request.uri].flatMap((text) => {
      const bytes = [...Buffer.from(text)];
      return [bytes.length, 0, 0, 0, ...bytes];
    });
    assert.deepEqual([...(data ?? [])], expected);
  });

  it("has the same bytes as the output of Solana's own encoder", () => {
    const { messageBytes } = getTransactionDecoder().decode(wire);
    const message = getCompiledTransactionMessageDecoder().decode(messageBytes);
    assert.deepEqual([...getCompiledTransactionMessageEncoder().encode(message)], [...messageBytes]);
  });

  it("names the creator and then the mint as signers, and expires after 30 s", () => {
    assert.deepEqual(draft.requiredSigners, [request.creator, request.mint]);
    assert.equal(draft.expiresAt, 35_000);
  });

  it("has a cost whose totals are the sums of its parts", () => {
    const { accounts, ...totals } = draft.cost;
    assert.deepEqual(
      accounts.map(({ kind, bytes, historicalRentLamports }) => [kind, bytes, historicalRentLamports]),
      [
        ["pool", 424, 3_841_920],
        ["mint", 82, 1_461_600],
        ["baseVault", 165, 2_039_280],
        ["quoteVault", 165, 2_039_280],
      ],
    );
    assert.deepEqual(totals, {
      basis: "HISTORICAL_RENT_NOT_CURRENT_RPC_QUOTE",
      networkFeeLamports: 10_000,
      minimumLamports: 9_392_080,
      reserveLamports: 1_000_000,
      recommendedLamports: 10_392_080,
    });
  });

  it("is the same for the same request, and different for a different mint", () => {
    assert.deepEqual(createDraft(request, 5000), draft);
    const other = createDraft({ ...request, mint: actor("other mint").creator }, 5000);
    assert.notEqual(other.messageHash, draft.messageHash);
  });

  it("is copied deeply", () => {
    const copy = copyDraft(draft);
    assert.equal(JSON.stringify(copy), JSON.stringify(draft));
    assert.notEqual(copy.requiredSigners, draft.requiredSigners);
    assert.notEqual(copy.cost, draft.cost);
    assert.notEqual(copy.cost.accounts[0], draft.cost.accounts[0]);
  });
});
