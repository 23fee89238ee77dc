import type { SignedBytes } from "../../adapters/adapter.ts";
import type { RecordedExchange } from "../../engine/audit/recorded.ts";
import { messageBytes } from "../keys/message-bytes.ts";
import { usualKind } from "../model/address.ts";
import { readBody } from "../model/body-reading.ts";
import { proofWeigher } from "../model/proof-holds.ts";
import type { ModelContext, ProofWeight } from "../model/state.ts";
import { readProof } from "../model/verify-faults.ts";
import { operationOf } from "../operations.ts";
import type { ProofSaid } from "./secret-masks.ts";

/** Number of proofs that are remembered: a doubtful history is played several times. */
const MOST_KNOWN = 5_000;

/** Usual ways to turn a message into the bytes that are signed. */
const USUAL: readonly SignedBytes[] = ["utf8", "sha256", "hex", "base64"];

/** Verifies the proofs of a recording, each once. */
export class Proofs {
  /** What the recording says of the current proof. */
  #told: ProofSaid;
  /** Whether keys are examined closely, which is slow. */
  isClose = false;
  readonly #closely: ModelContext["proofHolds"] = proofWeigher();
  readonly #usually: ModelContext["proofHolds"] = proofWeigher(usualKind);
  readonly #known = new Map<string, ProofWeight>();
  readonly #stated: SignedBytes | undefined;
  /** Way of signing that the first accepted proof showed. */
  #learnt: SignedBytes | undefined;
  /** Way of signing by which the current proof holds. */
  #form: SignedBytes | undefined;

  /** @param signedBytes which bytes of a message are signed, where that is stated */
  constructor(signedBytes: SignedBytes | undefined) {
    this.#stated = signedBytes;
  }

  /** Begins another exchange, with what the recording says of its proof. */
  next(told: ProofSaid): void {
    this.#told = told;
    this.#form = undefined;
  }

  /** Verdict on a proof over a message; `unknown` where it is masked, or the signed bytes are not known. */
  readonly holds: ModelContext["proofHolds"] = (creator, signed, signature) => {
    this.#form = undefined;
    if (this.#told !== undefined)
      return this.#told === "unknown" ? "unknown" : this.#told === "holds" ? "yes" : "no";
    const text = Buffer.from(signed).toString("latin1");
    const key = `${this.isClose} ${creator} ${text} ${Buffer.from(signature).toString("base64")}`;
    let weight = this.#known.get(key);
    if (weight === undefined) {
      weight = this.#weighed(creator, signed, signature);
      // It may be learnt later.
      if (weight === "unknown") return weight;
      if (this.#known.size >= MOST_KNOWN) this.#known.clear();
      this.#known.set(key, weight);
    }
    return weight;
  };

  /** Notes that the service accepted the current proof. */
  taken(): void {
    if (this.#form === undefined || this.#learnt !== undefined) return;
    this.#learnt = this.#form;
  }

  #weigh(...proof: Parameters<ModelContext["proofHolds"]>): ProofWeight {
    return this.isClose ? this.#closely(...proof) : this.#usually(...proof);
  }

  /** @param signed the message as UTF-8, where the signed bytes are not stated */
  #weighed(creator: string, signed: Uint8Array, signature: Uint8Array): ProofWeight {
    if (this.#stated === "adapter") return "unknown";
    if (this.#stated !== undefined) return this.#weigh(creator, signed, signature);
    const message = Buffer.from(signed).toString();
    if (this.#learnt !== undefined)
      return this.#weigh(creator, messageBytes(message, this.#learnt), signature);
    // It may be over other bytes of the message: until one is accepted, the result says nothing.
    this.#form = USUAL.find((form) => this.#weigh(creator, messageBytes(message, form), signature) === "yes");
    return "unknown";
  }
}

/** What is needed of an exchange to verify proofs. */
type WatchedExchange = Pick<RecordedExchange, "startedMs" | "request" | "response">;

/** Whether a proof held, or could not be read; undefined where the challenge is unknown. */
type ProofSeen = RecordedExchange["proof"];

/** A challenge is remembered for longer than it can live (contract, "Limits"), by whatever clock. */
const REMEMBERED_MS = 600_000;
/** Most challenges that are remembered. */
const MOST_REMEMBERED = 200_000;

/** Remembers passing challenges, and verifies the proofs of them. */
export class ProofWatch {
  readonly #proofs: Proofs;
  readonly #signedBytes: SignedBytes | undefined;
  readonly #challenges = new Map<string, { creator: string; message: string; issuedMs: number }>();

  /** @param signedBytes which bytes of a message are signed, where stated; otherwise learnt from accepted proofs */
  constructor(signedBytes: SignedBytes | undefined) {
    this.#signedBytes = signedBytes;
    this.#proofs = new Proofs(signedBytes);
    // Where honest libraries differ, neither result is recorded.
    this.#proofs.isClose = true;
  }

  /** Notes an exchange; returns what is known of its proof, if it has one. */
  take(exchange: WatchedExchange): ProofSeen {
    const operation = operationOf(exchange.request.method, exchange.request.path);
    if (operation === "challenge") this.#issued(exchange);
    return operation === "verify" ? this.#proofIn(exchange) : undefined;
  }

  #issued({ startedMs, request, response }: WatchedExchange): void {
    if (response?.status !== 200) return;
    const { creator } = readBody(request.body).members;
    const { id, message } = readBody(response.body).members;
    if (typeof creator !== "string" || typeof id !== "string" || typeof message !== "string") return;
    this.#challenges.set(id, { creator, message, issuedMs: startedMs });
    for (const [oldest, { issuedMs }] of this.#challenges) {
      const isOld = startedMs - issuedMs > REMEMBERED_MS;
      if (!isOld && this.#challenges.size <= MOST_REMEMBERED) return;
      this.#challenges.delete(oldest);
    }
  }

  #proofIn({ request, response }: WatchedExchange): ProofSeen {
    const { id, signature, spelling } = readProof(readBody(request.body));
    if (signature === undefined) return "unread";
    const challenge = id === undefined ? undefined : this.#challenges.get(id);
    // Other spellings are implementation-defined.
    if (challenge === undefined || spelling !== undefined) return undefined;
    const signed = messageBytes(challenge.message, this.#signedBytes ?? "utf8");
    const weigh = () => this.#proofs.holds(challenge.creator, signed, signature);
    const first = weigh();
    // The signed bytes are learnt from accepted proofs.
    if (response?.status === 200) this.#proofs.taken();
    const weight = first === "unknown" ? weigh() : first;
    if (weight === "yes") return "holds";
    return weight === "no" ? "fails" : undefined;
  }
}
