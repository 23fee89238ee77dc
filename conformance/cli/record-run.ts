import type { Adapter } from "../adapters/adapter.ts";
import { recordingAdapter, type Ticks } from "../audit/recording-adapter.ts";
import { RunRecording, type WrittenRecording } from "../audit/recording-file.ts";
import { CONTRACT_ID } from "../contract/operations.ts";
import type { RealTime } from "../engine/play/real-time.ts";
import { kitVersion } from "../paths.ts";
import { UsageError } from "./usage-error.ts";

/** The contract has no base URL, and HAR wants one: a name that never resolves (RFC 2606, section 2). */
const NOWHERE = "http://launch-draft.invalid";
/** Two moments are as far apart at least, in ms: they are written in microseconds. */
const APART_MS = 0.002;

/** What is recorded of a run, and how. */
export interface RecordedAdapter {
  readonly adapter: Adapter;
  readonly time: RealTime;
  readonly baseUrl?: string;
}

/**
 * Records what passes through an adapter in a file.
 * @throws {UsageError} where the file cannot be written
 */
export function recordRun(
  file: string,
  { adapter, time, baseUrl = NOWHERE }: RecordedAdapter,
): { readonly adapter: Adapter; readonly end: () => WrittenRecording } {
  const creator = { name: "launch-draft-conformance", version: kitVersion() };
  let recording: RunRecording;
  try {
    recording = new RunRecording(file, {
      contract: CONTRACT_ID,
      creator,
      baseUrl: baseUrl.replace(/\/$/, ""),
    });
  } catch (error) {
    throw new UsageError(
      `--record ${file}: cannot be written (${(error as NodeJS.ErrnoException).code ?? String(error)})`,
    );
  }
  return {
    adapter: recordingAdapter(adapter, ticksOf(time), recording),
    end: () => recording.end(),
  };
}

/** The time of day, finer than its clock tells it, and never the same twice. */
function ticksOf({ now, precise = now }: RealTime): Ticks {
  const [begunMs, fromMs] = [now(), precise()];
  let last = begunMs;
  return () => {
    last = Math.max(last + APART_MS, begunMs + precise() - fromMs);
    return last;
  };
}
