/** A running program that answers JSON-RPC messages, one per line (adapter protocol, "Messages"). */
import { isUtf8 } from "node:buffer";
import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { ambiguousBody, isObject, type JsonObject, repeatsMember, show, valueAt } from "../data/json.ts";
import { errorText, escapeText } from "../data/text.ts";
import {
  type FailureDetails,
  ImplementationError,
  MAX_RESPONSE_BYTES,
  RESPONSE_TOO_LONG,
} from "./adapter.ts";
import { spawnGroup } from "./process-group.ts";
import { type Carrier, describeMessage, readAnswer } from "./protocol.ts";

export interface ProgramOptions {
  /** The program and its arguments. */
  readonly words: readonly string[];
  /** File descriptors of the program for requests and answers. */
  readonly descriptors: readonly [number, number];
  /** Names of environment variables that the program gets in addition to PATH, HOME, LANG, and TMPDIR. */
  readonly env: readonly string[];
  /** Time limit of a request, in ms; 0 for none. */
  readonly timeoutMs: number;
  /** Time that the program has to exit after `shutdown`, and after each signal, in ms. */
  readonly graceMs: number;
  /** Called once, when the program fails. @param isHang whether the failure is a timeout */
  readonly onFailure: (error: ImplementationError, isHang: boolean) => void;
  /** Gets the text that the program logs. */
  readonly onLog?: (text: string) => void;
  /** Handles a request from the program and returns the result (default: requests are not allowed). */
  readonly serve?: (method: string, params: JsonObject) => Promise<unknown>;
}

interface Pending {
  readonly label: string;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: ImplementationError) => void;
}

