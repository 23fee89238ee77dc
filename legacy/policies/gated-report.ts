import type { Contract } from "../engine/contract.ts";
import {
  judgedSelection,
  makeReport,
  type Report,
  type RunFacts,
  type RunOutcome,
} from "../engine/run/report.ts";
import { DEFAULT_RUNS, DEFAULT_SEED } from "../engine/search/default-runs.ts";
import { applyBaseline, type BaselineGate, type BaselineReport } from "./baseline.ts";
import { type HeldChoices, holdChoices, type SavedChoices } from "./choices.ts";

/** What a run is held to besides the contract. */
export interface Gates {
  readonly baseline?: BaselineGate;
  readonly choices?: SavedChoices;
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
  /** How it was asked for; a report of another version may lack it. */
  readonly asked?: Asked;
}

/** Puts the report of a run together, held to what the user holds it to. Pure: the same results give the same report. */
export function gatedReport(
  contract: Pick<Contract, "id" | "areas" | "rules" | "points">,
  { results, facts }: RunOutcome,
  gates: Gates,
): GatedReport {
  const { seed, runs, digest } = facts;
  const held = gates.baseline && applyBaseline(gates.baseline, results, reachOf(facts));
  const report = makeReport(contract, { results: held?.results ?? results, facts });
  const run = { suite: digest, seed, runs, executed: report.suite.executed };
  const heldChoices = gates.choices && holdChoices(gates.choices, report.choices, run);
  const exitStatus = holds(held?.report, heldChoices) ? report.exitStatus : 1;
  const { selection } = facts;
  return {
    ...report,
    exitStatus,
    ...(selection === undefined
      ? {}
      : { selection: judgedSelection(selection, { ...report, exitStatus }, facts) }),
    ...(held === undefined ? {} : { baseline: held.report }),
    ...(heldChoices === undefined ? {} : { heldChoices }),
  };
}

/** A run of fewer or other random cases than usual may miss what a usual one finds. */
function reachOf({ shard, seed, runs }: RunFacts) {
  return { whole: shard === undefined, usualCases: seed === DEFAULT_SEED && runs >= DEFAULT_RUNS };
}

/** Whether the baseline is up to date and no choice has changed: where not, the run fails. */
function holds(baseline: BaselineReport | undefined, choices: HeldChoices | undefined): boolean {
  const stale = baseline !== undefined && baseline.stale.length + baseline.expired.length > 0;
  return !stale && (choices === undefined || choices.changed.length === 0);
}
