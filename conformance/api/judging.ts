import type { Result } from "../engine/play/result.ts";
import type { GatedReport } from "../policies/gated-report.ts";

/** A run that goes on. */
export interface Judging extends AsyncIterable<Result> {
  /**
   * The finished report, of a run that was stopped as well. Rejects with an `AdapterFault` where the implementation could
   * not be reached at all, with a `DataError` or `UsageError` where a file or a name is wrong, and with the signal's
   * reason where it stopped the run before there was anything to report.
   */
  readonly report: Promise<GatedReport>;
  /**
   * The results, each as soon as it is there. To leave the loop stops the run. What a result was seen to break on the
   * way to something else, and what a baseline knows of it, is settled in the report.
   */
  [Symbol.asyncIterator](): AsyncGenerator<Result, void, undefined>;
}
