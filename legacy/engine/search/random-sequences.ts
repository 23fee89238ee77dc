import fc from "fast-check";
import type { Property, PropertyDescription, PropertyOutcome, PropertyRun } from "../contract.ts";
import { runLabel } from "../play/run-label.ts";
import type { ClockStart, Step } from "../vectors/vector.ts";
import { sequenceStage } from "./check-cases.ts";
import { type CommandSet, stepsOf } from "./commands.ts";
import { distinctSeen } from "./distinct-seen.ts";
import { drawCases } from "./draw-cases.ts";
import { playSequence, type SequenceRun, type SequenceStage } from "./play-sequence.ts";
import { reportSequence } from "./report-sequence.ts";
import { seedOf } from "./seed.ts";
import { shorten } from "./shorten.ts";
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
  // Stretches of one run share what is dear to draw.
  let drawn: { readonly seed: number; readonly walking: Walking<Command> } | undefined;
  const walkingOf = (seed: number) => {
    if (drawn?.seed !== seed) drawn = { seed, walking: new Walking(searched, seed) };
    return drawn.walking;
  };
  return {
    ...described,
    async check(run: PropertyRun): Promise<PropertyOutcome> {
      const search = new Search(name, set, sequenceStage({ name, contract: set }, run));
      const walking = walkingOf(run.stage.seed);
      // Each case has actors and keys of its own, whichever were tried before it.
      const playOwn = (tried: Case<Command>, place: number) => {
        const walks = walking.ofCase(run.cases.from + place);
        search.stage.played = (run.cases.from + place) * (1 + walks.length);
        return search.playOwn(tried);
      };
      const playWalks = (place: number) => {
        const walks = walking.ofCase(run.cases.from + place);
        search.stage.played = (run.cases.from + place) * (1 + walks.length) + 1;
        return search.playWalks(walks, run.requestsOfCase);
      };
      const played: PlayedCase<Command>[] = [];
      const property = fc.asyncProperty(cases, async (tried) => {
        const place = played.length;
        const own = await playOwn(tried, place);
        const walked = own.failed === undefined ? await playWalks(place) : NO_WALKS;
        const outcome = { ...walked, ...own, failed: own.failed ?? walked.failed };
        played.push(outcome);
        return outcome.failed === undefined;
      });
      const details = await fc.check(property, { ...drawCases(name, run), endOnFailure: true });
      const tried = details.numRuns;
      const failed = played.at(-1)?.failed;
      if (details.failed && failed === undefined) throw details.errorInstance;
      const seen = played.map(({ shown }) => shown);
      const sum = (count: (one: PlayedCase<Command>) => number) =>
        played.reduce((total, one) => total + count(one), 0);
      const looked = {
        sequences: tried + sum(({ walks }) => walks),
        requests: sum(({ shown, requests }) => shown.requests + requests),
        states: sum(({ states }) => states),
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

/** What came of a case's own sequence. */
interface PlayedOwn<Command> {
  /** What it showed, each thing once, and how many requests it was. */
  readonly shown: Pick<SequenceRun, "observations" | "advice" | "requests">;
  /** The sequence, where it broke a rule. */
  readonly failed: Case<Command> | undefined;
}

/** What came of the walks of a case. */
interface PlayedWalks<Command> {
  /** The one that broke a rule. */
  readonly failed: Case<Command> | undefined;
  /** How many were played. */
  readonly walks: number;
  /** States of the model that they led to and none before. */
  readonly states: number;
  readonly requests: number;
}

type PlayedCase<Command> = PlayedOwn<Command> & PlayedWalks<Command>;

const NO_WALKS = { failed: undefined, walks: 0, states: 0, requests: 0 };

/** The walks of the cases of one seed, in order: whoever tries some of the cases has those. */
class Walking<Command> {
  readonly #walks: Iterator<Walk<Command>, never> | undefined;
  readonly #perCase: number;
  /** Of the cases so far. */
  readonly #ofCases: (readonly Walk<Command>[])[] = [];

  constructor({ name, walks }: RandomSequences<Command>, seed: number) {
    this.#walks = walks?.of(seedOf(seed, `${name} walks`));
    this.#perCase = walks?.perCase ?? 0;
  }

  /** The walks of the case at this place of all. */
  ofCase(place: number): readonly Walk<Command>[] {
    while (this.#ofCases.length <= place) this.#ofCases.push(this.#draw());
    return this.#ofCases[place] ?? [];
  }

  #draw(): readonly Walk<Command>[] {
    return Array.from({ length: this.#perCase }).flatMap(() => this.#walks?.next().value ?? []);
  }
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

  /** Plays a case's own sequence. */
  async playOwn(tried: Case<Command>): Promise<PlayedOwn<Command>> {
    const run = await this.play(tried, "closely");
    const failed = run.violation === undefined ? undefined : tried;
    return { shown: { ...distinctSeen([run]), requests: run.requests }, failed };
  }

  /** Plays walks as far as a case's requests reach. */
  async playWalks(
    ofCase: readonly Walk<Command>[],
    mostRequests = Number.POSITIVE_INFINITY,
  ): Promise<PlayedWalks<Command>> {
    let failed: Case<Command> | undefined;
    let [walks, states, requests] = [0, 0, 0];
    for (const walk of ofCase) {
      if (failed !== undefined || requests >= mostRequests) break;
      const walked = await this.play(walk, "quickly");
      walks += 1;
      states += walk.newStates;
      requests += walked.requests;
      if (walked.violation !== undefined) failed = walk;
    }
    return { failed, walks, states, requests };
  }

  play(tried: Case<Command>, look: "closely" | "quickly"): Promise<SequenceRun> {
    return playSequence(this.#stepsOf(tried), tried.clock, this.stage, look);
  }

  /** The shortest sequence that shows what is wrong, by the usual clock where that will do. */
  async shrink({ clock, commands: all }: Case<Command>): Promise<FailedSequence> {
    const least = await shorten(all, {
      play: (commands, look) => this.play({ clock, commands }, look),
      simpler: (command) => this.#set.simpler(command),
    });
    const commands = least?.items ?? all;
    const run = least?.run ?? (await this.play({ clock, commands }, "closely"));
    const [usual] = CLOCKS;
    const usually = clock === usual ? run : await this.play({ clock: usual, commands }, "closely");
    const same =
      usually.violation?.rules[0] === run.violation?.rules[0] && usually.decisive.size <= run.decisive.size;
    const shown = same ? { clock: usual, run: usually } : { clock, run };
    return { name: this.#name, steps: this.#stepsOf({ clock, commands }), ...shown };
  }

  #stepsOf({ commands }: Case<Command>): readonly Step[] {
    const { stage } = this.stage;
    return stepsOf(commands, this.#set, stage.measured.timekeeping, runLabel(stage));
  }
}
