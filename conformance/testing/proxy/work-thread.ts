import { EventEmitter } from "node:events";
import type { WorkThread } from "../../proxy/beside.ts";
import { type BesideWork, type ToWork, workBeside } from "../../proxy/beside.ts";

/** Something in place of a thread: it does its work in this one, message by message, when it is told to. */
export class WorkInPlace<Told, End> implements WorkThread<Told, End> {
  readonly #outside = new EventEmitter();
  readonly #inside = new EventEmitter();
  readonly #sent: ToWork[] = [];
  terminated = false;
  /** Whether each message is worked on at once. */
  atOnce: boolean;

  constructor(work: BesideWork<Told, End>, atOnce = true) {
    this.atOnce = atOnce;
    workBeside(
      {
        on: (event, take) => this.#inside.on(event, take),
        postMessage: (message) => this.#outside.emit("message", message),
      },
      work,
    );
  }

  on(event: string, take: (value: never) => void): this {
    this.#outside.on(event, take as (value: unknown) => void);
    return this;
  }

  postMessage(message: ToWork): void {
    this.#sent.push(message);
    if (this.atOnce) this.work();
  }

  /** Works on all that was sent. */
  work(): void {
    for (const message of this.#sent.splice(0)) this.#inside.emit("message", message);
  }

  /** Dies, as a thread does that has no more memory. */
  die(message: string): void {
    this.atOnce = false;
    this.#outside.emit("error", new Error(message));
    this.#outside.emit("exit");
  }

  async terminate(): Promise<void> {
    this.terminated = true;
    this.#outside.emit("exit");
  }
}
