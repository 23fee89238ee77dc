import type { Failure, Result } from "../play/result.ts";

/**
 * Gives every broken rule a result that fails for it. A rule that is broken in each answer (a wrong constant in the
 * profile, say) is seen by hundreds of vectors on their way to something else; it fails those that are about it. Only
 * where none of them failed for it does the first that saw it fail, so that nothing seen is lost.
 * @param results in any state; what an earlier call added is taken back first, so that results of several runs can be
 *   put together and attributed anew
 */
export function attributeFailures(results: readonly Result[]): readonly Result[] {
  const own = results.map(withoutAttributed);
  const broken = new Set(own.flatMap(({ failures }) => failures.flatMap(({ rules }) => rules)));
  return own.map((result) => {
    const attributed = result.incidental.filter(({ rule }) => !broken.has(rule));
    if (attributed.length === 0) return result;
    for (const { rule } of attributed) broken.add(rule);
    return {
      ...result,
      outcome: "failed" as const,
      ...(result.outcome === "error" ? { broke: true as const } : {}),
      failures: [...result.failures, ...onePerRule(attributed)],
    };
  });
}

function withoutAttributed(result: Result): Result {
  const seen = new Set(result.incidental);
  const failures = result.failures.filter((failure) => !seen.has(failure));
  if (failures.length === result.failures.length) return result;
  if (failures.length > 0) return { ...result, failures };
  const { broke, ...rest } = result;
  const outcome = broke ? "error" : result.reason === undefined ? "passed" : "skipped";
  return { ...rest, failures, outcome };
}

function onePerRule(failures: readonly Failure[]): readonly Failure[] {
  return failures.filter(({ rule }, index) => failures.findIndex((other) => other.rule === rule) === index);
}

/** Whether a result is of something that was to be tried, or a probe's that has anything to tell. */
export function tellsAnything({ kind, failures, advice }: Result): boolean {
  return kind !== "probe" || failures.length > 0 || advice.length > 0;
}
