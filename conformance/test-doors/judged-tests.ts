import { AdapterFault } from "../adapters/adapter.ts";
import { beginJudging } from "../api/judge.ts";
import { loadKitData } from "../contract/kit-data.ts";
import type { Result } from "../engine/play/result.ts";
import { plain } from "../plain-text.ts";
import type { OutsideDoorOptions } from "./door-options.ts";
import { doorAsked } from "./door-options.ts";
import { failureError } from "./failure-error.ts";

/** Maximum number of shown log lines: the last ones say why. */
const MOST_LOG_LINES = 20;

/** Result of a vector or property, for a runner. */
export interface JudgedTest {
  readonly id: string;
  readonly suite: string;
  /** Why it is skipped. */
  readonly skipped?: string;
  /** Why it failed, and a stack whose first place is the vector's. */
  readonly failed?: { readonly message: string; readonly stack: string };
}

/** All tests of a run that is over. */
export interface JudgedTests {
  /** What the outermost suite is called. */
  readonly name: string;
  readonly tests: readonly JudgedTest[];
}

/** Why nothing was judged. */
export interface NotJudged {
  readonly fault: Pick<Error, "name" | "message">;
}

/** {@link judgedTests}, or why there are none, as data. */
export async function toldTests(given: OutsideDoorOptions): Promise<JudgedTests | NotJudged> {
  try {
    return await judgedTests(given);
  } catch (error) {
    const { name, message } = error as Error;
    const log = error instanceof AdapterFault ? (error.log ?? "") : "";
    const lines = log.trimEnd().split("\n").slice(-MOST_LOG_LINES);
    const more = log === "" ? [] : ["its standard error:", ...lines];
    return { fault: { name, message: [message, ...more].map(plain).join("\n") } };
  }
}

/**
 * Judges an implementation, for a runner whose tests have to be known before any of them is run.
 * @throws {UsageError | DataError | AdapterFault} as `judge` does
 */
export async function judgedTests(given: OutsideDoorOptions): Promise<JudgedTests> {
  const asked = doorAsked(given);
  const { results, contract, seed } = await beginJudging(asked).report;
  const { contract: rules } = loadKitData();
  const again = (id: string) => `conformanceTests({ …, only: [${JSON.stringify(id)}] })`;
  const tests = results.map((result): JudgedTest => {
    const { id, outcome, reason = "" } = result;
    const named = { id, suite: id.split("/")[0] ?? id };
    if (outcome === "passed") return named;
    if (outcome === "skipped") return { ...named, skipped: plain(reason) };
    const { message, stack = "" } =
      outcome === "failed" ? failureError([result], rules, again) : broken(result);
    return { ...named, failed: { message, stack } };
  });
  return { name: asked.options.seed === "random" ? `${contract}, seed ${seed}` : contract, tests };
}

function broken({ reason = "", source }: Result): Error {
  const error = new Error(plain(reason));
  const place = source === undefined ? "" : `\n    at ${source.file}:${source.line}:1`;
  error.stack = `${error.message}${place}`;
  return error;
}
