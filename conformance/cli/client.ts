import { resolve } from "node:path";
import type { ClientAdapter } from "../clients/adapters/client-adapter.ts";
import { openClientCommand, openClientModule, openTaskProgram } from "../clients/adapters/programs.ts";
import { loadTrials } from "../clients/load.ts";
import { runClient } from "../clients/run.ts";
import type { ReferenceModule } from "../clients/service/simulated-service.ts";
import { readClientContract } from "../contract/contract.ts";
import { readDataFile } from "../data/data-file.ts";
import type { Edge } from "./edge.ts";
import { type Invocation, type Options, UsageError } from "./options.ts";
import { Outputs } from "./output.ts";
import { playAndReport } from "./run.ts";
import { loadReference } from "./target.ts";

/** Default number of parallel processes, if the client is a program that is started once for each task. */
const JOBS_OF_PROGRAM = 4;

/** Tests a client. @returns exit status @throws {UsageError | DataError | ImplementationError} */
export async function clientCommand(invocation: Invocation, edge: Edge): Promise<number> {
  const { options } = invocation;
  const outputs = new Outputs(invocation, edge);
  const contract = readClientContract();
  const trials = loadTrials(contract);
  const reference = await loadReference<ReferenceModule>("service");
  const isStartedOften = options.command !== undefined && options.resident !== true;
  return playAndReport(invocation, edge, outputs, {
    contract,
    tests: trials,
    known: trials,
    open: () => openClient(options),
    play: (adapter, runOptions) =>
      runClient(contract, trials, adapter, {
        ...runOptions,
        jobs: options.jobs ?? (isStartedOften ? JOBS_OF_PROGRAM : 1),
        reference,
        ...(options.timeout !== undefined && { timeoutMs: options.timeout }),
      }),
  });
}

/** Starts the client that the options name. @throws {UsageError | DataError | ImplementationError} */
async function openClient({ module, command, resident, env, facts }: Options): Promise<ClientAdapter> {
  if (facts !== undefined && (command === undefined || resident === true))
    throw new UsageError(
      "--facts is only for a program that runs once for each task; state the facts in the client",
    );
  if (module !== undefined) return openClientModule(resolve(module), env);
  if (command === undefined)
    throw new UsageError("no client is given; add --module <file> or --command <cmd>");
  if (resident) return openClientCommand(command, env);
  return openTaskProgram(command, env, facts === undefined ? undefined : readDataFile(facts).value);
}
