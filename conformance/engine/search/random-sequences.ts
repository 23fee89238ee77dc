import fc from "fast-check";
import type { Property, PropertyDescription, PropertyOutcome, PropertyRun } from "../contract.ts";
import type { ClockStart, Step } from "../vectors/vector.ts";
import { sequenceStage } from "./check-cases.ts";
import { type CommandSet, stepsOf } from "./commands.ts";
import { distinctSeen } from "./distinct-seen.ts";
import { drawCases } from "./draw-cases.ts";
import { minimise } from "./minimise.ts";
import { playSequence, type SequenceRun, type SequenceStage } from "./play-sequence.ts";
import { reportSequence } from "./report-sequence.ts";
import type { FailedSequence } from "./write-vector.ts";

/** The first is the usual one, to which a failing case goes back. */
const CLOCKS = ["between-seconds", "between-seconds", "whole-minute", "whole-second"] as const;

/** A random sequence: where the clock stands at its start, and what is done. */
interface Case<Command> {
  readonly clock: ClockStart;
  readonly commands: readonly Command[];
}

/** Random sequences of a contract's commands. */
export interface RandomSequences<Command> extends PropertyDescription, Pick<Property, "perRun"> {
  readonly commands: CommandSet<Command>;
  readonly sequences: fc.Arbitrary<readonly Command[]>;
}

/** The property that every answer in a random sequence of commands is one that the contract allows. */
export function randomSequences<Command>({
  commands: set,
  sequences,
  ...described
}: RandomSequences<Command>): Property {
  const { name } = described;
  const cases: fc.Arbitrary<Case<Command>> = fc.record({
    clock: fc.constantFrom(...CLOCKS),
    commands: sequences,
  });
  return {
    ...described,
    async check(run: PropertyRun): Promise<PropertyOutcome> {
      const search = new Search(name, set, sequenceStage({ name, contract: set }, run));
      const seen: SequenceRun[] = [];
      const property = fc.asyncProperty(cases, async (tried) => {
        const shown = await search.play(tried);
        seen.push(shown);
        return shown.violation === undefined;
      });
      const details = await fc.check(property, { ...drawCases(name, run), endOnFailure: true });
      const tried = details.numRuns;
      const [failed] = details.counterexample ?? [];
      if (failed === undefined) return { tried, trace: [], ...distinctSeen(seen) };
      const found = await search.shrink(failed);
      return { tried, ...reportSequence(found, search.stage), ...distinctSeen([...seen, found.run]) };
    },
  };
}

class Search<Command> {
  readonly stage: SequenceStage;
  readonly #name: string;
  readonly #set: CommandSet<Command>;

  constructor(name: string, set: CommandSet<Command>, stage: SequenceStage) {
    this.#name = name;
    this.#set = set;
    this.stage = stage;
  }

  play(tried: Case<Command>): Promise<SequenceRun> {
    return playSequence(this.#stepsOf(tried), tried.clock, this.stage);
  }

  /** The shortest sequence that breaks the same rule. */
  async shrink(failed: Case<Command>): Promise<FailedSequence> {
    const rule = (await this.play(failed)).violation?.rules[0];
    const breaks = async (tried: Case<Command>) => (await this.play(tried)).violation?.rules[0] === rule;
    let { clock } = failed;
    const commands = await minimise(
      failed.commands,
      (shorter) => breaks({ clock, commands: shorter }),
      (command) => this.#set.simpler(command),
    );
    if (await breaks({ clock: CLOCKS[0], commands })) clock = CLOCKS[0];
    const least = { clock, commands };
    return { name: this.#name, steps: this.#stepsOf(least), clock, run: await this.play(least) };
  }

  #stepsOf({ commands }: Case<Command>): readonly Step[] {
    return stepsOf(commands, this.#set, this.stage.stage.timekeeping);
  }
}
