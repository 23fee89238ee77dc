import { fileURLToPath } from "node:url";
import picomatch from "picomatch";
import { DataError } from "../engine/data/data-error.ts";
import { type Combination, drawCombinations } from "./combinations.ts";
import type { Bank, BrokenEntry, LegalEntry } from "./entry.ts";
import type { Job, JobOutcome } from "./job.ts";
import type { BrokenOutcome, LegalExtent, LegalOutcome, Verdict } from "./judge-entry.ts";
import { performAll } from "./pool.ts";
import type { Program } from "./reference-program.ts";

const WORKER = fileURLToPath(new URL("worker.ts", import.meta.url));
const CLIENT_WORKER = fileURLToPath(new URL("clients/client-worker.ts", import.meta.url));

/** No run of all vectors takes as long as this. */
const TIME_LIMIT_MS = 180_000;

/** What there was to judge, and what came of it, by id. */
export interface JudgedBank {
  readonly broken: readonly BrokenEntry[];
  readonly legal: readonly LegalEntry[];
  readonly combinations: readonly Combination[];
  readonly brokenOutcomes: ReadonlyMap<string, BrokenOutcome>;
  readonly legalOutcomes: ReadonlyMap<string, LegalOutcome>;
}

export interface JudgeBankOptions {
  readonly bank: Bank;
  /** What the bank's edits are made to; all of them apply. */
  readonly program: Program;
  /** Globs over ids; none chooses all. */
  readonly only: readonly string[];
  readonly seed: number;
  /** How many combinations of legal services to draw. */
  readonly combinations: number;
  /** How much of the searches a legal service is put through. */
  readonly extent: LegalExtent;
  /** Processes side by side. */
  readonly workers: number;
  readonly onProgress: (done: number, total: number) => void;
}

/**
 * Makes the services of the bank and judges each.
 * @throws {DataError} for an empty selection
 */
export async function judgeBank(options: JudgeBankOptions): Promise<JudgedBank> {
  const chosen = choose(options);
  const jobs = jobsOf(chosen, options);
  if (jobs.length === 0) throw new DataError("--only", "matches no entry");

  const brokenOutcomes = new Map<string, BrokenOutcome>();
  const legalOutcomes = new Map<string, LegalOutcome>();
  await performAll<Exclude<Job, { kind: "verdict" }>, JobOutcome>({
    program: WORKER,
    jobs,
    workers: options.workers,
    timeLimitMs: TIME_LIMIT_MS,
    lost,
    onOutcome: ({ kind, outcome }) => {
      if (kind === "broken") brokenOutcomes.set(outcome.id, outcome);
      else if (kind === "legal") legalOutcomes.set(outcome.id, outcome);
      options.onProgress(brokenOutcomes.size + legalOutcomes.size, jobs.length);
    },
  });
  return { ...chosen, brokenOutcomes, legalOutcomes };
}

/** Judges whole entries, by every vector, and hands on each verdict as it comes: the same for services and clients. */
export async function judgeVerdicts(
  ids: readonly string[],
  {
    clients,
    workers,
    onVerdict,
  }: {
    readonly clients: boolean;
    readonly workers: number;
    readonly onVerdict: (verdict: Verdict) => void;
  },
): Promise<void> {
  await performAll<Extract<Job, { kind: "verdict" }>, Extract<JobOutcome, { kind: "verdict" }>>({
    program: clients ? CLIENT_WORKER : WORKER,
    jobs: ids.map((id) => ({ kind: "verdict", id })),
    workers,
    timeLimitMs: TIME_LIMIT_MS,
    lost: ({ id }) => ({
      kind: "verdict",
      outcome: { id, verdict: "its process ended, or took too long", failed: [], notTested: [] },
    }),
    onOutcome: ({ outcome }) => onVerdict(outcome),
  });
}

type Chosen = Pick<JudgedBank, "broken" | "legal" | "combinations">;

function choose({ bank, program, only, seed, combinations: count }: JudgeBankOptions): Chosen {
  const patterns = only.map((glob) => picomatch([glob, `${glob}/**`]));
  const isChosen = ({ id }: { readonly id: string }) =>
    patterns.length === 0 || patterns.some((matches) => matches(id));
  return {
    broken: bank.broken.filter(isChosen),
    legal: bank.legal.filter(isChosen),
    combinations: drawCombinations(bank.legal, program, { seed, count }).filter(isChosen),
  };
}

/** What takes longest comes first, so that no worker is left alone with it at the end. */
function jobsOf(
  { broken, legal, combinations }: Chosen,
  { extent }: Pick<JudgeBankOptions, "extent">,
): readonly Exclude<Job, { kind: "verdict" }>[] {
  return [
    ...legal.map(({ id }) => ({ kind: "legal" as const, id, entries: [id], extent })),
    ...combinations.map(({ id, entries }) => ({
      kind: "legal" as const,
      id,
      entries: entries.map((entry) => entry.id),
      extent,
    })),
    ...broken.map(({ id }) => ({ kind: "broken" as const, id })),
  ];
}

function lost({ kind, id }: Exclude<Job, { kind: "verdict" }>): JobOutcome {
  const fault = "its process ended, or took too long";
  return kind === "broken"
    ? { kind, outcome: { id, caughtBy: {}, fault } }
    : { kind, outcome: { id, conforms: false, choices: {}, complaints: [fault] } };
}
