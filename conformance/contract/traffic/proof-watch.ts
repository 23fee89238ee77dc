import type { SignedBytes } from "../../adapters/adapter.ts";
import { Proofs } from "../audit/proofs.ts";
import { messageBytes } from "../keys/message-bytes.ts";
import { readBody } from "../model/body-reading.ts";
import { readProof } from "../model/verify-faults.ts";
import { operationOf } from "../operations.ts";

/** A request that passed, and what is needed of its answer. */
export interface SeenExchange {
  /** In ms since the Unix epoch. */
  readonly startedMs: number;
  readonly method: string;
  readonly path: string;
  readonly requestBody: string | Uint8Array | undefined;
  /** Absent where none came. */
  readonly status?: number;
  readonly responseBody?: string | Uint8Array;
}

/** Whether a proof held by its signature, or was none at all; undefined where nobody can tell without the challenge. */
export type ProofSeen = "holds" | "fails" | "unread" | undefined;

/** A challenge is remembered for longer than it can live (contract, "Limits"), by whatever clock. */
const REMEMBERED_MS = 600_000;
/** More of them are not alive at once in any service that was seen. */
const MOST_REMEMBERED = 200_000;

/** Remembers the challenges that pass, and weighs the proofs that are made of them. */
export class ProofWatch {
  readonly #proofs: Proofs;
  readonly #signedBytes: SignedBytes | undefined;
  readonly #challenges = new Map<string, { creator: string; message: string; issuedMs: number }>();

  /** @param signedBytes how the service makes bytes of a message, where that is stated; else it is learnt from what holds */
  constructor(signedBytes: SignedBytes | undefined) {
    this.#signedBytes = signedBytes;
    this.#proofs = new Proofs(signedBytes);
    // What honest libraries differ on is not to be written down as one thing or the other.
    this.#proofs.isClose = true;
  }

  /** Takes note of an exchange; gives what is known of its proof, where it is one. */
  take(exchange: SeenExchange): ProofSeen {
    const operation = operationOf(exchange.method, exchange.path);
    if (operation === "challenge") this.#issued(exchange);
    return operation === "verify" ? this.#proofIn(exchange) : undefined;
  }

  #issued({ startedMs, requestBody, status, responseBody }: SeenExchange): void {
    if (status !== 200) return;
    const { creator } = readBody(requestBody).members;
    const { id, message } = readBody(responseBody).members;
    if (typeof creator !== "string" || typeof id !== "string" || typeof message !== "string") return;
    this.#challenges.set(id, { creator, message, issuedMs: startedMs });
    for (const [oldest, { issuedMs }] of this.#challenges) {
      const isOld = startedMs - issuedMs > REMEMBERED_MS;
      if (!isOld && this.#challenges.size <= MOST_REMEMBERED) return;
      this.#challenges.delete(oldest);
    }
  }

  #proofIn({ requestBody }: SeenExchange): ProofSeen {
    const { id, signature, spelling } = readProof(readBody(requestBody));
    if (signature === undefined) return "unread";
    const challenge = id === undefined ? undefined : this.#challenges.get(id);
    // What the service makes of another spelling is open.
    if (challenge === undefined || spelling !== undefined) return undefined;
    const signed = messageBytes(challenge.message, this.#signedBytes ?? "utf8");
    const weight = this.#proofs.holds(challenge.creator, signed, signature);
    if (weight === "yes") return "holds";
    return weight === "no" ? "fails" : undefined;
  }
}
