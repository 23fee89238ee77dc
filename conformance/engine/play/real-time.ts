/** The time of day for real clocks, handed in from the edge of the program. */
export interface RealTime {
  /** Milliseconds since the Unix epoch. */
  now(): number;
  sleep(ms: number): Promise<void>;
}
