/** Adapters for clients in separate processes: modules, resident programs, and one program per task. */
import { basename, extname } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { ImplementationError } from "../../adapters/adapter.ts";
import { isObject, type JsonObject, show } from "../../adapters/json.ts";
import { spawnGroup } from "../../adapters/process-group.ts";
import { Program } from "../../adapters/program.ts";
import { HOST_DESCRIPTORS, hostWords, shellWords } from "../../adapters/stdio.ts";
import { errorText, escapeText } from "../../adapters/text.ts";
import { SERVED_CONTRACT } from "../../contract/constants.ts";
import { requestOfCall } from "./called-request.ts";
import {
  type ClientAdapter,
  type ClientConnection,
  type ClientInfo,
  type LaunchContext,
  readClientInfo,
} from "./client-adapter.ts";

/** Options for running a client program. */
export interface ClientProgramOptions {
  /** Names of environment variables that the program gets in addition to the usual ones. */
  readonly env?: readonly string[];
  /** Facts that the user states about a program that is run once for each task. */
  readonly facts?: unknown;
}

const START_TIMEOUT_MS = 30_000;
/** Time that a program gets to exit by itself, in ms. */
const GRACE_MS = 1_000;
/** Programs wait in real time, so the kit shortens their waits to a quarter. */
const WAIT_SCALE = 0.25;
const MAX_LINE_LENGTH = 1024 * 1024;
/** Number of characters to keep from the end of standard error, for error messages. */
const MAX_LOG_LENGTH = 2_000;
const HOST = new URL(`./client-host${extname(import.meta.filename)}`, import.meta.url);

/** Runs a client module in the kit's host program. @throws {ImplementationError} */
export async function openClientModule(file: string, env: readonly string[] = []): Promise<ClientAdapter> {
  return openResident(hostWords(HOST, file), basename(file), true, env);
}

/** Starts a resident client, which gets its tasks as JSON-RPC messages. @throws {ImplementationError} */
export function openClientCommand(command: string, env: readonly string[] = []): Promise<ClientAdapter> {
  return openResident(shellWords(command), command, false, env);
}

