import type { Result } from "../../engine/play/result.ts";
import type { Rule, RuleBook } from "../../engine/rule-book.ts";
import type { Release } from "./release.ts";
import { suiteName } from "./suite-name.ts";

/** The set that a run is judged by, and how it compares with what the kit holds now. */
export interface FrozenReport {
  /** `CONTRACT@VERSION`. */
  readonly suite: string;
  readonly digest: string;
  /** Results of this run that count. */
  readonly counted: number;
  /** Results of this run that came later: shown, and without a say. */
  readonly later: number;
  /** Frozen vectors that do other things now: run and shown as they are now, and without a say. */
  readonly changed: readonly string[];
  /** Frozen vectors and rules that the kit no longer has. */
  readonly removed: readonly string[];
}

/** A frozen set, and what the kit has now. */
export interface FrozenGate {
  readonly release: Release;
  /** Digest of each vector as it is now. */
  readonly digests: ReadonlyMap<string, string>;
  readonly kitVersion: string;
}

/** The results of a run, parted by what counted then. */
export interface Counted {
  /** The rules of then, at the level of then. */
  readonly contract: RuleBook;
  /** Results that count, with their failures for rules of then alone. */
  readonly results: readonly Result[];
  /** All results; those that came later are marked. */
  readonly all: readonly Result[];
  readonly report: FrozenReport;
}

/**
 * Parts results by a frozen set, and attributes the failures of each part by itself: what only a later vector is about
 * must still fail an old one that saw it on the way.
 * @param attributeFailures gives every broken rule a result that fails for it; takes back what an earlier call added
 */
export function countThen(
  { release, digests, kitVersion }: FrozenGate,
  contract: RuleBook & { readonly id: string },
  results: readonly Result[],
  attributeFailures: (results: readonly Result[]) => readonly Result[],
): Counted {
  const counts = ({ id, kind }: Result) =>
    kind === "vector"
      ? release.vectors.get(id) === digests.get(id) && digests.has(id)
      : kitVersion === release.version && release.properties.has(id);
  const then = attributeFailures(results.filter(counts));
  const since = attributeFailures(results.filter((result) => !counts(result)));
  const attributed = new Map([
    ...then.map((result) => [result.id, result] as const),
    ...since.map((result) => [result.id, { ...result, later: true as const }] as const),
  ]);
  const rules = new Map<string, Rule>();
  for (const [id, level] of release.rules) {
    const rule = contract.rules.get(id);
    if (rule === undefined) continue;
    rules.set(
      id,
      level === "unobservable" ? { ...rule, observable: false } : { ...rule, level, observable: true },
    );
  }
  return {
    contract: { ...contract, rules },
    results: then.map((result) => forRules(result, rules)),
    all: results.flatMap(({ id }) => attributed.get(id) ?? []),
    report: {
      suite: suiteName(contract.id, release.version),
      digest: release.digest,
      counted: then.length,
      later: since.length,
      changed: [...release.vectors]
        .filter(([id, digest]) => digests.has(id) && digests.get(id) !== digest)
        .map(([id]) => id),
      removed: [
        ...[...release.vectors.keys()].filter((id) => !digests.has(id)),
        ...[...release.rules.keys()].filter((id) => !contract.rules.has(id)),
      ],
    },
  };
}

/** A result without what it shows of rules that came later. */
function forRules(result: Result, rules: ReadonlyMap<string, Rule>): Result {
  const failures = result.failures.filter((failure) => failure.rules.some((id) => rules.has(id)));
  if (failures.length === result.failures.length) return result;
  return { ...result, failures, ...(failures.length === 0 ? { outcome: "passed" as const } : {}) };
}
