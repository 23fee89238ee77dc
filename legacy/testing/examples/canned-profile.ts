/** A platform profile as the contract wants it, of keys that stand for nobody; it has no apostrophe. */
export const CANNED_PROFILE = {
  mode: "OFFLINE_PROTOTYPE",
  platform: "4tnvLz7wENWoJjJZa1BjoATTU99Srjpsfh4WGF31CcD4",
  feeWallet: "GvBAEAr9jqNAtu7CtWFFDNwYsKr3MwuKkLmLWbUsTSho",
  withdrawAuthority: "BNnTs4gAEsATTngL7Vqp6itFXd8cshc4SYrXbojt5ME7",
  termsStatus: "DEMO_NOT_A_LAUNCH_AGREEMENT",
  creatorBpsImplemented: 5000,
  productionApproved: false,
  publicServer: false,
  termsHash: "e34ceeddd51d24218efe5b8266c23fcbcac7416bce4f7d1786570f14b30e56b5",
  signing: { algorithm: "Ed25519", signedBytes: "utf8", signatureEncoding: "base64" },
};
