/** The process of a client's module: gives it its tasks, and carries its calls to the kit. */
import { statSync, writeSync } from "node:fs";
import { Socket } from "node:net";
import { basename, resolve } from "node:path";
import { AdapterFault } from "../adapters/adapter.ts";
import { isTooLong, MAX_ANSWER_SHOWN } from "../adapters/answer-limit.ts";
import { lineSplitter } from "../adapters/line-splitter.ts";
import { importFile, loadErrorLine } from "../adapters/load-module.ts";
import { ANSWERS, type FaultError, LAST_WORDS, REQUESTS } from "../adapters/module-process-line.ts";
import { oneLine, shown, thrownLine } from "../adapters/one-line.ts";
import { CLIENT_PROTOCOL } from "../engine/client/client-protocol.ts";
import { ANSWER, type Answer, type LaunchParams, QUESTION } from "./module-client-line.ts";

const [, , file = ""] = process.argv;

/** What a client's module exports (client protocol, "In process"). */
interface ClientModule {
  launch(task: unknown, tools: Tools): unknown;
  readonly client?: unknown;
  readonly facts?: unknown;
}

/** What a module is given besides a task. */
interface Tools {
  handle(call: unknown): Promise<unknown>;
  sleep(ms: unknown): Promise<void>;
  now(): number;
}

let module: ClientModule | undefined;
/** Questions that wait for their answers. */
const waiting = new Map<number, (answer: Answer) => void>();
let asked = 0;

async function answer(method: string, params: LaunchParams): Promise<unknown> {
  if (method === "initialize") {
    module = await loadClient();
    const { client = {}, facts } = module;
    return {
      protocol: CLIENT_PROTOCOL,
      client: { name: basename(file), ...(typeof client === "object" ? client : { name: client }) },
      ...(facts === undefined ? {} : { facts }),
    };
  }
  return module?.launch(params.task, toolsOf(params));
}

/** @throws {AdapterFault} fatal, one line beginning with the path: see `loadModule` */
async function loadClient(): Promise<ClientModule> {
  const shownFile = oneLine(file);
  const fault = (message: string) => new AdapterFault(`${shownFile}${message}`, { fatal: true });
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) throw fault(": no such file");
  const exported = await importFile(resolve(file)).catch((thrown: unknown) => {
    throw fault(` cannot be loaded: ${loadErrorLine(thrown)}`);
  });
  for (const candidate of [exported, exported?.default])
    if (typeof candidate?.launch === "function") return candidate;
  const names = Object.keys(exported).sort();
  const found = exported.launch === undefined ? "exports no launch" : "exports a launch that is no function";
  const others = names.length === 0 ? "nothing" : oneLine(names.join(", "));
  throw fault(` ${found}; it exports: ${others}`);
}

function toolsOf({ number, nowMs: beganMs }: LaunchParams): Tools {
  let nowMs = beganMs;
  const ask = async (question: object): Promise<Answer> => {
    const ask = ++asked;
    const answered = new Promise<Answer>((resolve) => waiting.set(ask, resolve));
    const text = JSON.stringify({ ask, task: number, ...question });
    if (isTooLong(text)) throw new Error(`the request is larger than ${MAX_ANSWER_SHOWN}`);
    write(`${QUESTION}${text}\n`);
    const told = await answered;
    nowMs = Math.max(nowMs, told.nowMs);
    return told;
  };
  return {
    async handle(call) {
      const { envelope, lost } = await ask({ call: carried(call) });
      if (envelope === undefined) throw new Error(lost);
      return envelope;
    },
    async sleep(ms) {
      // Whoever does not await a wait goes on before it has begun.
      await new Promise((resolve) => setImmediate(resolve));
      const asMs = Number(ms);
      const { lost } = await ask({ sleepMs: Number.isFinite(asMs) ? Math.max(0, asMs) : 0 });
      if (lost !== undefined) throw new Error(lost);
    },
    now: () => nowMs,
  };
}

/** A call as JSON has it. */
function carried(call: unknown): object {
  if (typeof call !== "object" || call === null)
    throw new TypeError(`handle takes an object with method and path, not ${shown(call)}`);
  const { body, ...rest } = call as Record<string, unknown>;
  if (body instanceof Uint8Array) return { ...rest, bodyBase64: Buffer.from(body).toString("base64") };
  return body === undefined ? rest : { ...rest, body };
}

async function receive(line: Buffer): Promise<void> {
  const text = line.toString();
  if (text.startsWith(ANSWER)) {
    const told = JSON.parse(text.slice(ANSWER.length)) as Answer;
    waiting.get(told.asked)?.(told);
    waiting.delete(told.asked);
    return;
  }
  const { id, method, params } = JSON.parse(text);
  write(`{"jsonrpc":"2.0","id":${id},${await outcomeOf(method, params)}}\n`);
}

async function outcomeOf(method: string, params: LaunchParams): Promise<string> {
  try {
    const json = JSON.stringify((await answer(method, params)) ?? null) ?? "null";
    if (!isTooLong(json)) return `"result":${json}`;
    throw new AdapterFault(`the result is larger than ${MAX_ANSWER_SHOWN}`, { fatal: false });
  } catch (thrown) {
    const ours = thrown instanceof AdapterFault;
    const error: FaultError = {
      message: ours ? thrown.message : `launch threw: ${thrownLine(thrown)}`,
      data: { fatal: ours && thrown.fatal, ...(ours ? {} : placesOf(thrown)) },
    };
    return `"error":${JSON.stringify(error)}`;
  }
}

/** Calls that are told of what was thrown, the innermost first. */
const MOST_CALLS = 5;

/** Where something was thrown, as far as it came about in the module and what it imports. */
function placesOf(thrown: unknown): { readonly log?: string } {
  const stack = thrown instanceof Error ? String(thrown.stack) : "";
  const calls = stack.split("\n").filter((line) => /^ +at /.test(line));
  const own = calls.filter((line) => !/node:|module-client/.test(line)).slice(0, MOST_CALLS);
  return own.length === 0 ? {} : { log: own.join("\n") };
}

function write(text: string): void {
  const bytes = Buffer.from(text);
  for (let sent = 0; sent < bytes.length; ) sent += writeSync(ANSWERS, bytes, sent);
}

process.on("uncaughtExceptionMonitor", (thrown) => {
  write(`${LAST_WORDS}${JSON.stringify(thrownLine(thrown))}\n`);
});
const requests = new Socket({ fd: REQUESTS, readable: true, writable: false });
requests.on(
  "data",
  lineSplitter(Number.POSITIVE_INFINITY, receive, () => {}),
);
// Without the kit there is nothing left to do, whatever the module still has in hand.
requests.on("close", () => process.exit());
