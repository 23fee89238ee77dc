/** Adapters for clients in separate processes: modules, resident programs, and one program per task. */
import { once } from "node:events";
import { basename, extname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ImplementationError, MAX_RESPONSE_BYTES } from "../../adapters/adapter.ts";
import { HOST_DESCRIPTORS } from "../../adapters/host.ts";
import { spawnGroup } from "../../adapters/process-group.ts";
import { Program } from "../../adapters/program.ts";
import { hostWords } from "../../adapters/stdio.ts";
import { SERVED_CONTRACT } from "../../contract/constants.ts";
import { isObject, type JsonObject, parseJson, show } from "../../data/json.ts";
import { errorText, escapeText } from "../../data/text.ts";
import type { SentRequest } from "../history.ts";
import { type ClientAdapter, type LaunchContext, readClientInfo } from "./client-adapter.ts";

const START_TIMEOUT_MS = 30_000;
/** Time that a program gets to exit by itself, in ms. */
const GRACE_MS = 1_000;
/** Programs wait in real time, so the kit shortens their waits to a quarter. */
const WAIT_SCALE = 0.25;
/** Number of characters to keep from the end of standard error, for error messages. */
const MAX_LOG_LENGTH = 2_000;
const HOST = new URL(`./client-host${extname(import.meta.filename)}`, import.meta.url);

/** Runs a client module in the kit's host program. @throws {ImplementationError} */
export async function openClientModule(file: string, env: readonly string[] = []): Promise<ClientAdapter> {
  return openResident(hostWords(HOST, file), basename(file), true, env);
}

/** Starts a resident client, which gets its tasks as JSON-RPC messages. @throws {ImplementationError} */
export function openClientCommand(command: string, env: readonly string[] = []): Promise<ClientAdapter> {
  return openResident(["sh", "-c", command], command, false, env);
}

