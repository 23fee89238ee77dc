import { resolve } from "node:path";
import type { ClientAdapter } from "../clients/adapters/client-adapter.ts";
import { ResidentClient, TaskProgramClient } from "../clients/adapters/programs.ts";
import { loadTrials } from "../clients/load.ts";
import { runClient } from "../clients/run.ts";
import { readClientContract } from "../contract/contract.ts";
import { readDataFile } from "../contract/data-file.ts";
import { selectVectors } from "../run/plan.ts";
import type { Edge } from "./edge.ts";
import { type Invocation, type Options, UsageError } from "./options.ts";
import { Outputs, Policies, printRun, readSelection } from "./run.ts";
import { loadReference } from "./target.ts";

/** Processes of a program that is run once for each task, by default. */
const JOBS_OF_PROGRAM = 4;

/**
 * Tests a client: loads the trials, starts the client, plays, and reports.
 * @param kit version of the kit
 * @returns exit status
 * @throws {UsageError | DataError | ImplementationError}
 */
export async function clientCommand(invocation: Invocation, kit: string, edge: Edge): Promise<number> {
  const { options } = invocation;
  const contract = readClientContract();
  const suite = loadTrials(contract);
  const selection = readSelection(options);
  const selected = selectVectors(suite, selection).length;
  const policies = new Policies(options, edge, contract, suite);
  const outputs = new Outputs(options.reporter ?? [{ name: "console" }], edge);
  const reference = await loadReference("service");
  const adapter = await openClient(options);
  try {
    const seed = options.seed === "random" ? edge.randomSeed() : (options.seed ?? 1);
    const { info } = adapter;
    const started = { invocation, kit, contract, info, selected, seed, policies };
    return await printRun(started, outputs, edge, (hooks) =>
      runClient(contract, suite, adapter, {
        ...hooks,
        selection,
        seed,
        jobs: options.jobs ?? (adapter instanceof TaskProgramClient ? JOBS_OF_PROGRAM : 1),
        reference,
        ...(options.timeout !== undefined && { timeoutMs: options.timeout }),
      }),
    );
  } finally {
    await adapter.close();
  }
}

/**
 * Starts the client that the options name.
 * @throws {UsageError | DataError | ImplementationError}
 */
async function openClient({ module, command, resident, env, facts }: Options): Promise<ClientAdapter> {
  if (facts !== undefined && (command === undefined || resident === true))
    throw new UsageError(
      "--facts is only for a program that runs once for each task; export or state the facts",
    );
  const options = {
    ...(env && { env }),
    ...(facts !== undefined && { facts: readDataFile(facts).value }),
  };
  if (module !== undefined) return ResidentClient.openModule(resolve(module), options);
  if (command === undefined)
    throw new UsageError("no client is given; add --module <file> or --command <cmd>");
  return resident ? ResidentClient.openCommand(command, options) : new TaskProgramClient(command, options);
}
