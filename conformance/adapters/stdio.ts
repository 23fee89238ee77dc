/** Runs a program that speaks the adapter protocol on stdio, or the kit's host program with a module. */
import { existsSync, statSync } from "node:fs";
import { dirname, extname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { type Adapter, ImplementationError, type Service } from "./adapter.ts";
import { HOST_DESCRIPTORS } from "./host.ts";
import { signedBytesOf } from "./info.ts";
import { Program } from "./program.ts";
import { askForBytes, initialize, Recovery, type RemoteOptions, startService } from "./protocol.ts";

/** How a program is run. One of `command` and `module` must be given. */
export interface ProgramAdapterOptions extends RemoteOptions {
  /** Command line for the shell. */
  readonly command?: string;
  /** Path of a JavaScript or TypeScript module that exports `createService`. */
  readonly module?: string;
  /** Names of environment variables that the program gets in addition to PATH, HOME, LANG, and TMPDIR. */
  readonly env?: readonly string[] | undefined;
  /** Time that the program has to exit after `shutdown`, and after each signal, in ms (default: 2,000). */
  readonly graceMs?: number;
}

const DEFAULT_GRACE_MS = 2_000;
/** The host program, next to this file: compiled in the package, TypeScript in a checkout. */
const HOST = new URL(`./module-host${extname(import.meta.filename)}`, import.meta.url);
/** Maximum heap size of a module, in MiB. */
const MAX_HEAP_MIB = 1024;

/**
 * Runs one process for each open service, and reuses idle processes for later services.
 * @throws {ImplementationError} if the program cannot be started, or its info is invalid
 */
export async function openProgram(options: ProgramAdapterOptions): Promise<Adapter> {
  const { clock, maxWaitMs, contract } = options;
  const recovery = new Recovery();
  const [first, info] = await startProgram(options, recovery);
  const programs = new Set([first]);
  /** Programs that no service uses. */
  const idle = new Set([first]);

  let isClosed = false;

  /** @throws {ImplementationError} if no program can be started, or the adapter is closed */
  const takeProgram = async (): Promise<Program> => {
    if (isClosed) throw new ImplementationError("the adapter is closed");
    const [program = (await startProgram(options, recovery))[0]] = idle;
    idle.delete(program);
    programs.add(program);
    if (isClosed) await program.end();
    return program;
  };

  /** Forgets a program that failed. @throws {ImplementationError} if no call has reported the failure */
  const forget = (program: Program): void => {
    programs.delete(program);
    idle.delete(program);
    program.requireIntact();
  };

  const release = (program: Program): void => {
    if (program.hasFailed) forget(program);
    else if (info.capabilities.restart) idle.add(program);
    else void program.end();
  };

  const start = async (nowMs: number): Promise<Service> => {
    for (const program of idle) if (program.hasFailed) forget(program);
    return recovery.connect(clock, async (mustCheck) => {
      const carrier = await takeProgram();
      try {
        const serviceOptions = { info, carrier, clock, maxWaitMs, onClose: () => release(carrier) };
        if (mustCheck) await (await startService(serviceOptions, nowMs)).handle(contract.probe);
        return await startService(serviceOptions, nowMs);
      } catch (error) {
        programs.delete(carrier);
        await carrier.end();
        throw error;
      }
    });
  };

  return {
    info,
    hasSeparateServices: true,
    get lost() {
      return recovery.lost;
    },
    start,
    async bytesToSign(message) {
      const { signedBytes } = info.facts;
      if (signedBytes !== "adapter") return signedBytesOf(signedBytes, message);
      const running = [...programs].find((program) => !program.hasFailed);
      return askForBytes((running ?? (await takeProgram())).call, message);
    },
    async close() {
      isClosed = true;
      await Promise.all([...programs].map((program) => program.end()));
      programs.clear();
    },
  };
}

/** Starts a program and gets its info. @throws {ImplementationError} */
async function startProgram(options: ProgramAdapterOptions, recovery: Recovery) {
  const { command = "", module, env = [], graceMs = DEFAULT_GRACE_MS, timeoutMs } = options;
  const program = new Program({
    words: module === undefined ? ["sh", "-c", command] : hostWords(HOST, module),
    descriptors: module === undefined ? [0, 1] : HOST_DESCRIPTORS,
    env,
    timeoutMs,
    graceMs,
    onFailure: recovery.recordFailure,
  });
  try {
    const transport = module === undefined ? "stdio" : "in-process";
    return [program, await initialize(program.call, transport, options)] as const;
  } catch (error) {
    await program.end();
    throw error;
  }
}

/** Code that runs before all other code of a host: Node answers SIGUSR1 with a debugger. */
const NO_DEBUGGER = "data:text/javascript,process.on('SIGUSR1',()=>{})";

/** Returns the URL of code that names the nearest `tsconfig.json` of a module, whose `paths` then apply. */
function projectOf(module: string): string {
  for (let folder = dirname(resolve(module)); ; folder = dirname(folder)) {
    const file = join(folder, "tsconfig.json");
    if (existsSync(file))
      return `data:text/javascript,${encodeURIComponent(`process.env.TSX_TSCONFIG_PATH=${JSON.stringify(file)}`)}`;
    if (folder === dirname(folder)) return NO_DEBUGGER;
  }
}

/**
 * Returns the words that run a host program of the kit with a user's module.
 * @throws {ImplementationError} if there is no such file
 */
export function hostWords(host: URL, module: string): readonly string[] {
  const stats = statSync(module, { throwIfNoEntry: false });
  if (stats?.isDirectory())
    throw new ImplementationError(`${module} is a folder; name the file in it that exports createService`);
  if (!stats?.isFile()) throw new ImplementationError(`${module}: no such file`);
  const imports = [NO_DEBUGGER, projectOf(module), import.meta.resolve("tsx")].flatMap((url) => [
    "--import",
    url,
  ]);
  return [
    process.execPath,
    `--max-old-space-size=${MAX_HEAP_MIB}`,
    ...imports,
    fileURLToPath(host),
    resolve(module),
  ];
}