/** Maximum length of a line, in bytes: the longest response, and 1 KiB for the rest of the answer. */
const MAX_LINE_BYTES = MAX_RESPONSE_BYTES + 1024;
/** Time to wait for the exit of a program that has closed its output, in ms. The exit says more about the failure. */
const EXIT_MS = 2_000;
/** Maximum length of the log: the end of standard error, in UTF-16 code units. */
const MAX_LOG_LENGTH = 16 * 1024;
/** A message of `env` or of a shell about a first line such as `#!/usr/bin/python3` that ends with CR LF. */
const CR_AFTER_INTERPRETER = /(?:\\r|\^M|\r)['"\u2019:].*(?:no such file|bad interpreter)/i;
/** Maximum number of lines of the log in a failure. */
const MAX_LOG_LINES = 20;

export class Program implements Carrier {
  readonly #options: ProgramOptions;
  readonly #group: ReturnType<typeof spawnGroup>;
  readonly #input: Writable;
  readonly #pending = new Map<number, Pending>();
  readonly #exited: Promise<unknown>;
  /** Output after the last complete line. */
  #output = Buffer.alloc(0);
  #log = "";
  #lastId = 0;
  #isSilent = true;
  /** Exit status or signal of the process, in words. */
  #exit: string | undefined;
  #failure: string | undefined;
  /** Whether there is a failure that no caller has received yet. */
  #isUnreported = false;
  service?: unknown;
  nowMs?: number | undefined;

  constructor(options: ProgramOptions) {
    this.#options = options;
    const [inputFd, outputFd] = options.descriptors;
    this.#group = spawnGroup(options.words, Math.max(outputFd + 1, 3), options.env);
    const { child } = this.#group;
    this.#input = child.stdio[inputFd] as Writable;
    // Ignores a broken pipe, because the exit status of the program is more informative.
    this.#input.on("error", () => {});
    const output = child.stdio[outputFd] as Readable;
    for (const stream of [child.stdout, child.stderr])
      if (stream !== output)
        stream?.setEncoding("utf8").on("data", (text: string) => {
          this.#log = (this.#log + text).slice(-MAX_LOG_LENGTH);
          options.onLog?.(text);
        });
    output.on("data", (chunk: Buffer) => this.#receive(chunk));
    // After the timer, the event loop handles an exit that has arrived before it calls `setImmediate`.
    output.on("end", () => setTimeout(() => setImmediate(() => this.#fail(this.#describeEnd())), EXIT_MS));
    child.once("error", ({ message }) => this.#fail(`cannot be started: ${escapeText(message)}`));
    child.once("exit", (code, signal) => {
      this.#exit = signal === null ? `exited with status ${code}` : `was ended by ${signal}`;
    });
    child.once("close", () => this.#fail(this.#describeEnd()));
    this.#exited = once(child, "close").catch(() => {});
  }

  readonly call = (method: string, params: object, timeoutMs = this.#options.timeoutMs): Promise<unknown> => {
    const label = describeMessage(method, params);
    if (this.#failure !== undefined) return Promise.reject(this.#takeFailure(label));
    const id = ++this.#lastId;
    const hang = () => {
      const limit = method === "initialize" ? ", the limit of the start; a longer --timeout raises it" : "";
      const isOneLine = this.#output.includes("\r");
      const hint = isOneLine
        ? "; end each line with LF, not with CR"
        : "; is the output flushed after each line?";
      this.#fail(`did not answer within ${timeoutMs / 1000} s${limit}${this.#isSilent ? hint : ""}`, true);
    };
    const timer = timeoutMs === 0 ? undefined : setTimeout(hang, timeoutMs);
    const answer = new Promise((resolve, reject) => this.#pending.set(id, { label, resolve, reject }));
    this.#write({ id, method, params });
    return answer.finally(() => clearTimeout(timer));
  };

  /** @throws {ImplementationError} if the program failed, and no call has reported the failure */
  requireIntact(): void {
    if (this.#isUnreported) throw this.#takeFailure("after its last answer");
  }

  get hasFailed(): boolean {
    return this.#failure !== undefined;
  }

  /** Asks the program to exit, and ends it with all processes that it started. Never rejects. */
  async end(): Promise<void> {
    const { graceMs } = this.#options;
    const exitsInTime = () =>
      Promise.race([this.#exited.then(() => true), sleep(graceMs, false, { ref: false })]);
    if (this.#failure === undefined && this.#pending.size === 0) {
      await this.call("shutdown", {}, graceMs).catch(() => {});
      this.#failure ??= "is shut down";
      this.#input.end();
      if (await exitsInTime()) return;
    }
    for (const signal of ["SIGTERM", "SIGKILL"] as const) {
      this.#group.kill(signal);
      if (await exitsInTime()) return;
    }
  }

  #receive(chunk: Buffer): void {
    if (this.#failure !== undefined) return;
    this.#output = Buffer.concat([this.#output, chunk]);
    while (this.#failure === undefined) {
      const end = this.#output.indexOf("\n");
      if (end > MAX_LINE_BYTES || (end === -1 && this.#output.length > MAX_LINE_BYTES))
        this.#fail(`sent a line that is too long; ${RESPONSE_TOO_LONG}`);
      if (end === -1) return;
      const line = this.#output.subarray(0, end);
      this.#output = this.#output.subarray(end + 1);
      const fault = line.length === 0 ? undefined : this.#readLine(line);
      if (fault !== undefined) this.#fail(fault);
    }
  }

  /** Settles the call that a line answers. Returns the fault of the line, or undefined. */
  #readLine(line: Buffer): string | undefined {
    this.#isSilent = false;
    const encoding = encodingFault(line);
    if (encoding !== undefined) return `sent ${encoding}; write UTF-8 without a byte order mark`;
    const text = line.toString();
    let message: unknown;
    let isAmbiguous = false;
    try {
      message = JSON.parse(text);
      isAmbiguous = isObject(valueAt(message, ["result"])) && repeatsMember(text, message);
    } catch {
      const hint = "write only answers to this output, and logs to standard error";
      return `sent a line that is not JSON: ${show(text, 80)}; ${hint}`;
    }
    if (this.#options.serve !== undefined && isObject(message) && typeof message["method"] === "string") {
      void this.#serve(message["id"], message["method"], message["params"]);
      return undefined;
    }
    const { id, result, error, details, invalid } = readAnswer(message);
    if (invalid !== undefined) return `sent an invalid line: ${invalid}`;
    const pending = this.#pending.get(id as number);
    if (pending === undefined) {
      const wasSent = Number.isInteger(id) && Number(id) >= 1 && Number(id) <= this.#lastId;
      if (wasSent) return `answered request ${id} twice; answer each request once`;
      // JSON-RPC 2.0, section 5: the id is null if the implementation could not read it.
      const reason = error ?? "which the kit did not send; copy the id from the request";
      return `answered request ${show(id, 80)}, ${reason}`;
    }
    this.#pending.delete(Number(id));
    if (error !== undefined) pending.reject(failureOf(pending.label, error, details));
    else if (isAmbiguous && isObject(result)) pending.resolve({ ...result, body: ambiguousBody(text) });
    else pending.resolve(result);
    return undefined;
  }

  async #serve(id: unknown, method: string, params: unknown): Promise<void> {
    const outcome = await this.#options.serve?.(method, isObject(params) ? params : {}).then(
      (result) => ({ result }),
      (error: unknown) => ({ error: { message: errorText(error) } }),
    );
    this.#write({ id, ...outcome });
  }

  /** Sends a message. Messages of the same turn of the event loop are one write, so they arrive together. */
  #write(message: object): void {
    this.#input.cork();
    process.nextTick(() => this.#input.uncork());
    this.#input.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  }

  /** Describes how the program ended, with the last error in its log, or the last line of the log. */
  #describeEnd(): string {
    if (this.#exit === undefined) return "closed its output; keep the output open until shutdown";
    const lines = this.#logLines();
    const shown = lines.findLast((line) => /^[\w.]*(?:Error|Exception|panic)\b/.test(line)) ?? lines.at(-1);
    const hasCr = lines.some((line) => CR_AFTER_INTERPRETER.test(line));
    const cure = hasCr ? "; save the file of the program with LF line ends" : "";
    return (
      this.#exit + (shown === undefined ? " and wrote nothing to standard error" : `: ${shown.trim()}${cure}`)
    );
  }

  #logLines(): readonly string[] {
    const lines = this.#log.split("\n").filter((line) => line.trim() !== "");
    return lines.slice(-MAX_LOG_LINES).map((line) => escapeText(line.trimEnd(), 200));
  }

  /** Ends the program, and rejects all calls. */
  #fail(reason: string, isHang = false): void {
    if (this.#failure !== undefined) return;
    this.#failure = reason;
    this.#isUnreported = true;
    this.#group.kill("SIGKILL");
    this.#options.onFailure(new ImplementationError(`the program ${reason}`), isHang);
    for (const { label, reject } of this.#pending.values()) reject(this.#takeFailure(label));
    this.#pending.clear();
  }

  #takeFailure(label: string): ImplementationError {
    this.#isUnreported = false;
    return failureOf(label, `the program ${this.#failure}`, { log: this.#logLines() });
  }
}

/** @param label name of the message or the request that failed */
function failureOf(label: string, cause: string, details: FailureDetails = {}): ImplementationError {
  return new ImplementationError(`${label}: ${cause}`, { ...details, cause });
}

/** Returns the fault in the encoding of a line, or undefined. */
function encodingFault(line: Buffer): string | undefined {
  const start = line.subarray(0, 2).toString("hex");
  if (line.subarray(0, 3).toString("hex") === "efbbbf") return "a byte order mark at the start of a line";
  if (start === "fffe" || start === "feff" || line[0] === 0 || line[1] === 0) return "a line in UTF-16";
  return isUtf8(line) ? undefined : "a line that is not UTF-8";
}
