import { AUDIENCE, FEE_WALLET, PLATFORM, TERMS_HASH, WITHDRAW_AUTHORITY } from "./profile.ts";

/** Returns the platform profile as a new object (contract, "Platform profile"). */
export function platformProfile(): object {
  return {
    mode: "OFFLINE_PROTOTYPE",
    platform: PLATFORM,
    feeWallet: FEE_WALLET,
    withdrawAuthority: WITHDRAW_AUTHORITY,
    termsStatus: "DEMO_NOT_A_LAUNCH_AGREEMENT",
    creatorBpsImplemented: 5000,
    productionApproved: false,
    publicServer: false,
    termsHash: TERMS_HASH,
    // Implementation-defined: the contract shows neither the name nor the content of this description.
    signing: {
      algorithm: "Ed25519",
      audience: AUDIENCE,
      signedBytes: "utf8",
      signatureEncoding: "base64",
      signer: "the creator's own client; this service neither signs nor sends",
    },
  };
}
