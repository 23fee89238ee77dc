/** A running program that answers JSON-RPC messages, one a line (adapter protocol, "Messages"). */
import { isUtf8 } from "node:buffer";
import type { Readable, Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { ImplementationError, MAX_RESPONSE_BYTES, RESPONSE_TOO_LONG } from "./adapter.ts";
import { ambiguousBody, isObject, type JsonObject, repeatsMember, show } from "./json.ts";
import { type ProcessGroup, spawnGroup } from "./process-group.ts";
import { type Answer, type Carrier, describeMessage, readAnswer, requestText } from "./protocol.ts";
import { errorText, escapeText } from "./text.ts";

export interface ProgramOptions {
  /** The program and its arguments. */
  readonly words: readonly string[];
  /** File descriptors of the program for requests and answers. */
  readonly descriptors: readonly [number, number];
  /** Names of environment variables that the program gets in addition to the usual ones. */
  readonly env: readonly string[];
  /** Time limit of a request, in ms; 0 for none. */
  readonly timeoutMs: number;
  /** Time to exit after `shutdown`, and after each signal, in ms. */
  readonly graceMs: number;
  /** Called once, when the program fails. @param isHang whether it did not answer in time */
  readonly onFailure: (error: ImplementationError, isHang: boolean) => void;
  /** Returns the result of a request of the program (default: the program must not send any). */
  readonly serve?: (method: string, params: JsonObject) => Promise<unknown>;
}

interface Pending {
  readonly label: string;
  readonly timer: NodeJS.Timeout | undefined;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: ImplementationError) => void;
}

/** Time for output that is still in a pipe after the program exited, in ms. */
const DRAIN_MS = 200;
/** Room for the members of an answer around its result, in bytes. */
const MAX_LINE_BYTES = MAX_RESPONSE_BYTES + 1024;
const MAX_LOG_BYTES = 16 * 1024;
const LF = 0x0a;

export class Program implements Carrier {
  readonly #options: ProgramOptions;
  readonly #group: ProcessGroup;
  readonly #input: Writable;
  readonly #pending = new Map<number, Pending>();
  readonly #exited: Promise<void>;
  #line: Buffer[] = [];
  #lineBytes = 0;
  #log = Buffer.alloc(0);
  #lastId = 0;
  #isSilent = true;
  /** How the process ended. */
  #exit: string | undefined;
  #failure: string | undefined;
  /** Whether no caller has received the failure yet. */
  #isUnreported = false;
  service?: unknown;
  nowMs?: number | undefined;