/** @param isHost whether the program is `client-host.ts`, which asks the kit to handle calls and waits */
async function openResident(
  words: readonly string[],
  name: string,
  isHost: boolean,
  env: readonly string[],
): Promise<ClientAdapter> {
  /** The program of each job. It is started again after it fails or the kit stops it. */
  const programs: (Program | undefined)[] = [];
  /** Launches in progress, by their numbers. */
  const contexts = new Map<number, LaunchContext>();
  let lastNumber = 0;

  /** Starts the program of a job. Returns its result of `initialize`. @throws {ImplementationError} */
  const start = async (job: number): Promise<JsonObject> => {
    const program = new Program({
      words,
      descriptors: isHost ? HOST_DESCRIPTORS : [0, 1],
      env,
      timeoutMs: 0,
      graceMs: GRACE_MS,
      onFailure: () => {},
      // Launches in progress share the output. Each trial searches it for its own keys only.
      onLog: (text) => {
        for (const context of contexts.values()) context.onLog(text);
      },
      ...(isHost && { serve: (method, params) => serveHost(contexts, method, params) }),
    });
    programs[job] = program;
    const { version } = SERVED_CONTRACT;
    const stated = await program.call("initialize", { protocol: 1, contract: version }, START_TIMEOUT_MS);
    if (!isObject(stated) || stated["protocol"] !== 1)
      throw new ImplementationError(`initialize: expected {"protocol":1, …}, got ${show(stated)}`);
    return stated;
  };

  const perform = async (task: JsonObject, context: LaunchContext, job: number): Promise<unknown> => {
    if (programs[job] === undefined || programs[job].hasFailed) await start(job);
    const program = programs[job] as Program;
    const number = ++lastNumber;
    contexts.set(number, context);
    // The kit must end the process, because nothing else stops its work on a task that has ended.
    const stop = () => {
      if (!contexts.has(number)) return;
      programs[job] = undefined;
      void program.end();
    };
    context.signal.addEventListener("abort", stop, { once: true });
    const { now, endsAtMs } = context;
    try {
      return await program.call("launch", isHost ? { task, number, nowMs: now(), endsAtMs } : task, 0);
    } finally {
      contexts.delete(number);
    }
  };

  const close = async () => {
    await Promise.all(programs.map((program) => program?.end()));
  };

  try {
    const info = readClientInfo(await start(0), name, "initialize", isHost ? "in-process" : "stdio");
    const waitScale = isHost ? 1 : WAIT_SCALE;
    return { info, usesHttp: true, waitScale, perform, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Returns the result of a request from the host program. */
async function serveHost(
  contexts: ReadonlyMap<unknown, LaunchContext>,
  method: string,
  { number, ms, bodyBase64, isImmediate, ...sent }: JsonObject,
): Promise<unknown> {
  const context = contexts.get(number);
  if (context === undefined) throw new Error("the launch has ended");
  if (method === "sleep") {
    await context.sleep(Number(ms));
    return { nowMs: context.now() };
  }
  const request = { ...sent, bytes: Buffer.from(String(bodyBase64), "base64") } as SentRequest;
  const response = await context.handle(request, context.sleep, isImmediate === true);
  return { nowMs: context.now(), response };
}

/**
 * Returns a client program that runs once per task: it reads the task from stdin, and writes one line of result.
 * @param env names of environment variables that the program gets in addition to the usual ones
 * @param facts facts that the user states about the program
 * @throws {ImplementationError} if the facts are invalid
 */
export function openTaskProgram(
  command: string,
  env: readonly string[] = [],
  facts?: unknown,
): ClientAdapter {
  const closing = new AbortController();
  return {
    info: readClientInfo({ facts }, command, "facts", "stdio"),
    usesHttp: true,
    waitScale: WAIT_SCALE,
    async perform(task, context) {
      const signal = AbortSignal.any([context.signal, closing.signal]);
      if (signal.aborted) throw new ImplementationError("the launch has ended");
      const { child, kill } = spawnGroup(["sh", "-c", command], 3, env);
      signal.addEventListener("abort", () => kill("SIGKILL"), { once: true });
      let [output, log] = ["", ""];
      child.stderr?.setEncoding("utf8").on("data", (text: string) => {
        log = (log + text).slice(-MAX_LOG_LENGTH);
        context.onLog(text);
      });
      child.stdin?.on("error", () => {});
      child.stdin?.end(`${JSON.stringify(task)}\n`);
      const closed = once(child, "close");
      const hasLine = new Promise<void>((resolve) => {
        child.stdout?.setEncoding("utf8").on("data", (text: string) => {
          output += text;
          if (text.includes("\n")) resolve();
          if (output.length > MAX_RESPONSE_BYTES) kill("SIGKILL");
        });
      });
      try {
        await Promise.race([hasLine, closed]);
        await Promise.race([closed, sleep(GRACE_MS, undefined, { ref: false })]);
      } catch (error) {
        throw new ImplementationError(errorText(error));
      } finally {
        kill("SIGKILL");
      }
      return readResult(output, log);
    },
    async close() {
      closing.abort();
    },
  };
}

/** @throws {ImplementationError} if the output is not one line of JSON */
function readResult(output: string, log: string): unknown {
  if (output.length > MAX_RESPONSE_BYTES) throw new ImplementationError("the program wrote more than 1 MiB");
  if (output === "") {
    const lastWords = escapeText(log.trim().split("\n").at(-1) ?? "", 200);
    const cause = lastWords === "" ? "" : `; standard error: ${lastWords}`;
    throw new ImplementationError(`the program exited without a result${cause}`);
  }
  const [line = "", ...others] = output.replace(/\r?\n$/, "").split("\n");
  if (others.length > 0)
    throw new ImplementationError(`the program wrote a second line after its result: ${show(others[0], 80)}`);
  const result = parseJson(line);
  if (result !== undefined) return result;
  throw new ImplementationError(`the program wrote a result that is not JSON: ${show(line, 80)}`);
}