async function openResident(
  words: readonly string[],
  name: string,
  isModule: boolean,
  env: readonly string[],
): Promise<ClientAdapter> {
  const first = new ResidentConnection(words, isModule, env);
  const connections = [first];
  let isFirstUsed = false;
  const close = async () => {
    await Promise.all(connections.map((connection) => connection.end()));
  };
  try {
    const stated = await first.initialize();
    return {
      info: readClientInfo(stated, name, "initialize", isModule ? "in-process" : "stdio"),
      usesHttp: true,
      waitsInRealTime: true,
      waitScale: isModule ? 1 : WAIT_SCALE,
      close,
      async connect() {
        const connection = isFirstUsed ? new ResidentConnection(words, isModule, env) : first;
        if (isFirstUsed) connections.push(connection);
        isFirstUsed = true;
        return connection;
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** One process of a resident client. It is restarted after it fails or the kit stops it. */
class ResidentConnection implements ClientConnection {
  readonly #words: readonly string[];
  readonly #isModule: boolean;
  readonly #env: readonly string[];
  readonly #contexts = new Map<number, LaunchContext>();
  #program: Program | undefined;
  #launches = 0;

  constructor(words: readonly string[], isModule: boolean, env: readonly string[]) {
    this.#words = words;
    this.#isModule = isModule;
    this.#env = env;
  }

  /** Starts the process. Returns its result of `initialize`. @throws {ImplementationError} */
  async initialize(): Promise<JsonObject> {
    const program = new Program({
      words: this.#words,
      descriptors: this.#isModule ? HOST_DESCRIPTORS : [0, 1],
      env: this.#env,
      timeoutMs: 0,
      graceMs: GRACE_MS,
      onFailure: () => {},
      ...(this.#isModule && { serve: (method, params) => this.#serve(method, params) }),
    });
    this.#program = program;
    const { version } = SERVED_CONTRACT;
    const stated = await program.call("initialize", { protocol: 1, contract: version }, START_TIMEOUT_MS);
    if (!isObject(stated) || stated["protocol"] !== 1)
      throw new ImplementationError(`initialize: expected {"protocol":1, …}, got ${show(stated)}`);
    return stated;
  }

  async perform(task: JsonObject, context: LaunchContext): Promise<unknown> {
    if (this.#program === undefined || this.#program.hasFailed) await this.initialize();
    const program = this.#program as Program;
    const number = ++this.#launches;
    this.#contexts.set(number, context);
    // Work on a task that is over stops only when the process ends.
    const stop = () => {
      if (!this.#contexts.has(number)) return;
      this.#program = undefined;
      void program.end();
    };
    context.signal.addEventListener("abort", stop, { once: true });
    try {
      const params = this.#isModule ? { task, number, nowMs: context.now() } : task;
      return await program.call("launch", params, 0);
    } finally {
      this.#contexts.delete(number);
    }
  }

  async end(): Promise<void> {
    await this.#program?.end();
  }

  /** Returns the result of a request from the host program. */
  async #serve(method: string, { number, call, isImmediate, ms }: JsonObject): Promise<unknown> {
    const context = this.#contexts.get(Number(number));
    if (context === undefined) throw new Error("the launch is over");
    if (method === "sleep") {
      await context.sleep(Number(ms));
      return { nowMs: context.now() };
    }
    const request = requestOfCall(isObject(call) ? call : {});
    const delivery = { delay: context.sleep, isImmediate: isImmediate === true };
    const response = await context.handle(request, delivery);
    const envelope = response && { status: response.status, body: response.body };
    return { nowMs: context.now(), envelope };
  }
}

/**
 * A client that is run once for each task. It reads the task from standard input, and writes its result in
 * one line.
 */
export class TaskProgramClient implements ClientAdapter, ClientConnection {
  readonly info: ClientInfo;
  readonly usesHttp = true;
  readonly waitsInRealTime = true;
  readonly waitScale = WAIT_SCALE;
  readonly #command: string;
  readonly #env: readonly string[];

  /** @throws {ImplementationError} if the facts are invalid */
  constructor(command: string, { env = [], facts = {} }: ClientProgramOptions = {}) {
    this.info = readClientInfo({ facts }, command, "facts", "stdio");
    this.#command = command;
    this.#env = env;
  }

  async connect(): Promise<ClientConnection> {
    return this;
  }

  async perform(task: JsonObject, { signal }: LaunchContext): Promise<unknown> {
    const group = spawnGroup(shellWords(this.#command), 3, this.#env);
    const { child } = group;
    signal.addEventListener("abort", () => group.kill("SIGKILL"), { once: true });
    let log = "";
    child.stderr?.on("data", (chunk: Buffer) => {
      log = `${log}${chunk}`.slice(-MAX_LOG_LENGTH);
    });
    child.stdin?.on("error", () => {});
    child.stdin?.end(`${JSON.stringify(task)}\n`);
    const lines: string[] = [];
    let length = 0;
    const closed = new Promise<void>((resolve) => child.once("close", () => resolve()));
    const hasResult = new Promise<void>((resolve, reject) => {
      child.once("error", reject);
      child.stdout?.on("data", (chunk: Buffer) => {
        length += chunk.length;
        if (length > MAX_LINE_LENGTH) reject(new Error("the program wrote more than 1 MiB"));
      });
      if (child.stdout !== null)
        createInterface({ input: child.stdout }).on("line", (line) => {
          lines.push(line);
          resolve();
        });
    });
    try {
      await Promise.race([hasResult, closed]);
      await Promise.race([closed, sleep(GRACE_MS, undefined, { ref: false })]);
    } catch (error) {
      throw new ImplementationError(errorText(error));
    } finally {
      group.kill("SIGKILL");
    }
    return readResult(lines, log);
  }

  async close(): Promise<void> {}
}

/** @throws {ImplementationError} if the output is not one line of JSON */
function readResult([line, ...others]: readonly string[], log: string): unknown {
  if (line === undefined) {
    const lastWords = escapeText(log.trim().split("\n").at(-1) ?? "", 200);
    const cause = lastWords === "" ? "" : `; standard error: ${lastWords}`;
    throw new ImplementationError(`the program exited without a result${cause}`);
  }
  if (others.length > 0)
    throw new ImplementationError(`the program wrote more than its result: ${show(others[0], 80)}`);
  try {
    return JSON.parse(line);
  } catch {
    throw new ImplementationError(`the program wrote a result that is not JSON: ${show(line, 80)}`);
  }
}
