import type { Connection } from "../../adapters/adapter.ts";
import type { KeyPair } from "./key-pair.ts";
import { proofText } from "./proof.ts";

/**
 * The `signatureBase64` of an honest proof for a challenge message; the adapter is asked where it decides what is signed.
 * @throws {MissingAnswer} where it does not tell
 */
export async function honestProof(
  connection: Pick<Connection, "info" | "bytesToSign">,
  signer: KeyPair,
  text: string,
): Promise<string> {
  const { signedBytes } = connection.info.facts;
  const asked = signedBytes === "adapter" ? { bytes: await connection.bytesToSign(text) } : {};
  return proofText({ signer, text, signedBytes, ...asked });
}
