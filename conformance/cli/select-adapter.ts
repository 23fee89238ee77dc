import { pathToFileURL } from "node:url";
import type { Adapter } from "../adapters/adapter.ts";
import type { ServiceModule } from "../adapters/in-process.ts";
import { readYaml } from "../engine/data/yaml-source.ts";
import { isObject } from "../engine/play/exchange.ts";
import { PATHS } from "../paths.ts";
import { shellQuote } from "../reports/reproduction-command.ts";
import { UsageError } from "./usage-error.ts";

/** Options that say how an implementation is reached. */
export interface AdapterOptions {
  readonly module?: string;
  readonly command?: string;
  /** Folder that the command runs in, where that is not the working directory; no command line has it. */
  readonly commandFolder?: string;
  readonly attach?: string;
  readonly url?: string;
  readonly controlUrl?: string;
  /** A YAML or JSON file with the adapter protocol's facts. */
  readonly facts?: string;
  /** The facts themselves, in place of a file; no command line has them. */
  readonly statedFacts?: object;
  /** Short for a facts file that holds the two hosts alone. */
  readonly metadataHosts?: readonly string[];
  /** A file of certificates to trust. */
  readonly caFile?: string;
  readonly allowSelfSigned?: boolean;
  readonly jobs: number;
  /** Time limit for one call, in ms; 0 for none. */
  readonly timeoutMs: number;
}

/** The adapter for the options, and the options as they stand in a command that repeats the run. */
export async function selectAdapter(
  options: AdapterOptions,
  onSpawn: (pid: number) => void,
): Promise<{ readonly adapter: Adapter; readonly words: readonly string[] }> {
  const given = WAYS.filter((way) => options[way] !== undefined);
  if (given.length > 1)
    throw new UsageError(`give one of ${given.map((way) => `--${way}`).join(", ")}, not several`);
  for (const [option, value] of HTTP_ONLY.map((name) => [name, options[name]] as const)) {
    if (value !== undefined && options.url === undefined)
      throw new UsageError(`${flag(option)} goes with --url`);
  }
  return { adapter: await makeAdapter(options, onSpawn), words: adapterWords(options) };
}

/** The options that reach an implementation, as they stand on a command line. */
export function adapterWords(options: Partial<AdapterOptions>): readonly string[] {
  return ADAPTER_OPTIONS.flatMap((option) => asWords(option, options[option]));
}

/** Names of the options of which each is a way to reach an implementation. */
export const WAYS = ["module", "command", "attach", "url"] as const;
const HTTP_ONLY = ["controlUrl", "facts", "metadataHosts", "caFile", "allowSelfSigned"] as const;

/** Names of the options that name an implementation; with none of them the bundled reference is meant. */
export const ADAPTER_OPTIONS = [...WAYS, ...HTTP_ONLY] as const;

/** An option as it stands on a command line, its value quoted for a shell. */
function asWords(option: string, value: string | readonly string[] | boolean | undefined): readonly string[] {
  if (value === undefined || value === false) return [];
  if (value === true) return [flag(option)];
  return [flag(option), ...[value].flat().map((word) => shellQuote(String(word)))];
}

function flag(option: string): string {
  return `--${option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** Only the adapter that is used is loaded: an HTTP client alone costs more than reading all vectors. */
async function makeAdapter(options: AdapterOptions, onSpawn: (pid: number) => void): Promise<Adapter> {
  const { module, command, commandFolder, attach, jobs, timeoutMs } = options;
  if (command !== undefined) {
    const { stdioAdapter } = await import("../adapters/stdio.ts");
    return stdioAdapter({
      command,
      jobs,
      timeoutMs,
      ...(commandFolder === undefined ? {} : { folder: commandFolder }),
      ...(timeoutMs === 0 ? { onSpawn } : {}),
    });
  }
  if (attach !== undefined) {
    const { host, port } = parseHostPort(attach);
    const { attachAdapter } = await import("../adapters/socket.ts");
    return attachAdapter({ host, port, timeoutMs });
  }
  if (options.url !== undefined) {
    const { url, controlUrl, caFile, allowSelfSigned } = options;
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
    return moduleProcessAdapter({ file: module, jobs, timeoutMs, ...(timeoutMs === 0 ? { onSpawn } : {}) });
  }
  const { inProcessAdapter } = await import("../adapters/in-process.ts");
  const reference: ServiceModule = await import(pathToFileURL(PATHS.reference).href);
  return inProcessAdapter(reference, { name: "launch-draft-reference" });
}

/** The facts that the user states, of which `--metadata-hosts` overrides the file's hosts. */
async function factsOf({ facts, statedFacts, metadataHosts }: AdapterOptions): Promise<object | undefined> {
  if (statedFacts !== undefined) {
    const { factsComplaint } = await import("../adapters/implementation-info.ts");
    const wrong = factsComplaint(statedFacts);
    if (wrong !== undefined) throw new UsageError(`facts: ${wrong.message}`);
    return metadataHosts === undefined ? statedFacts : { ...statedFacts, metadataHosts };
  }
  const source = facts === undefined ? undefined : readYaml(facts);
  const stated = source?.value;
  if (source !== undefined && !isObject(stated)) {
    throw new UsageError(`${facts}: facts are a map, such as metadataHosts: [a.example, b.example]`);
  }
  const { factsComplaint } = await import("../adapters/implementation-info.ts");
  const wrong = source === undefined ? undefined : factsComplaint(stated);
  if (wrong !== undefined) throw source?.error(wrong.path, wrong.message);
  return metadataHosts === undefined
    ? (stated as object | undefined)
    : { ...(stated as object | undefined), metadataHosts };
}

function parseHostPort(text: string): { readonly host: string; readonly port: number } {
  const match = /^(?:\[(.+)\]|([^:]+)):(\d{1,5})$/.exec(text);
  const host = match?.[1] ?? match?.[2];
  const port = Number(match?.[3]);
  if (host === undefined || port < 1 || port > 65535)
    throw new UsageError(`--attach takes HOST:PORT, not "${text}"`);
  return { host, port };
}
