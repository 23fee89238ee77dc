import { fileURLToPath } from "node:url";
import picomatch from "picomatch";
import { DataError } from "../../engine/data/data-error.ts";
import type { JobOutcome } from "../job.ts";
import type { BrokenOutcome, LegalOutcome } from "../judge-entry.ts";
import { performAll } from "../pool.ts";
import type { BrokenClient, ClientBank, LegalClient } from "./client-entry.ts";
import type { ClientJob } from "./client-job.ts";

const WORKER = fileURLToPath(new URL("client-worker.ts", import.meta.url));

/** No run of all vectors takes as long as this. */
const TIME_LIMIT_MS = 120_000;

/** What there was to judge, and what came of it, by id. */
export interface JudgedClients {
  readonly broken: readonly BrokenClient[];
  readonly legal: readonly LegalClient[];
  readonly brokenOutcomes: ReadonlyMap<string, BrokenOutcome>;
  readonly legalOutcomes: ReadonlyMap<string, LegalOutcome>;
}

export interface JudgeClientsOptions {
  readonly bank: ClientBank;
  /** Globs over ids; none chooses all. */
  readonly only: readonly string[];
  /** Processes side by side. */
  readonly workers: number;
  readonly onProgress: (done: number, total: number) => void;
}

/**
 * Makes the clients of the bank and judges each.
 * @throws {DataError} for an empty selection
 */
export async function judgeClientBank(options: JudgeClientsOptions): Promise<JudgedClients> {
  const { bank, only, workers, onProgress } = options;
  const patterns = only.map((glob) => picomatch([glob, `${glob}/**`]));
  const isChosen = ({ id }: { readonly id: string }) =>
    patterns.length === 0 || patterns.some((matches) => matches(id));
  const chosen = {
    broken: bank.broken.filter(isChosen),
    legal: bank.legal.filter(isChosen),
  };
  const jobs: readonly Exclude<ClientJob, { kind: "verdict" }>[] = [
    ...chosen.legal.map(({ id }) => ({ kind: "legal", id }) as const),
    ...chosen.broken.map(({ id }) => ({ kind: "broken", id }) as const),
  ];
  if (jobs.length === 0) throw new DataError("--only", "matches no client");
  const brokenOutcomes = new Map<string, BrokenOutcome>();
  const legalOutcomes = new Map<string, LegalOutcome>();
  await performAll<Exclude<ClientJob, { kind: "verdict" }>, JobOutcome>({
    program: WORKER,
    jobs,
    workers,
    timeLimitMs: TIME_LIMIT_MS,
    lost,
    onOutcome: ({ kind, outcome }) => {
      if (kind === "broken") brokenOutcomes.set(outcome.id, outcome);
      else if (kind === "legal") legalOutcomes.set(outcome.id, outcome);
      onProgress(brokenOutcomes.size + legalOutcomes.size, jobs.length);
    },
  });
  return { ...chosen, brokenOutcomes, legalOutcomes };
}

function lost({ kind, id }: Exclude<ClientJob, { kind: "verdict" }>): JobOutcome {
  const fault = "its process ended, or took too long";
  return kind === "broken"
    ? { kind, outcome: { id, caughtBy: {}, fault } }
    : { kind, outcome: { id, conforms: false, choices: {}, complaints: [fault] } };
}
