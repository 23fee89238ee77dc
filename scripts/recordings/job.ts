import type { RecordingForm } from "../../conformance/testing/recordings/record-run.ts";

/** A service of the bank whose traffic is to be recorded and judged. */
export interface RecordingJob {
  readonly id: string;
  readonly legal: boolean;
  /** The form in which its recording is written and read. */
  readonly form: RecordingForm;
  /** Whether it is asked over HTTP, through sockets of this machine. */
  readonly overHttp: boolean;
}

/** What was found in its recordings: the rules, by the way in which they were cut. */
export interface RecordedService extends Pick<RecordingJob, "id" | "legal"> {
  /** Whether the run itself, which sent the requests, failed. */
  readonly failed: boolean;
  readonly found: Readonly<Record<string, readonly string[]>>;
  readonly exchanges: number;
  /** Why nothing could be said. */
  readonly fault?: string;
}
