import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { basename, join } from "node:path";
import type { Adapter } from "../adapters/adapter.ts";
import { DEFAULT_OPTIONS } from "../adapters/protocol.ts";
import { MAX_DURATION_MS, withTimeLimit } from "../adapters/time-limit.ts";
import { type Contract, readServiceContract } from "../contract/contract.ts";
import { readVersion } from "../data/kit-files.ts";
import { shellLine } from "../data/text.ts";
import { applyBaseline, knownIn, readBaseline, updatedBaseline } from "../report/baseline.ts";
import { formatVerdict } from "../report/console.ts";
import { failedIds, type ReportContext, type ReportData, readReport, toData } from "../report/data.ts";
import { allowNotTested, checkAllowedNames, holdToChoices } from "../report/policies.ts";
import { reasonForOneConnection } from "../run/connections.ts";
import { type Selection, selectVectors } from "../run/plan.ts";
import { DEFAULT_RUNS, type Report, RunError, type RunOptions, run, type ServiceTest } from "../run/run.ts";
import { loadKitVectors, loadSuiteFiles } from "../suite/load.ts";
import type { Test, Vector } from "../suite/vector.ts";
import type { Edge } from "./edge.ts";
import { type Invocation, type Options, repeatedWords, UsageError } from "./options.ts";
import { Outputs, openConsole } from "./output.ts";
import { openTarget, workerTarget } from "./target.ts";

/** Default number of connections to a server at a URL. */
const JOBS_OF_URL = 4;
const DEFAULT_SEED = 1;
/** Default number of threads that play tests. */
const DEFAULT_THREADS = Math.min(4, availableParallelism());
/** Number of tests from which further threads save more time than they need to start. */
const MIN_TESTS = 300;

/**
 * Runs `run` or `replay`: plays vectors on a service.
 * @returns exit status
 * @throws {UsageError | DataError | ImplementationError}
 */
export async function runCommand(invocation: Invocation, edge: Edge): Promise<number> {
  const { options, operands } = invocation;
  const [file] = operands;
  const outputs = new Outputs(invocation, edge);
  const contract = readServiceContract();
  const suite = file === undefined ? loadKitVectors(contract) : loadSuiteFiles([file], contract);
  const runs = file === undefined ? (options.runs ?? DEFAULT_RUNS) : 0;
  const known = file === undefined ? await withProperties(suite, options) : suite;
  const tests = runs === 0 ? suite : known;
  return playAndReport(invocation, edge, outputs, {
    contract,
    tests,
    known,
    open: () => openTarget(options, edge),
    // A server that was not restarted still has the idempotency keys of earlier runs.
    isKept: ({ hasSeparateServices, info }) => !hasSeparateServices && !info.capabilities.restart,
    play: (adapter: Adapter, runOptions) => {
      const isLong = file === undefined && selectVectors(tests, runOptions.selection).length >= MIN_TESTS;
      const workers = isLong && !runOptions.bail ? workerTarget(options, edge, adapter) : undefined;
      return run(contract, tests, adapter, {
        ...runOptions,
        runs,
        workers,
        jobs: workers === undefined ? jobsOf(options, adapter) : (options.jobs ?? DEFAULT_THREADS),
        maxWaitMs: options["max-wait"] ?? DEFAULT_OPTIONS.maxWaitMs,
      });
    },
  });
}

/** Adds the properties, unless the options name only vectors. Importing properties loads the model. */
async function withProperties(
  suite: readonly Vector[],
  { only = ["*"], baseline }: Options,
): Promise<readonly ServiceTest[]> {
  const ids = new Set(suite.map(({ id }) => id));
  if (baseline === undefined && only.every((glob) => ids.has(glob))) return suite;
  const { PROPERTIES } = await import("../properties/index.ts");
  return [...suite, ...PROPERTIES];
}

/** Returns the number of connections. @throws {UsageError} if the implementation cannot serve them */
function jobsOf({ jobs, url }: Options, adapter: Adapter): number {
  const reason = reasonForOneConnection(adapter);
  if (reason === undefined) return jobs ?? (url === undefined ? 1 : JOBS_OF_URL);
  if (jobs !== undefined && jobs > 1) throw new UsageError(`--jobs must be 1, got ${jobs}: ${reason}`);
  return 1;
}

/** Tests, and the functions that open the subject (a service or a client) and play the tests on it. */
interface Play<Subject> {
  readonly contract: Contract;
  readonly tests: readonly Test[];
  /** Tests that a baseline can name. */
  readonly known: readonly Test[];
  readonly open: () => Promise<Subject>;
  /** Returns whether the subject can have idempotency keys of earlier runs, so the seed must be random. */
  readonly isKept?: (subject: Subject) => boolean;
  readonly play: (subject: Subject, options: CommonOptions) => Promise<Report>;
}

