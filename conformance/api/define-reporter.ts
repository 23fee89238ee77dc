import type { Transform } from "node:stream";
import type { TestEvent } from "../reports/events/test-event.ts";

/** A reporter for finished runs: what node:test takes for one, too. */
export type EventReporter = ((events: AsyncGenerator<TestEvent>) => AsyncIterable<string>) | Transform;

/**
 * Gives a reporter back as it is; the compiler checks it on the way. As a module's default export the command line takes
 * it, `--reporter ./mine.ts`, and as an object `reportText` does.
 */
export function defineReporter<const Reporter extends EventReporter>(reporter: Reporter): Reporter {
  return reporter;
}
