import bs58 from "bs58";
import { type KeyPair, keyPairOf, secretOf } from "../../keys/key-pair.ts";
import { CAST, type Person } from "../script/scenario.ts";

/** Who is the same at every service. */
const VISITOR = "victor" satisfies Person;

/** The people of one vector: key pairs that nobody else has but for the visitor's, and that anyone can derive from the seed. */
export class StagePeople {
  readonly #label: string;
  readonly #runLabel: string;

  /**
   * @param label belongs to the run and the vector alone
   * @param runLabel belongs to the run
   */
  constructor(label: string, runLabel = label) {
    this.#label = label;
    this.#runLabel = runLabel;
  }

  keyPair(person: Person): KeyPair {
    return keyPairOf(this.#of(person));
  }

  address(person: Person): string {
    return this.keyPair(person).address;
  }

  /** The seed and then the public key: 64 bytes, as wallets of this network keep them. */
  secretKey(person: Person): Uint8Array {
    return Buffer.concat([secretOf(this.#of(person)), bs58.decode(this.address(person))]);
  }

  /** Who has this address; undefined for anybody else. */
  ofAddress(address: unknown): Person | undefined {
    return CAST.find((person) => this.address(person) === address);
  }

  /** An address of its own for every word, with which nobody signs. */
  stranger(word: string): string {
    return keyPairOf(`${this.#label} ${word}`).address;
  }

  #of(person: Person): string {
    return `${person === VISITOR ? this.#runLabel : this.#label} ${person}`;
  }
}
