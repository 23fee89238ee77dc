import { type Command, PROOFS } from "./command.ts";
import { keyedBuild } from "./command-set.ts";

const FIRST = keyedBuild("alice", 1, 0);
const CHALLENGE: Command = { do: "challenge", who: "alice" };
const [HONEST, BAD] = [{}, { proof: { signature: "s-bit-flipped" } }].map((proof) =>
  PROOFS.findIndex((one) => JSON.stringify(one) === JSON.stringify(proof)),
);

/**
 * A proof, good or bad, of one of two challenges of a creator, and then an honest one of the other: it uses up its own
 * challenge and no other. The creator has a draft and has asked for it again before, which no sequence of a few
 * commands has room for.
 */
export function twoChallenges(): readonly (readonly Command[])[] {
  if (HONEST === undefined || BAD === undefined) return [];
  const proof = (back: number, of: number): Command => ({ do: "verify", back, proof: of });
  return [
    [proof(1, BAD), proof(0, HONEST)],
    [proof(0, BAD), proof(1, HONEST)],
    [proof(1, HONEST), proof(0, HONEST)],
    [proof(0, HONEST), proof(1, HONEST)],
  ].map((proofs) => [FIRST, FIRST, CHALLENGE, CHALLENGE, ...proofs]);
}
