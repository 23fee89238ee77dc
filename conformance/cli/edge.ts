/** The edge of the program: the parts of the process and machine that commands use. Tests replace them. */
import { randomInt } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { type Adapter, InternalError, type MachineClock } from "../adapters/adapter.ts";
import { MACHINE_CLOCK } from "../adapters/protocol.ts";
import { escapeLines } from "../data/text.ts";

export interface Edge {
  /** Command that starts the kit. Printed commands begin with it. */
  readonly program: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Width of the terminal in columns. Undefined if standard output is not a terminal. */
  readonly terminal: { readonly columns: number } | undefined;
  readonly clock: MachineClock;
  /**
   * Aborted by an internal error, and by the signals that end a run. The reason is an InternalError, or the
   * message to print. Until a command uses this member, the signals end the process at once.
   */
  readonly interrupted: AbortSignal;
  /** Ends the use of {@link interrupted}: from now on, the signals end the process at once again. */
  release(): void;
  write(text: string): void;
  writeError(text: string): void;
  /** Waits until standard output is written. Returns whether a part is lost although its reader remains. */
  isOutputLost(): Promise<boolean>;
  /** Returns the time of a monotonic clock, in ms. */
  elapsedMs(): number;
  /** Calls a function at intervals. Returns a function that stops the calls. */
  every(ms: number, callback: () => void): () => void;
  /** Calls a function after a time. Returns a function that prevents the call. */
  after(ms: number, callback: () => void): () => void;
  /** Returns the ID of the process that started this one. It changes when that process ends. */
  parentPid(): number;
  /** Resolves after pending input and timers have been handled. */
  nextTurn(): Promise<void>;
  randomSeed(): number;
  /** Opens a service in place of the one that the options name. Only tests set this function. */
  openService?(): Promise<Adapter>;
}

/** Signals that end a run with the results so far. */
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
/** Time that a command has to end after a signal or an internal error, in ms. */
const END_MS = 1_500;

/**
 * Runs a command in this process, and then ends the process. Only this function gives the process a status:
 * that of the command, 130 after a signal, or 70 after an internal error.
 * @param program command that starts the kit
 * @param command resolves to the exit status
 */
export async function runInProcess(program: string, command: (edge: Edge) => Promise<number>): Promise<void> {
  const [output, errors] = [new Output(process.stdout), new Output(process.stderr)];
  const interruption = new AbortController();
  let early: { readonly status: number; readonly message: string } | undefined;
  const release = () => {
    for (const signal of SIGNALS) process.off(signal, onSignal);
  };
  const endEarly = (status: number, reason: InternalError | string) => {
    early = { status, message: typeof reason === "string" ? reason : reason.message };
    // A second signal ends the process at once.
    release();
    interruption.abort(reason);
    setTimeout(end, END_MS);
  };
  const onSignal = (signal: NodeJS.Signals) => endEarly(130, `interrupted by ${signal}`);
  const onError = (thrown: unknown) => {
    if (early === undefined) endEarly(70, InternalError.from(thrown));
  };
  /** @param status status of the command. Undefined if it did not end in time. */
  const end = (status?: number): never => {
    // A command that ends in time after a signal has handled it. After an internal error, only 70 is right.
    const isHandled = status !== undefined && early?.status !== 70;
    if (early !== undefined && !isHandled && status !== 70) errors.write(escapeLines([early.message]));
    process.exit(isHandled ? status : early?.status);
  };
  process.on("uncaughtException", onError).on("unhandledRejection", onError);
  process.on("beforeExit", () => onError(new Error("the command neither ended nor waits for anything")));

  const { isTTY, columns } = process.stdout;
  const status = await command({
    program,
    env: process.env,
    terminal: isTTY ? { columns } : undefined,
    clock: MACHINE_CLOCK,
    get interrupted() {
      for (const signal of SIGNALS)
        if (!process.listeners(signal).includes(onSignal)) process.on(signal, onSignal);
      return interruption.signal;
    },
    release,
    write: (text) => output.write(text),
    writeError: (text) => errors.write(text),
    isOutputLost: async () => (await output.fault()) !== undefined,
    elapsedMs: () => performance.now(),
    every(ms, callback) {
      // Does not keep the process alive, so that a command that waits for nothing is noticed.
      const timer = setInterval(callback, ms).unref();
      return () => clearInterval(timer);
    },
    after(ms, callback) {
      const timer = setTimeout(callback, ms).unref();
      return () => clearTimeout(timer);
    },
    parentPid: () => process.ppid,
    nextTurn: () => setImmediate(undefined),
    randomSeed: () => randomInt(1, 2 ** 31),
  });
  const fault = await output.fault();
  if (fault !== undefined) errors.write(`standard output cannot be written (${fault})\n`);
  await errors.fault();
  end(status);
}

/** A stream of output. After a write that failed, the rest of the output is dropped. */
class Output {
  readonly #stream: NodeJS.WriteStream;
  #error: NodeJS.ErrnoException | undefined;

  constructor(stream: NodeJS.WriteStream) {
    this.#stream = stream;
    stream.on("error", this.#fail);
  }

  readonly #fail = (error: Error): void => {
    this.#error ??= error;
  };

  write(text: string): void {
    if (this.#error === undefined) this.#stream.write(text);
  }

  /** Waits until the output is written. Returns why a part is lost, unless the reader of a pipe ended. */
  async fault(): Promise<string | undefined> {
    if (this.#error === undefined)
      await new Promise<void>((resolve) => {
        this.#stream.write("", (error) => {
          if (error) this.#fail(error);
          resolve();
        });
      });
    const { code } = this.#error ?? {};
    return code === "EPIPE" ? undefined : code;
  }
}
