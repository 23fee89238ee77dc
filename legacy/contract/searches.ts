import type { Searches } from "../engine/contract.ts";
import { exhaustive } from "../engine/search/exhaustive.ts";
import { inFlight } from "../engine/search/in-flight.ts";
import { randomSequences } from "../engine/search/random-sequences.ts";
import { commandSequence } from "./commands/command-sequence.ts";
import { everySequence } from "./commands/every-sequence.ts";
import { finalProbes } from "./commands/final-probes.ts";
import { interleaved } from "./commands/interleaved.ts";
import { COMMANDS } from "./commands/launch-commands.ts";
import { longLives } from "./commands/long-lives.ts";
import { twoChallenges } from "./commands/two-challenges.ts";
import { walks } from "./commands/walks.ts";
import { addresses, spellings, texts, uris } from "./properties/fields.ts";
import { races, raceVector } from "./properties/races.ts";
import { universal } from "./properties/universal.ts";

/** All that the kit searches a service for, in the order in which it does. */
export const SEARCHES: Searches = {
  properties: [
    randomSequences({
      name: "stateful",
      title:
        "every answer in a random sequence of requests, waits and restarts is one that the contract allows",
      tries:
        "a sequence of challenges, proofs, builds, waits and restarts by several creators, or a long walk to what was done least",
      rules: ["CHALLENGE-24", "SESSION-6", "SESSION-8", "IDEMPOTENCY-5", "IDEMPOTENCY-16", "LIMIT-10"],
      needs: ["virtual-clock", "restart", "rawBody"],
      // Few and long: a fault may wait for several things to have happened in one sequence.
      perRun: 0.4,
      commands: COMMANDS,
      sequences: commandSequence,
      walks: { of: walks, perCase: 2 },
    }),
    universal,
    texts,
    addresses,
    uris,
    spellings,
    inFlight({
      name: "races",
      title: "requests in flight together get what they would get one after the other",
      tries:
        "several proofs of one challenge, retries or inputs under one key, or builds of one creator, all at once",
      rules: ["CHALLENGE-71", "IDEMPOTENCY-70", "IDEMPOTENCY-71", "LIMIT-70", "LIMIT-71"],
      needs: ["virtual-clock", "restart", "concurrency"],
      // A case costs several requests in flight.
      perRun: 0.2,
      races,
      vector: raceVector,
    }),
  ],
  exhaustive: exhaustive({
    name: "exhaustive",
    title: "every sequence over a small set of commands gets the answers that the contract allows",
    tries:
      "every sequence out of a small set of commands, with probes of what each left behind, and a few longer ones",
    rules: ["CHALLENGE-22", "CHALLENGE-23", "SESSION-7", "IDEMPOTENCY-5", "IDEMPOTENCY-14", "LIMIT-6"],
    needs: ["virtual-clock", "restart"],
    set: COMMANDS,
    rounds: (depth) => [
      ...interleaved([...everySequence(depth)].map((sequence) => [...sequence, ...finalProbes(sequence)])),
      ...[...longLives(), ...twoChallenges()].map((sequence) => [sequence]),
    ],
  }),
};
