import { holdsText } from "./holds-text.ts";
import { base58Bytes } from "./response-schemas.ts";

/** In which form the bytes of a challenge message hold a public key; undefined where they do not. */
export function keyForm(message: Uint8Array, address: string): "base58" | "hex" | "raw" | undefined {
  if (holdsText(message, address)) return "base58";
  const key = base58Bytes(address);
  return key === undefined ? undefined : hexForm(message, Buffer.from(key).toString("hex"));
}

/** In which form the bytes of a challenge message hold what a hexadecimal text stands for. */
export function hexForm(message: Uint8Array, hex: string): "hex" | "raw" | undefined {
  const haystack = Buffer.from(message);
  if (haystack.toString("latin1").toLowerCase().includes(hex.toLowerCase())) return "hex";
  return haystack.includes(Buffer.from(hex, "hex")) ? "raw" : undefined;
}
