import fc from "fast-check";
import type { Searches } from "../../engine/contract.ts";
import { exhaustive } from "../../engine/search/exhaustive.ts";
import { randomSequences } from "../../engine/search/random-sequences.ts";
import { COUNTER_COMMANDS, type CounterCommand, EVERY_COMMAND } from "./counter-commands.ts";

/** Every sequence of so many commands. */
function sequencesOf(depth: number): readonly (readonly CounterCommand[])[] {
  if (depth === 0) return [[]];
  return sequencesOf(depth - 1).flatMap((shorter) => EVERY_COMMAND.map((command) => [...shorter, command]));
}

/** What a counter is searched for. */
export const COUNTER_SEARCHES: Searches = {
  properties: [
    randomSequences({
      name: "counting",
      title: "a counter counts in every random sequence of commands",
      tries: "a sequence of up to sixteen commands",
      rules: ["COUNT-2", "LIMIT-2"],
      needs: ["virtual-clock", "restart"],
      commands: COUNTER_COMMANDS,
      sequences: fc.array(fc.constantFrom(...EVERY_COMMAND), { minLength: 1, maxLength: 16 }),
    }),
  ],
  exhaustive: exhaustive({
    name: "every-count",
    title: "a counter counts in every sequence of commands",
    tries: "every sequence of commands",
    rules: ["COUNT-2", "LIMIT-2"],
    needs: ["virtual-clock", "restart"],
    set: COUNTER_COMMANDS,
    rounds: (depth) => sequencesOf(depth).map((sequence) => [sequence]),
  }),
};
