import type { Contract } from "../engine/contract.ts";
import type { Result } from "../engine/play/result.ts";
import { attributeFailures } from "../engine/run/attribute-failures.ts";
import {
  asFarAsRun,
  judgedSelection,
  makeReport,
  type Report,
  type RunFacts,
  type RunOutcome,
} from "../engine/run/report.ts";
import { judgeRun } from "../engine/run/verdict.ts";
import { DEFAULT_RUNS, DEFAULT_SEED } from "../engine/search/default-runs.ts";
import { applyBaseline, type BaselineGate, type BaselineReport } from "./baseline.ts";
import { type HeldChoices, holdChoices, type SavedChoices } from "./choices.ts";
import { countThen, type FrozenGate, type FrozenReport } from "./releases/counted.ts";

/** What a run is held to besides the contract. */
export interface Gates {
  readonly baseline?: BaselineGate;
  readonly choices?: SavedChoices;
  readonly frozen?: FrozenGate;
}

/** How a run was asked for, as far as it takes to ask again. */
export interface Asked {
  /** Options that reach the implementation, quoted for a shell. */
  readonly options: readonly string[];
  /** The file of vectors that was played, where it was not the kit's own. */
  readonly replay?: string;
  /** Whether the implementation is an object of the program that asked: no command line reaches it. */
  readonly inCode?: true;
}

/** A report, and what the gates make of it: what reporters print and `--reporter json` writes (report.schema.json). */
export interface GatedReport extends Report {
  /** What became of the failures that the user knows of, where a file names them. */
  readonly baseline?: BaselineReport;
  /** How the choices compare with those that the implementation is held to, where a file names them. */
  readonly heldChoices?: HeldChoices;
  /** The frozen set that the verdict is about, where one was asked for; all else in the report is of today. */
  readonly frozen?: FrozenReport;
  /** How it was asked for; a report of another version may lack it. */
  readonly asked?: Asked;
}

/** Puts the report of a run together, held to what the user holds it to. Pure: the same results give the same report. */
export function gatedReport(
  contract: Pick<Contract, "id" | "areas" | "rules" | "points">,
  { results, facts }: RunOutcome,
  gates: Gates,
): GatedReport {
  const { shard, seed, runs, digest, accepted } = facts;
  const attribute = shard === undefined ? attributeFailures : (some: readonly Result[]) => some;
  const frozen = gates.frozen && countThen(gates.frozen, contract, results, attribute);
  const held = gates.baseline && applyBaseline(gates.baseline, frozen?.all ?? results, reachOf(facts));
  const marked = held?.results ?? frozen?.all ?? results;
  const report = makeReport(contract, { results: marked, facts });
  const run = { suite: digest, seed, runs, executed: report.suite.executed };
  const heldChoices = gates.choices && holdChoices(gates.choices, report.choices, run);
  const counted = frozen && judgeRun(frozen.contract, countedOf(frozen.results, marked), accepted);
  const judged = {
    ...(counted === undefined ? report : asFarAsRun(counted, facts, report.totals)),
    ...(holds(held?.report, heldChoices) ? {} : { exitStatus: 1 }),
  };
  const { selection } = facts;
  return {
    ...report,
    verdict: judged.verdict,
    exitStatus: judged.exitStatus,
    ...(selection === undefined ? {} : { selection: judgedSelection(selection, judged, facts) }),
    ...(held === undefined ? {} : { baseline: held.report }),
    ...(heldChoices === undefined ? {} : { heldChoices }),
    ...(frozen === undefined ? {} : { frozen: frozen.report }),
  };
}

/** A run of fewer or other random cases than usual may miss what a usual one finds. */
function reachOf({ shard, seed, runs }: RunFacts) {
  return { whole: shard === undefined, usualCases: seed === DEFAULT_SEED && runs >= DEFAULT_RUNS };
}

/** The results that count, with what the baseline knows of them. */
function countedOf(counted: readonly Result[], marked: readonly Result[]): readonly Result[] {
  const known = new Map(marked.map((result) => [result.id, result.known]));
  return counted.map((result) => {
    const mark = known.get(result.id);
    return mark === undefined ? result : { ...result, known: mark };
  });
}

/** Whether the baseline is up to date and no choice has changed: where not, the run fails. */
function holds(baseline: BaselineReport | undefined, choices: HeldChoices | undefined): boolean {
  const stale = baseline !== undefined && baseline.stale.length + baseline.expired.length > 0;
  return !stale && (choices === undefined || choices.changed.length === 0);
}
