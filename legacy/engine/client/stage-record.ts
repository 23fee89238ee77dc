import type { ClientClock } from "./client-clock.ts";
import type { ClientStage } from "./client-contract.ts";
import type { ClientRequest, StagedAnswer, Turn } from "./trace.ts";

interface UnderWay {
  readonly fromTurn: number;
  readonly flood: () => void;
}

/** Lets a scripted service answer, and takes down all that it was asked. */
export class StageRecord {
  readonly #stage: ClientStage;
  readonly #clock: ClientClock;
  readonly #most: number;
  readonly #onRequest: () => void;
  readonly #turns: (Turn | undefined)[] = [];
  readonly #answering = new Set<Promise<unknown>>();
  readonly #underWay = new Map<string, UnderWay>();
  /** How far the service's clock was moved on between tasks, in ms. */
  advancedMs = 0;

  /**
   * @param most requests that a task is worth
   * @param onRequest told of each request
   */
  constructor(stage: ClientStage, clock: ClientClock, most: number, onRequest: () => void) {
    this.#stage = stage;
    this.#clock = clock;
    this.#most = most;
    this.#onRequest = onRequest;
  }

  /** All that was asked and answered, in the order of its coming. */
  get turns(): readonly Turn[] {
    return this.#turns.filter((turn) => turn !== undefined);
  }

  /** How many requests there were. */
  get count(): number {
    return this.#turns.length;
  }

  /** A task begins. @param flood called once it has sent more requests than it is worth */
  begin(id: string, flood: () => void): void {
    this.#underWay.set(id, { fromTurn: this.count, flood });
  }

  end(id: string): void {
    this.#underWay.delete(id);
  }

  /** Settles once all that was asked is answered, whether or not anybody still waits for it. */
  async settled(): Promise<void> {
    while (this.#answering.size > 0) await Promise.allSettled(this.#answering);
  }

  /**
   * Answers a request. Rejects where no task is under way: then there is nobody to answer.
   * @param sentBy the task that it is of, where that is known
   */
  async ask(request: ClientRequest, sentBy?: string): Promise<StagedAnswer> {
    const tasks = [...this.#underWay.keys()];
    if (tasks.length === 0) throw new Error("no task is under way");
    if (this.#floods(tasks)) throw new Error("too many requests");
    const place = this.#turns.push(undefined) - 1;
    this.#onRequest();
    const atMs = this.#clock.nowMs;
    const answering = this.#stage.answer(request);
    this.#answering.add(answering);
    const { answer, serviceMs, ...staged } = await answering.finally(() => this.#answering.delete(answering));
    this.#turns[place] = {
      index: place,
      request,
      answer,
      ...staged,
      tasks,
      ...(sentBy === undefined ? {} : { sentBy }),
      atMs,
      answeredAtMs: this.#clock.nowMs,
      cameBeforeAnswer: this.count,
      serviceMs,
    };
    return answer;
  }

  #floods(tasks: readonly string[]): boolean {
    const own = tasks.flatMap((id) => this.#underWay.get(id) ?? []);
    const from = Math.min(...own.map(({ fromTurn }) => fromTurn));
    if (this.count - from < this.#most * Math.max(1, this.#underWay.size)) return false;
    for (const { flood } of own) flood();
    return true;
  }
}
