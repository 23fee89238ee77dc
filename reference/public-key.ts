import bs58 from "bs58";

const BASE58_KEY = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;

/** Whether the text is a public key: 32 to 44 base58 characters that decode to 32 bytes (contract, "Launch request"). */
export function isPublicKey(text: string): boolean {
  return BASE58_KEY.test(text) && bs58.decode(text).length === 32;
}
