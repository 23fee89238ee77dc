import { createHash } from "node:crypto";
import { GROUP_ORDER, littleEndian } from "./key-pair.ts";

/** A nonce that need not be secret, since these key pairs exist for tests only. */
export function nonceOf(message: Uint8Array, attempt: number): bigint {
  return littleEndian(createHash("sha512").update(message).update(`nonce ${attempt}`).digest()) % GROUP_ORDER;
}
