// biome-ignore lint/plugin/edges: it yields to other work, and waits for no time
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Connection } from "../../adapters/adapter.ts";
import type {
  ExhaustiveOptions,
  ExhaustiveOutcome,
  ExhaustiveProperty,
  PropertyDescription,
  SearchProgress,
} from "../contract.ts";
import type { Result } from "../play/result.ts";
import { startTime } from "../play/start-times.ts";
import { stretchOf } from "../run/shard.ts";
import { unmetNeed } from "../vectors/need.ts";
import { explain } from "./explain.ts";
import type { SequenceStage } from "./play-sequence.ts";
import { propertyId, propertyResult, untriedProperty } from "./property-result.ts";
import { type Round, type RoundSet, SequenceRunner } from "./sequence-runner.ts";
import { Violated } from "./violation.ts";

/**
 * Rounds that are played on one service, however many services there are: what comes of a sequence may hang on what was
 * played before it.
 */
const ROUNDS_OF_SERVICE = 8;

/** Every sequence of a few commands. */
export interface EverySequence<Command> extends PropertyDescription {
  readonly set: RoundSet<Command>;
  /** Every sequence of so many commands, in a fixed order and in rounds that can be played side by side. */
  readonly rounds: (depth: number) => readonly Round<Command>[];
}

/**
 * The property that every sequence of so many commands gets the answers that the contract allows, and leaves behind
 * what it must.
 */
export function exhaustive<Command>(every: EverySequence<Command>): ExhaustiveProperty {
  const { set, rounds: makeRounds, ...described } = every;
  // Stretches of one search share what is dear to make.
  let made: { readonly depth: number; readonly rounds: readonly Round<Command>[] } | undefined;
  const rounds = (depth: number) => {
    if (made?.depth !== depth) made = { depth, rounds: makeRounds(depth) };
    return made.rounds;
  };
  return {
    ...described,
    count: (depth) => rounds(depth).flat().length,
    async search(options: ExhaustiveOptions): Promise<ExhaustiveOutcome> {
      const { info, depth } = options;
      const reason = options.stopped?.();
      const skip = unmetNeed(described.needs, info) ?? (reason === undefined ? undefined : { reason });
      if (skip !== undefined) {
        const result = untriedProperty(described, "skipped", skip);
        return { sequences: 0, leftOut: 0, ofSequences: 0, steps: 0, ended: true, result };
      }
      return new Every(described, rounds(depth), set, options).play();
    },
  };
}

/** How far a service has come that plays a few rounds. */
interface Mark {
  /** Sequences that were begun. */
  readonly sequences: number;
  readonly leftOut: number;
  readonly steps: number;
}

/** What came of the rounds of one service. */
interface Played<Command> {
  /** Where it stood after each. */
  readonly marks: readonly Mark[];
  /** Who knows of the answer that was not allowed, where one was. */
  readonly violated?: SequenceRunner<Command>;
}

/** The rounds that one service plays. */
interface Part<Command> {
  readonly rounds: readonly Round<Command>[];
  /** Sequences of the rounds before. */
  readonly before: number;
}

/** One try of all sequences, in the order of their rounds. */
class Every<Command> {
  readonly #described: PropertyDescription;
  readonly #set: RoundSet<Command>;
  readonly #options: ExhaustiveOptions;
  readonly #parts: readonly Part<Command>[];
  readonly #ofSequences: number;
  readonly #startMs: number;
  #done: Mark = { sequences: 0, leftOut: 0, steps: 0 };

  constructor(
    described: PropertyDescription,
    rounds: readonly Round<Command>[],
    set: RoundSet<Command>,
    options: ExhaustiveOptions,
  ) {
    this.#described = described;
    this.#set = set;
    this.#options = options;
    this.#startMs = startTime("between-seconds", options.stage.seed);
    let before = 0;
    const parts = Array.from({ length: Math.ceil(rounds.length / ROUNDS_OF_SERVICE) }, (_, index) => {
      const own = rounds.slice(index * ROUNDS_OF_SERVICE, (index + 1) * ROUNDS_OF_SERVICE);
      const part = { rounds: own, before };
      before += own.flat().length;
      return part;
    });
    // Whole services, so that none plays another sequence before one than it would in an undivided search.
    const { from, count } = stretchOf(parts.length, options.shard ?? { index: 1, of: 1 });
    this.#parts = parts.slice(from, from + count);
    this.#ofSequences = this.#parts.flatMap((part) => part.rounds.flat()).length;
  }

  /** Tries them one after the other. */
  async play(): Promise<ExhaustiveOutcome> {
    const { connection: lane, onProgress, stopped = () => undefined, mostSteps = Infinity } = this.#options;
    const left = () => mostSteps - this.#done.steps;
    for (const place of this.#parts.keys()) {
      if (left() <= 0) break;
      const reason = stopped();
      if (reason !== undefined) return this.#outcome(untriedProperty(this.#described, "skipped", { reason }));
      const { marks, violated } = await this.#play(place, lane, left());
      this.#done = sum(this.#done, marks.at(-1));
      if (violated !== undefined) {
        const found = await explain(this.#described.name, violated, this.#set, this.#stageOn(lane));
        return this.#outcome(propertyResult(this.#described, found));
      }
      onProgress?.(this.#progress(this.#done, false));
      await nextTurn();
    }
    onProgress?.(this.#progress(this.#done, true));
    const nothing = { trace: [], observations: [], advice: [] };
    return this.#outcome(propertyResult(this.#described, nothing));
  }

  /** Plays the rounds of one service, and begins none after so many steps. */
  async #play(place: number, lane: Connection, mostSteps: number): Promise<Played<Command>> {
    const { rounds, before } = this.#parts[place] as Part<Command>;
    const runner = new SequenceRunner(this.#set, this.#stageOn(lane), this.#startMs, before);
    await lane.start(this.#startMs);
    const marks: Mark[] = [];
    let sequences = 0;
    const mark = (more: number) => {
      sequences += more;
      marks.push({ sequences, leftOut: runner.cut, steps: runner.steps });
    };
    try {
      for (const round of rounds) {
        if (runner.steps >= mostSteps) break;
        await runner.play(round);
        mark(round.length);
      }
    } catch (error) {
      if (!(error instanceof Violated)) throw error;
      mark(1);
      return { marks, violated: runner };
    }
    return { marks };
  }

  #stageOn(connection: Connection): SequenceStage {
    const { stage } = this.#options;
    return { contract: this.#set, stage, connection, id: propertyId(this.#described), played: 0 };
  }

  #progress({ sequences, leftOut, steps }: Mark, ended: boolean): SearchProgress {
    return { ended, sequences: sequences - leftOut, leftOut, ofSequences: this.#ofSequences, steps };
  }

  #outcome(result: Result): ExhaustiveOutcome {
    return { ...this.#progress(this.#done, true), result };
  }
}

function sum(one: Mark, other: Mark = { sequences: 0, leftOut: 0, steps: 0 }): Mark {
  return {
    sequences: one.sequences + other.sequences,
    leftOut: one.leftOut + other.leftOut,
    steps: one.steps + other.steps,
  };
}
