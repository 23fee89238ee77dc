import bs58 from "bs58";
import { type KeyPair, keyPairOf, pooledAddress, secretOf } from "../../keys/key-pair.ts";
import { CAST, type Person } from "../script/scenario.ts";

/** The people of one vector: key pairs that nobody else has, and that anyone can derive from the seed. */
export class StagePeople {
  readonly #label: string;

  /** @param label belongs to the run and the vector alone */
  constructor(label: string) {
    this.#label = label;
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
    return pooledAddress(`${this.#label} ${word}`);
  }

  #of(person: Person): string {
    return `${this.#label} ${person}`;
  }
}
