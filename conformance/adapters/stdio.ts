/**
 * Reaches a program that speaks the adapter protocol on standard input and output, or a module by the kit's
 * host.
 */
import { extname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { Adapter, Facts, ImplementationInfo, ImplementationLost, Service } from "./adapter.ts";
import { bytesToSign } from "./info.ts";
import { Program } from "./program.ts";
import {
  askForBytes,
  initialize,
  Recovery,
  type RemoteOptions,
  RemoteService,
  withDefaults,
} from "./protocol.ts";

/** How a program is run. One of `command` and `module` must be given. */
export interface ProgramAdapterOptions extends RemoteOptions {
  /** Command line for the shell. */
  readonly command?: string;
  /** Path of a JavaScript or TypeScript module that exports `createService`. */
  readonly module?: string;
  /** Names of environment variables that the program gets in addition to PATH, HOME, LANG, and TMPDIR. */
  readonly env?: readonly string[];
  /** Time to exit after `shutdown`, and after each signal, in ms (default: 2,000). */
  readonly graceMs?: number;
}

type FullOptions = ProgramAdapterOptions & Required<RemoteOptions>;

const DEFAULT_GRACE_MS = 2_000;
/** The host is compiled next to this file in the package, and a source next to it in a checkout. */
const HOST = new URL(`./module-host${extname(import.meta.filename)}`, import.meta.url);
/** Size of the heap at which a module runs out of memory, in MiB. */
const MAX_HEAP_MIB = 1024;
/** File descriptors of the host for requests and answers. The standard streams belong to the module. */
export const HOST_DESCRIPTORS = [3, 4] as const;

/** Runs a process for each service that is open at the same time, and uses it again for later services. */
export class ProgramAdapter implements Adapter {
  readonly info: ImplementationInfo;
  readonly facts: Facts;
  readonly hasSeparateServices = true;
  readonly #options: FullOptions;
  readonly #recovery: Recovery;
  readonly #programs = new Set<Program>();
  /** Programs that no service uses. */
  readonly #idle = new Set<Program>();

  private constructor(options: FullOptions, recovery: Recovery, program: Program, info: ImplementationInfo) {
    this.#options = options;
    this.#recovery = recovery;
    this.#programs.add(program);
    this.#idle.add(program);
    this.info = info;
    this.facts = info.facts;
  }

  /** Starts the program. @throws {ImplementationError} if it cannot be started or states something wrong */
  static async open(given: ProgramAdapterOptions): Promise<ProgramAdapter> {
    const options = withDefaults(given);
    const recovery = new Recovery(options.clock);
    const { program, info } = await openProgram(options, recovery);
    return new ProgramAdapter(options, recovery, program, info);
  }

  get lost(): ImplementationLost | undefined {
    return this.#recovery.lost;
  }

  async start(nowMs: number): Promise<Service> {
    for (const program of this.#idle) {
      if (!program.hasFailed) continue;
      this.#forget(program);
      program.requireIntact();
    }
    return this.#recovery.connect(async (mustCheck) => {
      const program = await this.#takeProgram();
      try {
        const { clock, maxWaitMs, contract } = this.#options;
        const onClose = () => this.#release(program);
        const options = { info: this.info, carrier: program, clock, maxWaitMs, onClose };
        if (mustCheck) await (await RemoteService.start(options, nowMs)).handle(contract.probe);
        return await RemoteService.start(options, nowMs);
      } catch (error) {
        this.#forget(program);
        await program.end();
        throw error;
      }
    });
  }

  bytesToSign(message: string): Promise<Uint8Array> {
    return bytesToSign(this.facts, message, async (text) => {
      const running = [...this.#programs].find((program) => !program.hasFailed);
      return askForBytes((running ?? (await this.#takeProgram())).call, text);
    });
  }

  async close(): Promise<void> {
    await Promise.all([...this.#programs].map((program) => program.end()));
    this.#programs.clear();
    this.#idle.clear();
  }

  /** Returns a program that no service uses. */
  async #takeProgram(): Promise<Program> {
    const [idle] = this.#idle;
    if (idle !== undefined) {
      this.#idle.delete(idle);
      return idle;
    }
    const { program } = await openProgram(this.#options, this.#recovery);
    this.#programs.add(program);
    return program;
  }

  #release(program: Program): void {
    if (program.hasFailed) {
      this.#forget(program);
      program.requireIntact();
    } else if (this.info.capabilities.restart) this.#idle.add(program);
    else void program.end();
  }

  #forget(program: Program): void {
    this.#programs.delete(program);
    this.#idle.delete(program);
  }
}

/** Starts a program and asks what it is. @throws {ImplementationError} */
async function openProgram(
  { command, module, env = [], graceMs = DEFAULT_GRACE_MS, timeoutMs, contract }: FullOptions,
  recovery: Recovery,
): Promise<{ readonly program: Program; readonly info: ImplementationInfo }> {
  const program = new Program({
    words: module === undefined ? shellWords(command ?? "") : hostWords(HOST, module),
    descriptors: module === undefined ? [0, 1] : HOST_DESCRIPTORS,
    env,
    timeoutMs,
    graceMs,
    onFailure: recovery.recordFailure,
  });
  try {
    const transport = module === undefined ? "stdio" : "in-process";
    return { program, info: await initialize(program.call, contract, transport, timeoutMs) };
  } catch (error) {
    await program.end();
    throw error;
  }
}

/** Returns the words that run a command line in the shell. */
export function shellWords(command: string): readonly string[] {
  return ["sh", "-c", command];
}

/** Returns the words that run a host program of the kit with a user's module. */
export function hostWords(host: URL, module: string): readonly string[] {
  const options = [`--max-old-space-size=${MAX_HEAP_MIB}`, "--import", import.meta.resolve("tsx")];
  return [process.execPath, ...options, fileURLToPath(host), resolve(module)];
}
