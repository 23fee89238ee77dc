import type { ClockStart } from "../vectors/vector.ts";

/** A long sequence of commands against one service. */
export interface Walk<Command> {
  readonly clock: ClockStart;
  readonly commands: readonly Command[];
  /** States of the model that it leads to and no walk before it has led to. */
  readonly newStates: number;
}

/** Walks without an end, the same for the same seed, each chosen for what the ones before it have not met. */
export type WalkSource<Command> = (seed: number) => Iterator<Walk<Command>, never>;
