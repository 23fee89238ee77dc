import { beginJudging } from "./begin-judging.ts";
import { judgeAsked } from "./judge-asked.ts";
import type { JudgeOptions } from "./judge-options.ts";
import type { Judging } from "./judging.ts";

/**
 * Judges an implementation, as the command `run` does. Writes nothing, and leaves the process and its exit status alone.
 *
 * @example
 * const judging = judge({ target: { module: "./service.ts" } });
 * for await (const { id, outcome } of judging) console.log(id, outcome);
 * const { verdict } = await judging.report;
 *
 * @throws {UsageError} one line, for an option that is none or has a wrong value
 */
export function judge(options: JudgeOptions): Judging {
  return beginJudging(judgeAsked(options));
}
