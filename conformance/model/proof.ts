/** Checks proofs: signatures of challenge messages. */
import { fromLittleEndian, GROUP_ORDER, isPrimeOrderPoint, verifySignature } from "../contract/key-pair.ts";
import { isUsualKey, keyFault } from "./public-key.ts";

/**
 * `unclear`: the model allows success and refusal, because the creator or the signed bytes are unknown, the
 * encoding is unusual, or Ed25519 libraries disagree about an unusual key or an unreduced scalar.
 * `malformed`: not a signature, so the request has a fault.
 */
export type ProofVerdict = "valid" | "invalid" | "unclear" | "malformed";

const IDENTITY_POINT = Buffer.from([1, ...new Array(31).fill(0)]);

/**
 * @param challenge the creator and the bytes that a client signs, if they are known
 * @param isAccepted whether the service accepted the proof. A valid proof then needs no check of the key.
 */
export function checkProof(
  challenge: { readonly creator: string | undefined; readonly signedBytes: Uint8Array | undefined },
  signatureBase64: unknown,
  isAccepted: boolean,
): ProofVerdict {
  const { creator, signedBytes } = challenge;
  if (creator === undefined) return "unclear";
  if (typeof signatureBase64 !== "string") return "malformed";
  const signature = decodeSignature(signatureBase64);
  if (signature === undefined) return "malformed";
  if (signedBytes === undefined || keyFault(creator) !== undefined) return "unclear";
  if (signatureBase64 !== signature.toString("base64")) return "unclear";
  const [point, scalar] = [signature.subarray(0, 32), signature.subarray(32)];
  const isValid = verifySignature(creator, signedBytes, signature);
  if (isValid && isAccepted) return "valid";
  if (!isUsualKey(creator)) return "unclear";
  if (isValid) return IDENTITY_POINT.equals(point) ? "unclear" : "valid";
  return fromLittleEndian(scalar) >= GROUP_ORDER || !isPrimeOrderPoint(point) ? "unclear" : "invalid";
}

/** Returns the 64 bytes of a signature, or undefined. Accepts every form of base64 that Node accepts. */
export function decodeSignature(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, "base64");
  const isHex = text === bytes.toString("hex");
  return bytes.length === 64 && !isHex ? bytes : undefined;
}
