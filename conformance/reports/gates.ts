import type { Selection, ShardFacts } from "../engine/run/report.ts";
import { plainLine } from "../plain-text.ts";
import type { BaselineReport } from "../policies/baseline/apply-baseline.ts";
import type { HeldChoices } from "../policies/choices/hold-choices.ts";
import type { GatedReport } from "../policies/gated-report.ts";
import type { FrozenReport } from "../policies/releases/counted.ts";

/** Entries of a kind that are named before the rest is counted. */
const MOST = 20;
const LINE = 200;

/** A line on what the run was held to besides the contract. */
export interface GateLine {
  readonly text: string;
  /** Whether this fails the run, whatever the verdict. */
  readonly fails: boolean;
}

/**
 * What became of the gates that the user set: a baseline, earlier choices, a frozen set, a selection, a part of a run.
 * Empty where there are none.
 */
export function gateLines({
  baseline,
  heldChoices,
  frozen,
  selection,
  shard,
}: GatedReport): readonly GateLine[] {
  return [
    ...(baseline === undefined ? [] : baselineLines(baseline)),
    ...(heldChoices === undefined ? [] : choicesLines(heldChoices)),
    ...(frozen === undefined ? [] : frozenLines(frozen)),
    ...(selection === undefined ? [] : [selectionLine(selection)]),
    ...(shard === undefined ? [] : shardLines(shard)),
  ].map(({ text, fails }) => ({ text: plainLine(text, LINE), fails }));
}

function selectionLine({ only, chosen, of }: Selection): GateLine {
  const globs = only.length === 0 ? "replayed" : only.map((glob) => `--only ${glob}`).join(" ");
  return told(`selection: ${chosen} of ${of} vectors and properties, no verdict on the whole (${globs})`);
}

function baselineLines({ file, known, stale, expired, otherRules }: BaselineReport): readonly GateLine[] {
  return [
    told(`baseline ${file}: ${known.length} known failure${known.length === 1 ? "" : "s"} waived`),
    ...some(stale, ({ id, why }) => failing(`stale in the baseline: ${id}  ${why}`)),
    ...some(expired, ({ id, expires }) => failing(`expired in the baseline: ${id}  on ${expires}`)),
    ...some(otherRules, ({ id, rules }) =>
      told(`not waived by the baseline: ${id}  it fails ${rules.join(", ")} now`),
    ),
  ];
}

function choicesLines({ file, changed, added, unseen }: HeldChoices): readonly GateLine[] {
  return [
    told(
      `choices ${file}: ${changed.length} changed, ${added.length} that it does not name, ${unseen.length} not seen this time`,
    ),
    ...some(changed, ({ point, was, observed }) =>
      failing(`changed choice: ${point}  ${observed}, was ${was}`),
    ),
  ];
}

function frozenLines({ suite, digest, counted, later, changed, removed }: FrozenReport): readonly GateLine[] {
  return [
    told(
      `judged by ${suite} ${digest.slice(0, 12)}: ${counted} results count, ${later} came later and do not`,
    ),
    ...some(changed, (id) => told(`does other things than in that suite, and does not count: ${id}`)),
    ...some(removed, (id) => told(`in that suite, and gone since: ${id}`)),
  ];
}

function shardLines({ index, of, expected }: ShardFacts): readonly GateLine[] {
  return [
    told(`part ${index} of ${of} of a run with ${expected} results; merge puts them together, and judges`),
  ];
}

function some<Entry>(entries: readonly Entry[], line: (entry: Entry) => GateLine): readonly GateLine[] {
  const shown = entries.slice(0, MOST).map(line);
  const rest = entries.length - shown.length;
  return rest === 0 ? shown : [...shown, told(`… and ${rest} more such; --reporter json=FILE has them all`)];
}

function told(text: string): GateLine {
  return { text, fails: false };
}

function failing(text: string): GateLine {
  return { text, fails: true };
}
