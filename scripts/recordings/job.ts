/** A service of the bank whose traffic is to be recorded and judged. */
export interface RecordingJob {
  readonly id: string;
  readonly legal: boolean;
}

/** What was found in its recordings: the rules, by the way in which they were cut. */
export interface RecordedService extends RecordingJob {
  /** Whether the run itself, which sent the requests, failed. */
  readonly failed: boolean;
  readonly found: Readonly<Record<string, readonly string[]>>;
  /** Why nothing could be said. */
  readonly fault?: string;
}