type CommonOptions = Required<Omit<RunOptions, "runs" | "jobs" | "maxWaitMs" | "workers" | "isKnown">> &
  Pick<RunOptions, "isKnown">;

/**
 * Plays tests, and prints the progress and the result of the run.
 * @returns exit status
 * @throws {UsageError | DataError | ImplementationError}
 */
export async function playAndReport<Subject extends Pick<Report, "info"> & Pick<Adapter, "close">>(
  { command, operands, options, words }: Invocation,
  edge: Edge,
  outputs: Outputs,
  { contract, tests, known, open, isKept, play }: Play<Subject>,
): Promise<number> {
  const { only, failed, shard, "save-failures": folder, quiet: isQuiet = false } = options;
  const selection: Selection = {
    ...(command === "replay" && operands[0] !== undefined && { file: operands[0] }),
    ...(only && { only }),
    ...(failed !== undefined && { failed: { file: failed, ids: failedIds(readReport(failed)) } }),
    ...(shard && { shard }),
  };
  const selected = selectVectors(tests, selection);
  const policies = readPolicies(options, edge, contract, known, outputs);
  const subject = await open();
  try {
    const isDrawn = options.seed === "random" || (options.seed === undefined && isKept?.(subject));
    const seed = isDrawn ? edge.randomSeed() : Number(options.seed ?? DEFAULT_SEED);
    // The command that repeats a test contains the random seed that this run used.
    const target = shellLine(repeatedWords(isDrawn ? new Map(words).set("seed", [`${seed}`]) : words));
    const context: ReportContext = {
      kit: readVersion(),
      contract,
      command: [edge.program, command, shellLine(operands), target].filter((text) => text !== "").join(" "),
      date: new Date(edge.clock.now()).toISOString(),
      ...(options.url !== undefined && { url: options.url }),
      ...(command === "client" && { side: "client" }),
    };
    const { implementation } = subject.info;
    const shown = { context, implementation, seed, target, isQuiet, tests: selected };
    const console = openConsole(shown, edge, outputs);
    const playUntil = (signal: AbortSignal) =>
      play(subject, {
        selection,
        seed,
        bail: options.bail ?? false,
        ...(policies.isKnown && { isKnown: policies.isKnown }),
        signal,
        onResult: (result, requests) => {
          console.onResult(result, requests);
          const { vector, search } = result;
          if (folder !== undefined && search?.counterexample !== undefined)
            outputs.save(join(folder, `${basename(vector.id)}.yaml`), search.counterexample, folder);
        },
        nextTurn: edge.nextTurn,
        now: edge.elapsedMs,
      });
    const limitMs = options["max-duration"] ?? MAX_DURATION_MS;
    const report = await withTimeLimit(limitMs, edge.interrupted, playUntil, edge.after)
      .catch((error: unknown) => {
        if (!(error instanceof RunError)) throw error;
        outputs.keep(error);
        return error.report;
      })
      .finally(() => console.stop());
    // The rest does not wait for anything, so nothing would notice a signal.
    edge.release();
    const data = policies.apply(toData(report, context));
    await outputs.printReport(data, () => console.printReport(data));
    return outputs.end(data.verdict.exitStatus, formatVerdict(data));
  } finally {
    await subject.close();
  }
}

interface Policies extends Pick<RunOptions, "isKnown"> {
  readonly apply: (data: ReportData) => ReportData;
}

/**
 * Reads the files of the user's policies before a run. `apply` applies the policies to the report of the run;
 * `isKnown` reports during the run whether the baseline has a failure.
 * @throws {DataError} if a file is invalid, or a name is unknown
 */
export function readPolicies(
  options: Options,
  { clock }: Edge,
  { rules }: Contract,
  tests: readonly Test[],
  outputs: Outputs,
): Policies {
  const { baseline: file, choices, "allow-not-tested": allowed, "update-baseline": isUpdate } = options;
  if (allowed !== undefined) checkAllowedNames(allowed, [...rules.keys()]);
  const isNew = isUpdate === true && file !== undefined && !existsSync(file);
  let baseline = file === undefined || isNew ? undefined : readBaseline(file);
  const saved = choices === undefined ? undefined : readReport(choices);
  const ids = new Set(tests.map(({ id }) => id));
  const today = () => new Date(clock.now()).toISOString().slice(0, 10);
  const apply = (data: ReportData) => {
    if (isUpdate === true && file !== undefined && outputs.save(file, updatedBaseline(file, data, ids)))
      baseline = readBaseline(file);
    const known = baseline === undefined ? data : applyBaseline(data, baseline, today(), ids);
    const held = saved === undefined ? known : holdToChoices(known, saved, choices ?? "");
    return allowed === undefined ? held : allowNotTested(held, allowed);
  };
  return { apply, ...(baseline && { isKnown: knownIn(baseline, today()) }) };
}
