import { AdapterFault, type Connection } from "../../adapters/adapter.ts";
import { requestsOf, type TimeFacts } from "./activity.ts";
import { Changes } from "./changes.ts";

/** Nothing more of it is done, nor counts what was: it is to be done once more, when nothing else is under way. */
export class DoneInVain extends Error {
  override readonly name = "DoneInVain";
}

/** Something to do on a service that is free. */
export interface Task {
  /** Does it. Gives what broke, if anything did. */
  do(open: () => Promise<Connection>): Promise<AdapterFault | undefined>;
}

interface Waiting extends Task {
  /** About how many it takes, one after the other. */
  readonly requests: number;
  readonly drop: (reason: DoneInVain) => void;
}

/**
 * What is done beside the vectors, on the services that they are played on. Where each request takes long, whatever waits
 * for the most answers one after the other is to begin first, or all else waits for it in the end.
 */
export class Beside {
  readonly #facts: () => TimeFacts;
  readonly #begin: (before: TimeFacts) => void;
  readonly #enough: number;
  readonly #tasks: Waiting[] = [];
  readonly #changes = new Changes();
  #before: TimeFacts | undefined;
  #isOpen = true;
  #inVain = false;

  /**
   * @param facts what the time went on so far
   * @param begin puts in what there is to do; called once, when it was seen how fast services answer side by side, with
   *   what the time had gone on until they were asked so
   * @param enough so many requests show that
   */
  constructor(facts: () => TimeFacts, begin: (before: TimeFacts) => void, enough: number) {
    this.#facts = facts;
    this.#begin = begin;
    this.#enough = enough;
  }

  /** Whether it takes in more. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** From now on services are asked side by side. */
  start(): void {
    this.#before = this.#facts();
  }

  /**
   * A vector has come to its end, or there are no more: then it may have been seen how fast they answer so.
   * @param isLast whether there are no more
   */
  seen(isLast: boolean): void {
    const before = this.#before;
    if (before === undefined || !this.#isOpen) return;
    if (!isLast && requestsOf(this.#facts()) - requestsOf(before) < this.#enough) return;
    this.#before = undefined;
    this.#begin(before);
  }

  /** Does something as soon as a service is free for it. */
  add<Done>(requests: number, play: (lane: Connection) => Promise<Done>): Promise<Done> {
    return new Promise((resolve, reject) => {
      const task: Waiting = {
        requests,
        drop: reject,
        do: async (open) => {
          try {
            resolve(await play(await open()));
            return undefined;
          } catch (error) {
            reject(error);
            return error instanceof AdapterFault ? error : undefined;
          }
        },
      };
      const place = this.#tasks.findIndex((other) => other.requests < requests);
      this.#tasks.splice(place < 0 ? this.#tasks.length : place, 0, task);
    });
  }

  /** What takes the most requests of what is still to do, if it takes so many. */
  next(least = 0): Task | undefined {
    const [task] = this.#tasks;
    return task !== undefined && task.requests >= least ? this.#tasks.shift() : undefined;
  }

  /** Settles once the vectors are through, and nothing is done beside them any more. @throws {DoneInVain} where it counts for nothing */
  async over(): Promise<void> {
    while (this.#isOpen) await this.#changes.next();
    if (this.#inVain) throw new DoneInVain();
  }

  /** What was done beside the vectors may be as it is for what they did: none of it counts. */
  abandon(): void {
    this.#inVain = true;
    this.#end();
  }

  /** The vectors are through. */
  close(): void {
    this.#end();
  }

  #end(): void {
    this.#isOpen = false;
    for (const { drop } of this.#tasks.splice(0)) drop(new DoneInVain());
    this.#changes.tell();
  }
}
