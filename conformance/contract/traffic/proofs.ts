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

/** So many proofs are remembered: a history is gone through again where something in it is doubtful. */
const MOST_KNOWN = 5_000;

/** How services make bytes of a message, where nobody says how this one does. */
const USUAL: readonly SignedBytes[] = ["utf8", "sha256", "hex", "base64"];

/** Weighs the proofs of a recording, each once. */
export class Proofs {
  /** What the recording says of the proof at hand. */
  #told: ProofSaid;
  /** Whether keys are looked at closely, which takes long. */
  isClose = false;
  readonly #closely: ModelContext["proofHolds"] = proofWeigher();
  readonly #usually: ModelContext["proofHolds"] = proofWeigher(usualKind);
  readonly #known = new Map<string, ProofWeight>();
  readonly #stated: SignedBytes | undefined;
  /** How bytes are made of a message, as the first proof showed that the service took. */
  #learnt: SignedBytes | undefined;
  /** How they were made in the proof at hand, where it holds so. */
  #form: SignedBytes | undefined;

  /** @param signedBytes how the service makes bytes of a message, where that is stated */
  constructor(signedBytes: SignedBytes | undefined) {
    this.#stated = signedBytes;
  }

  /** Another exchange is at hand: what was seen of the proof before it is not taken with it. */
  next(told: ProofSaid): void {
    this.#told = told;
    this.#form = undefined;
  }

  /** What a proof over a message is worth; `unknown` where it is masked, or what is signed is not known. */
  readonly holds: ModelContext["proofHolds"] = (creator, signed, signature) => {
    this.#form = undefined;
    if (this.#told !== undefined)
      return this.#told === "unknown" ? "unknown" : this.#told === "holds" ? "yes" : "no";
    const text = Buffer.from(signed).toString("latin1");
    const key = `${this.isClose} ${creator} ${text} ${Buffer.from(signature).toString("base64")}`;
    let weight = this.#known.get(key);
    if (weight === undefined) {
      weight = this.#weighed(creator, signed, signature);
      // What is not known may be learnt.
      if (weight === "unknown") return weight;
      if (this.#known.size >= MOST_KNOWN) this.#known.clear();
      this.#known.set(key, weight);
    }
    return weight;
  };

  /** The service took the proof at hand. */
  taken(): void {
    if (this.#form === undefined || this.#learnt !== undefined) return;
    this.#learnt = this.#form;
  }

  #weigh(...proof: Parameters<ModelContext["proofHolds"]>): ProofWeight {
    return this.isClose ? this.#closely(...proof) : this.#usually(...proof);
  }

  /** @param signed the message as UTF-8, where it is not stated what is signed */
  #weighed(creator: string, signed: Uint8Array, signature: Uint8Array): ProofWeight {
    if (this.#stated === "adapter") return "unknown";
    if (this.#stated !== undefined) return this.#weigh(creator, signed, signature);
    const message = Buffer.from(signed).toString();
    if (this.#learnt !== undefined)
      return this.#weigh(creator, messageBytes(message, this.#learnt), signature);
    // It may be over other bytes of the message: until one is taken, that it holds or fails says nothing.
    this.#form = USUAL.find((form) => this.#weigh(creator, messageBytes(message, form), signature) === "yes");
    return "unknown";
  }
}

/** What is needed of an exchange to weigh proofs. */
type WatchedExchange = Pick<RecordedExchange, "startedMs" | "request" | "response">;

/** Whether a proof held by its signature, or was none at all; undefined where nobody can tell without the challenge. */
type ProofSeen = RecordedExchange["proof"];

/** A challenge is remembered for longer than it can live (contract, "Limits"), by whatever clock. */
const REMEMBERED_MS = 600_000;
/** More of them are not alive at once in any service that was seen. */
const MOST_REMEMBERED = 200_000;

/** Remembers the challenges that pass, and weighs the proofs that are made of them. */
export class ProofWatch {
  readonly #proofs: Proofs;
  readonly #signedBytes: SignedBytes | undefined;
  readonly #challenges = new Map<string, { creator: string; message: string; issuedMs: number }>();

  /** @param signedBytes how the service makes bytes of a message, where that is stated; else it is learnt from what the service takes */
  constructor(signedBytes: SignedBytes | undefined) {
    this.#signedBytes = signedBytes;
    this.#proofs = new Proofs(signedBytes);
    // What honest libraries differ on is not to be written down as one thing or the other.
    this.#proofs.isClose = true;
  }

  /** Takes note of an exchange; gives what is known of its proof, where it is one. */
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
    // What the service makes of another spelling is open.
    if (challenge === undefined || spelling !== undefined) return undefined;
    const signed = messageBytes(challenge.message, this.#signedBytes ?? "utf8");
    const weigh = () => this.#proofs.holds(challenge.creator, signed, signature);
    const first = weigh();
    // What is signed is learnt from what the service took.
    if (response?.status === 200) this.#proofs.taken();
    const weight = first === "unknown" ? weigh() : first;
    if (weight === "yes") return "holds";
    return weight === "no" ? "fails" : undefined;
  }
}
