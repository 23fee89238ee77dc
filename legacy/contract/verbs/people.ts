import { createHash } from "node:crypto";
import type { WorldHost } from "../../engine/contract.ts";
import { type KeyPair, keyPairOf } from "../keys/key-pair.ts";
import { LEADING_ZERO, leadingZeroKeyPair, ODD_PEOPLE, oddKeyPair } from "../keys/odd-key.ts";

/** The people of one vector: their key pairs, mints, idempotency keys and bearers, which nobody else has. */
export class People {
  readonly #host: Pick<WorldHost, "name" | "label" | "info" | "realClock">;
  readonly #keyPairs = new Map<string, KeyPair>();
  readonly #mints = new Map<string, string>();
  readonly #bearers = new Map<string, string>();
  readonly #keyPrefix: string;
  #keys = 0;

  constructor(host: Pick<WorldHost, "name" | "label" | "info" | "realClock">) {
    this.#host = host;
    this.#keyPrefix = `key-${shortHash(`${host.label} ${host.name}`)}`;
  }

  /** The key pair of that name, which no other vector has but where the name stands for one key. */
  keyPair(name: string): KeyPair {
    let pair = this.#keyPairs.get(name);
    if (pair === undefined) {
      pair = this.#madeFor(name);
      this.#keyPairs.set(name, pair);
    }
    return pair;
  }

  #madeFor(name: string): KeyPair {
    const label = `${this.#host.label} ${this.#host.name} ${name}`;
    if (name === LEADING_ZERO) return leadingZeroKeyPair(label);
    return ODD_PEOPLE.includes(name) ? oddKeyPair(name, label) : keyPairOf(label);
  }

  /** An idempotency key that was not used before in this vector, nor in any other. */
  freshKey(): string {
    this.#keys += 1;
    return `${this.#keyPrefix}-${this.#keys}`;
  }

  /** A mint of its own for every label. Only on a shared service must no other vector have the same. */
  mint(label: string): string {
    let mint = this.#mints.get(label);
    if (mint === undefined) {
      const number = this.#mints.size;
      const { info, realClock, name, label: run } = this.#host;
      const own = info.capabilities.restart && !realClock ? "" : ` ${name}`;
      mint = keyPairOf(`${run} mint ${number}${own}`).address;
      this.#mints.set(label, mint);
    }
    return mint;
  }

  /** From here on, labels get their mints anew. */
  forgetMints(): void {
    this.#mints.clear();
  }

  /** The bearer of somebody's latest session with this instance of the service. */
  bearerOf(name: string): string | undefined {
    return this.#bearers.get(name);
  }

  /** Remembers a session for later builds. */
  keepBearer(name: string, bearer: unknown): void {
    if (typeof bearer === "string") this.#bearers.set(name, bearer);
  }

  /** Sessions end with the instance of the service. */
  forgetBearers(): void {
    this.#bearers.clear();
  }
}

/** A label made short: the first characters of its SHA-256. */
function shortHash(label: string): string {
  return createHash("sha256").update(label).digest("hex").slice(0, 12);
}
