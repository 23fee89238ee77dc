/** The time of day for real clocks, handed in from the edge of the program. */
export interface RealTime {
  /** Milliseconds since the Unix epoch. */
  now(): number;
  /** Rejects where the signal ends it. */
  sleep(ms: number, wait?: Wait): Promise<void>;
  /** Milliseconds since some moment, finer than `now`: for measuring alone. `now` unless there is one. */
  precise?(): number;
}

/** What a sleep is for. */
export interface Wait {
  /** In words, after "waiting"; what is for nobody to know has none. */
  readonly for?: string;
  readonly signal?: AbortSignal;
}
