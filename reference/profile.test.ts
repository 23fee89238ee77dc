import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type Address, isAddress, isOffCurveAddress } from "@solana/addresses";
import * as profile from "./profile.ts";

describe("demo values", () => {
  const keys = [profile.PLATFORM, profile.FEE_WALLET, profile.WITHDRAW_AUTHORITY, profile.OPERATOR_KEY];

  it("include four different public keys, each a point of the curve", () => {
    assert.equal(new Set(keys).size, 4);
    for (const key of keys) assert.equal(isAddress(key) && !isOffCurveAddress(key), true, key);
  });

  it("include the address of a program, which has no private key", () => {
    assert.equal(isOffCurveAddress(profile.PROGRAM_ADDRESS as Address), true);
  });

  it("include a terms hash of 64 lower-case hex digits, and two hosts that never resolve", () => {
    assert.match(profile.TERMS_HASH, /^[a-f0-9]{64}$/);
    for (const host of profile.METADATA_HOSTS) assert.match(host, /^[a-z-]+\.example$/);
  });
});