  constructor(options: ProgramOptions) {
    this.#options = options;
    const [inputFd, outputFd] = options.descriptors;
    this.#group = spawnGroup(options.words, Math.max(outputFd + 1, 3), options.env);
    const { child } = this.#group;
    this.#input = child.stdio[inputFd] as Writable;
    // The exit of the program says more than a broken pipe.
    this.#input.on("error", () => {});
    for (const stream of [child.stdout, child.stderr])
      if (stream !== child.stdio[outputFd]) stream?.on("data", (chunk: Buffer) => this.#appendLog(chunk));
    const output = child.stdio[outputFd] as Readable;
    output.on("data", (chunk: Buffer) => this.#receive(chunk));
    output.on("end", () => this.#failLater());
    child.once("error", ({ message }) => this.#fail(`cannot be started: ${escapeText(message)}`));
    child.once("exit", (code, signal) => {
      this.#exit = signal === null ? `exited with status ${code}` : `was ended by ${signal}`;
      this.#failLater();
    });
    child.once("close", () => this.#fail(this.#describeEnd()));
    this.#exited = new Promise((resolve) => {
      child.once("close", () => resolve());
      child.once("error", () => resolve());
    });
  }

  readonly call = (method: string, params: object, timeoutMs = this.#options.timeoutMs): Promise<unknown> => {
    const label = describeMessage(method, params);
    if (this.#failure !== undefined) return Promise.reject(this.#takeFailure(label));
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      const hang = () => {
        const hint = this.#isSilent ? "; is the output flushed after each line?" : "";
        this.#fail(`did not answer within ${timeoutMs / 1000} s${hint}`, true);
      };
      const timer = timeoutMs === 0 ? undefined : setTimeout(hang, timeoutMs);
      this.#pending.set(id, { label, timer, resolve, reject });
      this.#input.write(`${requestText(id, method, params)}\n`);
    });
  };

  /** @throws {ImplementationError} if the program failed, and no call has reported that */
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
    // A process that left the group still holds the pipes.
    for (const stream of this.#group.child.stdio) stream?.destroy();
  }

  /** Splits the output into lines, of which it holds at most one. */
  #receive(chunk: Buffer): void {
    for (let start = 0; start < chunk.length && this.#failure === undefined; ) {
      const end = chunk.indexOf(LF, start);
      const part = chunk.subarray(start, end === -1 ? chunk.length : end);
      start += part.length + 1;
      this.#line.push(part);
      this.#lineBytes += part.length;
      const isTooLong = this.#lineBytes > MAX_LINE_BYTES;
      if (end === -1 && !isTooLong) return;
      const line = Buffer.concat(this.#line);
      this.#line = [];
      this.#lineBytes = 0;
      const fault = isTooLong ? `sent a line that does not end; ${RESPONSE_TOO_LONG}` : this.#readLine(line);
      if (fault !== undefined) this.#fail(fault);
    }
  }

  /** Settles the call that a line answers. Returns what is wrong with the line, or undefined. */
  #readLine(line: Buffer): string | undefined {
    if (line.length === 0) return undefined;
    this.#isSilent = false;
    const encoding = encodingFault(line);
    if (encoding !== undefined) return `sent ${encoding}; write UTF-8 without a byte order mark`;
    let answer: Answer;
    try {
      const text = line.toString();
      const message: unknown = JSON.parse(text);
      if (this.#options.serve !== undefined && isObject(message) && typeof message["method"] === "string") {
        void this.#serve(message["id"], message["method"], message["params"]);
        return undefined;
      }
      answer = readAnswer(message);
      if (isObject(answer.result) && repeatsMember(text, message))
        answer = { ...answer, result: { ...answer.result, body: ambiguousBody(text) } };
    } catch {
      const hint = "write only answers there, and logs to standard error";
      return `sent a line that is not JSON: ${show(line.toString(), 80)}; ${hint}`;
    }
    const { id, result, error, frames, invalid } = answer;
    if (invalid !== undefined) return `sent an invalid line: ${invalid}`;
    const pending = this.#pending.get(id as number);
    if (pending === undefined) {
      const wasSent = Number.isInteger(id) && Number(id) >= 1 && Number(id) <= this.#lastId;
      if (wasSent) return `answered request ${id} twice; answer each request once`;
      // JSON-RPC 2.0, section 5: null, if the implementation could not read the id.
      const reason = error ?? "which was not sent; repeat the id of the request";
      return `answered request ${show(id, 80)}, ${reason}`;
    }
    this.#pending.delete(Number(id));
    clearTimeout(pending.timer);
    if (error === undefined) pending.resolve(result);
    else pending.reject(new ImplementationError(`${pending.label}: ${error}`, frames));
    return undefined;
  }

  /** Answers a request of the program. */
  async #serve(id: unknown, method: string, params: unknown): Promise<void> {
    const outcome = await this.#options.serve?.(method, isObject(params) ? params : {}).then(
      (result) => ({ result }),
      (error: unknown) => ({ error: { message: errorText(error) } }),
    );
    this.#input.write(`${JSON.stringify({ jsonrpc: "2.0", id, ...outcome })}\n`);
  }

  #appendLog(chunk: Buffer): void {
    this.#log = Buffer.from(Buffer.concat([this.#log, chunk]).subarray(-MAX_LOG_BYTES));
  }

  /** Returns the last lines of standard error: those from the last error on, or else the last three. */
  #lastWords(): string {
    const lines = this.#log
      .toString()
      .split("\n")
      .filter((line) => line.trim() !== "");
    const errorIndex = lines.findLastIndex((line) => /^[\w.]*(?:Error|Exception|panic)\b/.test(line));
    const last = errorIndex === -1 ? lines.slice(-3) : lines.slice(errorIndex, errorIndex + 3);
    const shown = last.map((line) => escapeText(line.trim(), 200)).join(" | ");
    return shown === "" ? " and wrote nothing to standard error" : `; standard error: ${shown}`;
  }

  #describeEnd(): string {
    if (this.#exit === undefined) return "closed its output; answer each request until shutdown";
    return `${this.#exit}${this.#lastWords()}`;
  }

  /** Fails when other signs of the same cause, which say more, had time to arrive. */
  #failLater(): void {
    setTimeout(() => this.#fail(this.#describeEnd()), DRAIN_MS);
  }

  /** Ends the program, and rejects all calls. */
  #fail(reason: string, isHang = false): void {
    if (this.#failure !== undefined) return;
    this.#failure = reason;
    this.#isUnreported = true;
    this.#group.kill("SIGKILL");
    this.#options.onFailure(new ImplementationError(`the program ${reason}`), isHang);
    for (const { label, timer, reject } of this.#pending.values()) {
      clearTimeout(timer);
      reject(this.#takeFailure(label));
    }
    this.#pending.clear();
  }

  #takeFailure(label: string): ImplementationError {
    this.#isUnreported = false;
    return new ImplementationError(`${label}: the program ${this.#failure}`);
  }
}

/** Returns what is wrong with the encoding of a line, or undefined. */
function encodingFault(line: Buffer): string | undefined {
  const start = line.subarray(0, 2).toString("hex");
  if (line.subarray(0, 3).toString("hex") === "efbbbf") return "a byte order mark at the start of a line";
  if (start === "fffe" || start === "feff" || line[0] === 0 || line[1] === 0) return "a line in UTF-16";
  return isUtf8(line) ? undefined : "a line that is not UTF-8";
}
