import fc from "fast-check";
import type { Property, PropertyDescription, PropertyOutcome, PropertyRun } from "../contract.ts";
import { runLabel } from "../play/run-label.ts";
import type { ClockStart, Step } from "../vectors/vector.ts";
import { sequenceStage } from "./check-cases.ts";
import { type CommandSet, stepsOf } from "./commands.ts";
import { distinctSeen } from "./distinct-seen.ts";
import { drawCases } from "./draw-cases.ts";
import { minimise } from "./minimise.ts";
import { playSequence, type SequenceRun, type SequenceStage } from "./play-sequence.ts";
import { reportSequence } from "./report-sequence.ts";
import { seedOf } from "./seed.ts";
import type { Walk, WalkSource } from "./walk.ts";
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
  /** Walks, and how many of them each case plays after its own sequence. */
  readonly walks?: { readonly of: WalkSource<Command>; readonly perCase: number };
}

/**
 * The property that every answer in a random sequence of commands is one that the contract allows. A case is a sequence
 * that is looked at closely, and after it a few walks, which are played as fast as the service answers.
 */
export function randomSequences<Command>(searched: RandomSequences<Command>): Property {
  const { commands: set, sequences, walks, ...described } = searched;
  const { name } = described;
  const cases: fc.Arbitrary<Case<Command>> = fc.record({
    clock: fc.constantFrom(...CLOCKS),
    commands: sequences,
  });
  return {
    ...described,
    async check(run: PropertyRun): Promise<PropertyOutcome> {
      const search = new Search(name, set, sequenceStage({ name, contract: set }, run));
      const walking = new Walking(searched, run);
      const seen: Pick<SequenceRun, "observations" | "advice">[] = [];
      let failed: Case<Command> | undefined;
      const property = fc.asyncProperty(cases, async (tried) => {
        const shown = await search.play(tried, "closely");
        seen.push(distinctSeen([shown]));
        failed = shown.violation === undefined ? await walking.next(search) : tried;
        return failed === undefined;
      });
      const details = await fc.check(property, { ...drawCases(name, run), endOnFailure: true });
      const tried = details.numRuns;
      if (details.failed && failed === undefined) throw details.errorInstance;
      const looked = {
        sequences: tried + walking.sequences,
        requests: search.requests,
        states: walking.states,
      };
      if (failed === undefined) return { tried, looked, trace: [], ...distinctSeen(seen) };
      const found = await search.shrink(failed);
      return {
        tried,
        looked,
        ...reportSequence(found, search.stage),
        ...distinctSeen([...seen, found.run]),
      };
    },
  };
}

/** The walks of a run's cases, in order. */
class Walking<Command> {
  readonly #walks: Iterator<Walk<Command>, never> | undefined;
  readonly #perCase: number;
  readonly #mostRequests: number;
  #sequences = 0;
  #states = 0;

  constructor({ name, walks }: RandomSequences<Command>, { stage, cases, requestsOfCase }: PropertyRun) {
    this.#walks = walks?.of(seedOf(stage.seed, `${name} walks`));
    this.#perCase = walks?.perCase ?? 0;
    this.#mostRequests = requestsOfCase ?? Number.POSITIVE_INFINITY;
    // Those of the cases before this run's are another's: they only tell what was met.
    for (let skipped = 0; skipped < cases.from * this.#perCase; skipped++) this.#walks?.next();
  }

  get sequences(): number {
    return this.#sequences;
  }

  get states(): number {
    return this.#states;
  }

  /** Plays the walks of one case, as far as its requests reach. @returns the one that broke a rule */
  async next(search: Search<Command>): Promise<Case<Command> | undefined> {
    let requests = 0;
    let failed: Case<Command> | undefined;
    for (let walked = 0; walked < this.#perCase; walked++) {
      const walk = this.#walks?.next().value;
      if (walk === undefined || failed !== undefined || requests >= this.#mostRequests) continue;
      this.#sequences += 1;
      this.#states += walk.newStates;
      const shown = await search.play(walk, "quickly");
      requests += shown.requests;
      if (shown.violation !== undefined) failed = walk;
    }
    return failed;
  }
}

class Search<Command> {
  readonly stage: SequenceStage;
  requests = 0;
  readonly #name: string;
  readonly #set: CommandSet<Command>;

  constructor(name: string, set: CommandSet<Command>, stage: SequenceStage) {
    this.#name = name;
    this.#set = set;
    this.stage = stage;
  }

  async play(tried: Case<Command>, look: "closely" | "quickly"): Promise<SequenceRun> {
    const shown = await playSequence(this.#stepsOf(tried), tried.clock, this.stage, look);
    this.requests += shown.requests;
    return shown;
  }

  /** The shortest sequence that breaks the same rule. */
  async shrink({ clock: first, commands: all }: Case<Command>): Promise<FailedSequence> {
    let clock = first;
    const rule = (await this.play({ clock, commands: all }, "quickly")).violation?.rules[0];
    const breaks = async (tried: Case<Command>) =>
      (await this.play(tried, "quickly")).violation?.rules[0] === rule;
    const commands = await minimise(
      all,
      (shorter) => breaks({ clock, commands: shorter }),
      (command) => this.#set.simpler(command),
    );
    if (await breaks({ clock: CLOCKS[0], commands })) clock = CLOCKS[0];
    const least = { clock, commands };
    return { name: this.#name, steps: this.#stepsOf(least), clock, run: await this.play(least, "closely") };
  }

  #stepsOf({ commands }: Case<Command>): readonly Step[] {
    const { stage } = this.stage;
    return stepsOf(commands, this.#set, stage.timekeeping, runLabel(stage));
  }
}
