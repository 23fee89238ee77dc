import { randomBytes, randomInt } from "node:crypto";

/** What is left to chance, drawn at the edge of the program. */
export interface Chance {
  /** The seed of a run that is to have any. */
  seed(): number;
  /** What no other run has. */
  salt(): string;
  /** A key that nobody else has. */
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
