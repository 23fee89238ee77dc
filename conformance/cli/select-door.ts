import type { ClientDoor } from "../engine/client/client-door.ts";
import { readYaml } from "../engine/data/yaml-source.ts";
import { PATHS } from "../paths.ts";
import { shellQuote } from "../reports/reproduction-command.ts";
import { UsageError } from "./usage-error.ts";

/** Options that say how a client is reached. */
export interface DoorOptions {
  readonly module?: string;
  readonly command?: string;
  /** Whether the command stays, and takes one task after the other. */
  readonly resident?: boolean;
  /** A YAML or JSON file with the client protocol's facts. */
  readonly facts?: string;
  /** Processes side by side; undefined leaves it to the kit. */
  readonly jobs?: number;
  /** Real time that a task may take, in ms; 0 for any. */
  readonly timeoutMs: number;
}

/** More processes than this side by side gain nothing. */
const MOST_PROCESSES = 8;
/** Processes for each core: most of their time they wait. */
const PROCESSES_PER_CORE = 2;

/** The options that reach a client, as they stand on a command line. */
export function doorWords({ module, command, resident, facts }: DoorOptions): readonly string[] {
  return [
    ...(module === undefined ? [] : ["--module", shellQuote(module)]),
    ...(command === undefined ? [] : ["--command", shellQuote(command)]),
    ...(resident ? ["--resident"] : []),
    ...(facts === undefined ? [] : ["--facts", shellQuote(facts)]),
  ];
}

/**
 * The door for the options; without any, that of the bundled example.
 * @param cores how many processors there are
 * @throws {UsageError} for options that do not go together
 * @throws {DataError} for a file of facts with a fault
 */
export async function selectDoor(
  options: DoorOptions,
  cores: number,
  onSpawn: (pid: number) => void,
): Promise<ClientDoor> {
  const { module, command, resident, timeoutMs } = options;
  if (module !== undefined && command !== undefined)
    throw new UsageError("give one of --module, --command, not both");
  if (resident && command === undefined) throw new UsageError("--resident goes with --command");
  if (options.facts !== undefined && command === undefined)
    throw new UsageError("--facts goes with --command: a module exports its facts");
  const told = timeoutMs === 0 ? { onSpawn } : {};
  if (command === undefined) {
    const { moduleClientDoor } = await import("../client-doors/module-client-door.ts");
    return moduleClientDoor({
      file: module ?? PATHS.exampleClient,
      jobs: options.jobs ?? 1,
      timeoutMs,
      ...told,
    });
  }
  const facts = await factsOf(options);
  const usualJobs = Math.min(cores * PROCESSES_PER_CORE, MOST_PROCESSES);
  const shared = { command, ...(facts === undefined ? {} : { facts }), ...told };
  if (resident) {
    const { residentClientDoor } = await import("../client-doors/resident-client-door.ts");
    return residentClientDoor({ ...shared, jobs: options.jobs ?? usualJobs, timeoutMs });
  }
  const { commandClientDoor } = await import("../client-doors/command-client-door.ts");
  return commandClientDoor({ ...shared, jobs: options.jobs ?? usualJobs });
}

async function factsOf({ facts }: DoorOptions): Promise<object | undefined> {
  if (facts === undefined) return undefined;
  const { factsComplaint } = await import("../client-doors/client-info.ts");
  const source = readYaml(facts);
  const wrong = factsComplaint(source.value);
  if (wrong !== undefined) throw new UsageError(`${facts}: ${wrong}`);
  return source.value as object;
}
