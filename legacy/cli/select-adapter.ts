/** How the options reach what is judged: an implementation by an adapter, a client by a client adapter. */
import { pathToFileURL } from "node:url";
import type { Adapter } from "../adapters/adapter.ts";
import type { ServiceModule } from "../adapters/in-process.ts";
import type { ClientDoor } from "../engine/client/client-door.ts";
import { readYaml, type YamlSource } from "../engine/data/yaml-source.ts";
import { isObject } from "../engine/play/exchange.ts";
import { PATHS } from "../paths.ts";
import {
  ADAPTER_OPTIONS,
  commandWords,
  flagOf,
  type OptionsOf,
  type Stated,
  URL_OPTIONS,
  WAYS,
  type WayName,
} from "./options.ts";
import { UsageError } from "./usage-error.ts";

/** Options that say how an implementation is reached. */
export interface AdapterOptions
  extends Omit<Pick<OptionsOf<"run">, WayName | keyof Stated<"url"> | "timeoutMs">, "facts"> {
  /** A YAML or JSON file with the adapter protocol's facts, or the facts. */
  readonly facts?: string | object;
  /** Folder that the command runs in, where that is not the working directory; no command line has it. */
  readonly commandFolder?: string;
  readonly jobs: number;
}

/** The adapter for the options, and the options as they stand in a command that repeats the run. */
export async function selectAdapter(
  options: AdapterOptions,
  onSpawn: (pid: number) => void,
): Promise<{ readonly adapter: Adapter; readonly words: readonly string[] }> {
  const given = WAYS.filter((way) => options[way] !== undefined);
  if (given.length > 1) throw new UsageError(`give one of ${given.map(flagOf).join(", ")}, not several`);
  const stray =
    options.url === undefined ? URL_OPTIONS.find((name) => options[name] !== undefined) : undefined;
  if (stray !== undefined) throw new UsageError(`${flagOf(stray)} goes with --url`);
  return { adapter: await makeAdapter(options, onSpawn), words: adapterWords(options) };
}

/** The options that reach an implementation, as they stand on a command line. */
export function adapterWords(options: Partial<AdapterOptions>): readonly string[] {
  return commandWords({ ...options }, ADAPTER_OPTIONS);
}

/** Only the adapter that is used is loaded: an HTTP client alone costs more than reading all vectors. */
async function makeAdapter(options: AdapterOptions, onSpawn: (pid: number) => void): Promise<Adapter> {
  const { module, command, commandFolder, url, jobs, timeoutMs } = options;
  const spawning = timeoutMs === 0 ? { onSpawn } : {};
  if (command !== undefined) {
    const { stdioAdapter } = await import("../adapters/stdio.ts");
    const folder = commandFolder === undefined ? {} : { folder: commandFolder };
    return stdioAdapter({ command, jobs, timeoutMs, ...folder, ...spawning });
  }
  if (url !== undefined) {
    const { controlUrl, caFile, allowSelfSigned } = options;
    const facts = await factsOf(options);
    const { httpAdapter } = await import("../adapters/http.ts");
    return httpAdapter({
      url,
      timeoutMs,
      ...(controlUrl === undefined ? {} : { controlUrl }),
      ...(caFile === undefined ? {} : { caFile }),
      ...(allowSelfSigned === undefined ? {} : { allowSelfSigned }),
      ...(facts === undefined ? {} : { facts }),
    });
  }
  if (module !== undefined) {
    const { moduleProcessAdapter } = await import("../adapters/module-process.ts");
    return moduleProcessAdapter({ file: module, jobs, timeoutMs, ...spawning });
  }
  const { inProcessAdapter } = await import("../adapters/in-process.ts");
  const reference: ServiceModule = await import(pathToFileURL(PATHS.reference).href);
  return inProcessAdapter(reference, { name: "launch-draft-reference" });
}

/** The facts that the user states; `--metadata-hosts` overrides the hosts among them. */
async function factsOf({ facts, metadataHosts }: AdapterOptions): Promise<object | undefined> {
  const hosts = metadataHosts === undefined ? {} : { metadataHosts };
  if (facts === undefined) return metadataHosts === undefined ? undefined : hosts;
  const { value, source } = typeof facts === "string" ? factsFile(facts) : { value: facts };
  const { factsComplaint } = await import("../adapters/implementation-info.ts");
  const wrong = factsComplaint(value);
  if (wrong !== undefined)
    throw source?.error(wrong.path, wrong.message) ?? new UsageError(`facts: ${wrong.message}`);
  return { ...value, ...hosts };
}

/**
 * Reads a file of facts.
 * @throws {UsageError} where it holds anything but an object
 */
function factsFile(file: string): { readonly value: object; readonly source: YamlSource } {
  const source = readYaml(file);
  if (!isObject(source.value))
    throw new UsageError(`${file}: facts must be an object, such as metadataHosts: [a.example, b.example]`);
  return { value: source.value, source };
}

/** Options that say how a client is reached. */
export interface DoorOptions
  extends Pick<OptionsOf<"client">, "module" | "command" | "resident" | "jobs" | "timeoutMs"> {
  readonly facts?: string | object;
}

/** More parallel processes than this gain nothing. */
const MOST_PROCESSES = 8;
/** Processes for each core: most of their time they wait. */
const PROCESSES_PER_CORE = 2;

/** The options that reach a client, as they stand on a command line. */
export function doorWords(options: DoorOptions): readonly string[] {
  return commandWords({ ...options }, ["module", "command", "resident", "facts"]);
}

/**
 * The client adapter for the options; without any, that of the bundled example.
 * @param cores number of processors
 * @throws {UsageError} for options that do not go together
 * @throws {DataError} for a file of facts with a fault
 */
export async function selectDoor(
  options: DoorOptions,
  cores: number,
  onSpawn: (pid: number) => void,
): Promise<ClientDoor> {
  const { module, command, resident, facts, timeoutMs } = options;
  if (module !== undefined && command !== undefined)
    throw new UsageError("give one of --module, --command, not both");
  if (resident && command === undefined) throw new UsageError("--resident goes with --command");
  if (facts !== undefined && command === undefined)
    throw new UsageError("--facts goes with --command: a module exports its facts");
  const spawning = timeoutMs === 0 ? { onSpawn } : {};
  if (command === undefined) {
    const { moduleClientDoor } = await import("../client-doors/module-client-door.ts");
    const file = module ?? PATHS.exampleClient;
    return moduleClientDoor({ file, jobs: options.jobs ?? 1, timeoutMs, ...spawning });
  }
  const stated = await clientFactsOf(facts);
  const jobs = options.jobs ?? Math.min(cores * PROCESSES_PER_CORE, MOST_PROCESSES);
  const shared = { command, jobs, ...(stated === undefined ? {} : { facts: stated }), ...spawning };
  if (resident) {
    const { residentClientDoor } = await import("../client-doors/resident-client-door.ts");
    return residentClientDoor({ ...shared, timeoutMs });
  }
  const { commandClientDoor } = await import("../client-doors/command-client-door.ts");
  return commandClientDoor(shared);
}

async function clientFactsOf(facts: DoorOptions["facts"]): Promise<object | undefined> {
  if (typeof facts !== "string") return facts;
  const { factsComplaint } = await import("../client-doors/client-info.ts");
  const { value } = readYaml(facts);
  const wrong = factsComplaint(value);
  if (wrong !== undefined) throw new UsageError(`${facts}: ${wrong}`);
  return value as object;
}
