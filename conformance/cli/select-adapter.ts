import type { Adapter } from "../adapters/adapter.ts";
import { inProcessAdapter } from "../adapters/in-process.ts";
import { loadModule } from "../adapters/load-module.ts";
import { moduleWorkerAdapter } from "../adapters/module-worker.ts";
import { attachAdapter } from "../adapters/socket.ts";
import { stdioAdapter } from "../adapters/stdio.ts";
import { PATHS } from "../paths.ts";
import { shellQuote } from "../report/again.ts";
import { UsageError } from "./usage-error.ts";

/** Options that say how an implementation is reached. */
export interface AdapterOptions {
  readonly module?: string;
  readonly command?: string;
  readonly attach?: string;
  readonly jobs: number;
  /** Time limit for one call, in ms; 0 for none. */
  readonly timeoutMs: number;
}

/** The adapter for the options, and the options as they stand in a command that repeats the run. */
export async function selectAdapter(
  options: AdapterOptions,
  onSpawn: (pid: number) => void,
): Promise<{ readonly adapter: Adapter; readonly words: readonly string[] }> {
  const ways = ["module", "command", "attach"] as const;
  const given = ways.filter((way) => options[way] !== undefined);
  if (given.length > 1)
    throw new UsageError(`give one of ${given.map((way) => `--${way}`).join(", ")}, not several`);
  const words = given.flatMap((way) => [`--${way}`, shellQuote(options[way] ?? "")]);
  return { adapter: await makeAdapter(options, onSpawn), words };
}

async function makeAdapter(options: AdapterOptions, onSpawn: (pid: number) => void): Promise<Adapter> {
  const { module, command, attach, jobs, timeoutMs } = options;
  if (command !== undefined) {
    return stdioAdapter({ command, jobs, timeoutMs, ...(timeoutMs === 0 ? { onSpawn } : {}) });
  }
  if (attach !== undefined) {
    const { host, port } = parseHostPort(attach);
    return attachAdapter({ host, port, timeoutMs });
  }
  if (module !== undefined) return moduleWorkerAdapter({ file: module, timeoutMs });
  return inProcessAdapter(await loadModule(PATHS.reference), { name: "launch-draft-reference" });
}

function parseHostPort(text: string): { readonly host: string; readonly port: number } {
  const match = /^(?:\[(.+)\]|([^:]+)):(\d{1,5})$/.exec(text);
  const host = match?.[1] ?? match?.[2];
  const port = Number(match?.[3]);
  if (host === undefined || port < 1 || port > 65535)
    throw new UsageError(`--attach takes HOST:PORT, not "${text}"`);
  return { host, port };
}
