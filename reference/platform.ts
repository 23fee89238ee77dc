import { AUDIENCE, FEE_WALLET, PLATFORM, TERMS_HASH, WITHDRAW_AUTHORITY } from "./profile.ts";

/** The platform profile, a fresh object each time (contract, "Platform profile"). */
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
    // Name and content of the signing description are our choice: the contract shows neither.
    signing: {
      algorithm: "Ed25519",
      audience: AUDIENCE,
      signedBytes: "utf8",
      signatureEncoding: "base64",
      signer: "the creator's own client; this service neither signs nor sends",
    },
  };
}
