import type { SignedBytes } from "../../adapters/adapter.ts";
import { messageBytes } from "../keys/message-bytes.ts";
import { usualKind } from "../model/address.ts";
import { proofWeigher } from "../model/proof-holds.ts";
import type { ModelContext, ProofWeight } from "../model/state.ts";
import type { SeenExchange } from "./seen.ts";

/** So many proofs are remembered: a history is gone through again where something in it is doubtful. */
const MOST_KNOWN = 5_000;

/** How services make bytes of a message, where nobody says how this one does. */
const USUAL: readonly SignedBytes[] = ["utf8", "sha256", "hex", "base64"];

/** Weighs the proofs of a recording, each once. */
export class Proofs {
  /** What the recording says of the proof at hand. */
  #told: SeenExchange["told"];
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
  next(told: SeenExchange["told"]): void {
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
