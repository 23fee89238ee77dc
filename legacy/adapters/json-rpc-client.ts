import { AdapterFault } from "./adapter.ts";
import { errorLine, type JsonRpcAnswer, type JsonRpcError, parseAnswer, requestText } from "./json-rpc.ts";
import { shown } from "./one-line.ts";
import { withinLimit } from "./within-limit.ts";

/** Sends one request and gives the `result` of its answer; rejects with an {@link AdapterFault}. */
export type Call = (method: string, params: object, timeoutMs?: number) => Promise<unknown>;

export interface JsonRpcClientOptions {
  /** Passes the text of one message on; a failure to do so is told through {@link JsonRpcClient.fail}. */
  readonly send: (message: string) => void;
  /** How long a call may take, in milliseconds; 0 is for ever, as under a debugger. */
  readonly timeoutMs: number;
  /** What may be wrong where a call runs out of time before anything at all was received. */
  readonly silenceHint?: string;
  /** What the other side is called in faults; `the adapter` unless told. */
  readonly peer?: string;
  /** What the implementation has written for people so far. */
  readonly log: () => string;
  /** Called once, when the conversation has broken down. */
  readonly onFatal: () => void;
  /** Makes the fault of an error answer; the protocol's own reading by default. */
  readonly errorFault?: (method: string, error: JsonRpcError) => AdapterFault;
}

/** What was written for people before an answer comes by another pipe, which may be read after that of answers. */
const whenLogIsRead = (then: () => void) => void setImmediate(then);

interface Pending {
  readonly method: string;
  readonly resolve: (result: unknown) => void;
  readonly reject: (fault: AdapterFault) => void;
}

/**
 * The asking side of a JSON-RPC 2.0 conversation over any carrier of messages. Requests are sent without waiting;
 * answers are matched by id and may come in any order. Whatever puts the two sides out of step is a fatal fault, which
 * every pending and later call then rejects with. A call whose answer is overdue rejects, and ends the conversation only
 * once it is given up.
 */
export class JsonRpcClient {
  readonly #options: JsonRpcClientOptions;
  readonly #peer: string;
  readonly #pending = new Map<number, Pending>();
  #lastId = 0;
  #silent = true;
  #overdue = false;
  #fault: AdapterFault | undefined;

  constructor(options: JsonRpcClientOptions) {
    this.#options = options;
    this.#peer = options.peer ?? "the adapter";
  }

  /** Why the conversation is over, if it is. */
  get fault(): AdapterFault | undefined {
    return this.#fault;
  }

  /** Whether some call was not answered in time. */
  get overdue(): boolean {
    return this.#overdue;
  }

  /** Whether some call is not answered yet, or was not in time: what comes after it may wait for long. */
  get busy(): boolean {
    return this.#overdue || this.#pending.size > 0;
  }

  readonly call: Call = (method, params, timeoutMs = this.#options.timeoutMs) => {
    if (this.#fault !== undefined) {
      return new Promise((_, reject) => whenLogIsRead(() => reject(this.#fault)));
    }
    const id = ++this.#lastId;
    const answer = new Promise((resolve, reject) => {
      this.#pending.set(id, { method, resolve, reject });
      this.#options.send(requestText(id, method, params));
    });
    const message = () => this.#overdueMessage(method, timeoutMs);
    return withinLimit(answer, {
      limitMs: timeoutMs,
      message: () => {
        this.#overdue = true;
        return message();
      },
      fatal: true,
      log: () => this.#options.log() || undefined,
      giveUp: () => this.fail(message()),
    });
  };

  /** Takes in the text of one message from the other side. */
  receive(message: string): void {
    if (this.#fault !== undefined) return;
    this.#silent = false;
    const answer = parseAnswer(message);
    const pending = this.#pending.get(answer.id as number);
    if (pending === undefined) {
      this.fail(this.#outOfStep(answer));
      return;
    }
    if (answer.kind === "none") {
      this.fail(`${pending.method}: ${this.#peer} sent ${answer.why}`);
      return;
    }
    this.#pending.delete(answer.id as number);
    if (answer.kind === "result") pending.resolve(answer.result);
    else whenLogIsRead(() => pending.reject(this.#errorFault(pending.method, answer.error)));
  }

  /** Ends the conversation: every pending and later call rejects with a fatal fault of this message. */
  fail(message: string): void {
    if (this.#fault !== undefined) return;
    this.#fault = new AdapterFault(message, { fatal: true });
    whenLogIsRead(() => {
      const fault = new AdapterFault(message, { log: this.#options.log() || undefined, fatal: true });
      this.#fault = fault;
      for (const { reject } of this.#pending.values()) reject(fault);
      this.#pending.clear();
      this.#options.onFatal();
    });
  }

  #overdueMessage(method: string, timeoutMs: number): string {
    const hint = this.#silent ? this.#options.silenceHint : undefined;
    return `${method} did not answer within ${timeoutMs / 1000} s${hint === undefined ? "" : `; ${hint}`}`;
  }

  #outOfStep(answer: JsonRpcAnswer): string {
    if (answer.kind === "none") return `${this.#peer} sent ${answer.why}`;
    if (answer.kind === "error" && answer.id === null) return `${this.#peer} sent ${errorLine(answer.error)}`;
    const { id } = answer;
    const asked = typeof id === "number" && Number.isInteger(id) && id >= 1 && id <= this.#lastId;
    return asked
      ? `${this.#peer} answered twice to id ${id}`
      : `${this.#peer} answered to id ${shown(id)}, which was never sent`;
  }

  #errorFault(method: string, error: JsonRpcError): AdapterFault {
    if (this.#options.errorFault !== undefined) return this.#options.errorFault(method, error);
    return new AdapterFault(`${method}: ${this.#peer} sent ${errorLine(error)}`, {
      log: this.#options.log() || undefined,
      fatal: false,
    });
  }
}
