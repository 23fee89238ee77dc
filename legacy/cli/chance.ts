import { randomBytes, randomInt } from "node:crypto";

/** Random values, drawn at the edge of the program. */
export interface Chance {
  /** A random seed. */
  seed(): number;
  /** A text that is unique to this run. */
  salt(): string;
  /** A key that is unique to this run. */
  key(): Uint8Array;
}

/** Seeds are as long as the command line takes them. */
const SEEDS = 1_000_000_000;

/** Chance as the machine has it. */
export const CHANCE: Chance = {
  seed: () => randomInt(SEEDS),
  salt: () => randomBytes(5).toString("hex"),
  key: () => new Uint8Array(randomBytes(32)),
};
