import type { ServiceRequest } from "../../adapters/adapter.ts";
import type { Exchange } from "../../engine/play/exchange.ts";
import { challengeMembers, operationRequest, verifyMembers } from "./requests.ts";

type Answer = Pick<Exchange, "status" | "body">;

/** Who signs in, and how. */
export interface SignIn<Given extends Answer> {
  /** The creator's public key, base58. */
  readonly address: string;
  /** The profile's. */
  readonly termsHash: unknown;
  /** `signatureBase64` for a challenge message. */
  readonly prove: (message: string) => string | Promise<string>;
  readonly send: (request: ServiceRequest) => Promise<Given>;
}

/**
 * A challenge and its proof (contract, "Authentication" 2).
 * @returns both answers; no session where there was no challenge to prove
 */
export async function signIn<Given extends Answer>({
  address,
  termsHash,
  prove,
  send,
}: SignIn<Given>): Promise<{ readonly challenge: Given; readonly session: Given | undefined }> {
  const challenge = await send(operationRequest("challenge", challengeMembers(address, termsHash), {}));
  if (challenge.status !== 200) return { challenge, session: undefined };
  const { id, message } = challenge.body;
  const proof = await prove(messageText(message));
  const session = await send(operationRequest("verify", verifyMembers(id, proof), {}));
  return { challenge, session };
}

/** A challenge message; nothing where it is no text, which the judge tells of. */
export function messageText(message: unknown): string {
  return typeof message === "string" ? message : "";
}
