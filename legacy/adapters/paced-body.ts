import { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";

/** A multiple of the contract's limit that a socket takes at once, without waiting for the other side to read. */
const FIRST_BYTES = 64 * 1024;

/** How long a server gets to refuse a body by its length or its first bytes; on loopback it takes well under 10 ms. */
const PATIENCE_MS = 100;

/**
 * A large body with a pause after its beginning. A server may refuse a body before it has read it and close the
 * connection (RFC 9110, section 15.5.14); once a write has failed on that, the answer is lost, so it is waited for
 * before more is written.
 */
export function pacedBody(bytes: Uint8Array): Uint8Array | Readable {
  return isSmall(bytes.length) ? bytes : Readable.from(pieces(bytes), { objectMode: false });
}

/** Whether a body of so many bytes needs no pause. */
export function isSmall(bytes: number): boolean {
  return bytes <= FIRST_BYTES;
}

async function* pieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes.subarray(0, FIRST_BYTES);
  await sleep(PATIENCE_MS);
  yield bytes.subarray(FIRST_BYTES);
}
