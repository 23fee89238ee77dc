import type { ImplementationInfo } from "../../adapters/adapter.ts";
import { type SceneClock, virtualClock } from "../play/clock.ts";
import { playStep } from "../play/play-step.ts";
import { runLabel } from "../play/run-label.ts";
import type { Timekeeping } from "../play/timekeeping.ts";
import type { Step } from "../vectors/vector.ts";
import { CheckedScene } from "./checked-scene.ts";
import type { CommandSet, Script } from "./commands.ts";
import { cannotBeAsked, type SequenceStage, sequenceVector } from "./play-sequence.ts";
import { LostTrack } from "./violation.ts";

export type Sequence<Command> = readonly Command[];

/**
 * Sequences that are played side by side, since what happens to the service as a whole is dear: each goes up to there
 * by itself, then it happens to all at once, and then each goes on.
 */
export type Round<Command> = readonly Sequence<Command>[];

/** Commands that can be played in rounds on one service. */
export interface RoundSet<Command> extends CommandSet<Command> {
  /** Whether a command happens to all sequences of a round at once. */
  isShared(command: Command): boolean;
  /**
   * Keeps the sequences of one service apart.
   * @param nowMs the clock at which the service was started
   * @param timekeeping how late the service may end what lives for a time
   */
  pacing(info: ImplementationInfo, nowMs: number, timekeeping: Timekeeping): Pacing<Command>;
  /** A sequence as it is played by itself: what a round has done for it comes first. */
  alone(sequence: Sequence<Command>): readonly Command[];
}

/** What must come between sequences, so that nothing of one matters to the next. */
export interface Pacing<Command> {
  /** Before a round. */
  before(round: Round<Command>, nowMs: number): readonly Command[];
  /** Before each sequence of a round but the first. */
  between(round: Round<Command>): readonly Command[];
  /** After something that happened to all sequences, and before what they do until the next such thing. */
  after(next: Sequence<Command>): readonly Command[];
  /** Takes note of what was done, and of the status of the last answer so far. */
  note(command: Command, nowMs: number, status: number | undefined): void;
}

/** More steps than this are not looked back on. */
const MOST_STEPS = 256;

/** A sequence that is being played. */
interface Played<Command> {
  readonly sequence: Sequence<Command>;
  readonly number: number;
  readonly script: Script<Command>;
  /** The commands between those that are shared. */
  readonly parts: readonly Sequence<Command>[];
}

/**
 * Plays sequences against one service, side by side where they can be, as fast as it answers: in one scene, that looks
 * no more closely than it must. Each has names and keys of its own.
 */
export class SequenceRunner<Command> {
  readonly #set: RoundSet<Command>;
  readonly #scene: CheckedScene;
  readonly #clock: SceneClock;
  readonly #pacing: Pacing<Command>;
  readonly #shared: Script<Command>;
  #sequences: number;
  /** Sequences of which some step could not be played. */
  readonly #cut = new Set<number>();
  #moves = 0;
  #last: Sequence<Command> = [];
  #recent: Step[] = [];
  /** Names that the sequences of this round have given to exchanges. */
  #captured: string[] = [];

  /**
   * @param startMs the clock at which the service is started
   * @param before sequences that were played before, on other services
   */
  constructor(
    set: RoundSet<Command>,
    { stage, connection, id }: SequenceStage,
    startMs: number,
    before: number,
  ) {
    this.#set = set;
    this.#sequences = before;
    this.#clock = virtualClock(connection, startMs);
    const checking = { newModel: set.newModel, quick: true };
    const vector = sequenceVector(id, "between-seconds", []);
    this.#scene = new CheckedScene(checking, vector, stage, connection, this.#clock);
    this.#pacing = set.pacing(connection.info, startMs, stage.measured.timekeeping);
    this.#shared = set.script(stage.measured.timekeeping, runLabel(stage));
  }

  /** Requests, clock steps and restarts so far. */
  get steps(): number {
    return this.#scene.requests + this.#moves;
  }

  /** Sequences so far of which some step could not be played, and was left out. */
  get cut(): number {
    return this.#cut.size;
  }

  /** The sequence that was played last. */
  get last(): Sequence<Command> {
    return this.#last;
  }

  /** What was done to the service of late, the last of it at the end. */
  get recent(): readonly Step[] {
    return this.#recent.slice(-MOST_STEPS);
  }

  /** Plays sequences side by side. @throws {Violated} at the first answer that is not allowed */
  async play(round: Round<Command>): Promise<void> {
    this.#forgetSequences();
    for (const command of this.#pacing.before(round, this.#clock.now())) await this.#perform(command);
    const played = round.map((sequence) => this.#begin(sequence));
    const [first] = played;
    const shared = round[0]?.filter((command) => this.#set.isShared(command)) ?? [];
    for (let part = 0; part <= shared.length; part++) {
      for (const one of played) {
        if (part === 0 && one !== first)
          for (const command of this.#pacing.between(round)) await this.#perform(command);
        this.#last = one.sequence;
        for (const command of one.parts[part] ?? []) {
          if (!(await this.#playStep(one.script.step(command), one.number))) this.#cut.add(one.number);
          this.#note(command);
        }
      }
      const command = shared[part];
      if (command === undefined) continue;
      // Each script must know of it; it is done once.
      const [step] = played.map(({ script }) => script.step(command));
      if (!(await this.#playStep(step, 0))) for (const { number } of played) this.#cut.add(number);
      this.#note(command);
      const next = played.flatMap(({ parts }) => parts[part + 1] ?? []);
      for (const between of this.#pacing.after(next)) await this.#perform(between);
    }
  }

  /** What the sequences of the last round were about is of no more use. */
  #forgetSequences(): void {
    this.#scene.world.nextSequence();
    for (const name of this.#captured) this.#scene.captures.delete(name);
    this.#captured = [];
  }

  #begin(sequence: Sequence<Command>): Played<Command> {
    this.#sequences += 1;
    const number = this.#sequences;
    const parts: Command[][] = [[]];
    for (const command of sequence) {
      if (this.#set.isShared(command)) parts.push([]);
      else parts.at(-1)?.push(command);
    }
    return { sequence, number, script: this.#shared.branch(`s${number}x`), parts };
  }

  #note(command: Command): void {
    this.#pacing.note(command, this.#clock.now(), this.#scene.lastExchange?.status);
  }

  /** Does something that belongs to no sequence. */
  async #perform(command: Command): Promise<void> {
    await this.#playStep(this.#shared.step(command), 0);
    this.#note(command);
  }

  /**
   * @param number of the sequence, whose keys are its own; 0 for a step that belongs to none
   * @returns whether it could be played
   */
  async #playStep(step: Step | undefined, number: number): Promise<boolean> {
    if (step === undefined) return true;
    const [own = step] = number === 0 ? [] : this.#set.withOwnKeys([step], number);
    if (number !== 0 && step.as !== undefined) this.#captured.push(step.as);
    if (step.kind !== "operation") this.#moves += 1;
    this.#recent.push(own);
    if (this.#recent.length >= 2 * MOST_STEPS) this.#recent = this.recent.slice();
    try {
      await playStep(this.#scene, own, { step: "1", place: step.place });
      return true;
    } catch (error) {
      // A service may have no room for more: what cannot be asked of it is left out, and the others go on.
      if (!cannotBeAsked(error) && !(error instanceof LostTrack)) throw error;
      return false;
    }
  }
}
