import { type Adapter, AdapterFault, type Connection } from "../adapters/adapter.ts";
import type { Line } from "../engine/play/line.ts";
import type { RealTime } from "../engine/play/real-time.ts";
import type { Result } from "../engine/play/result.ts";
import { Activity } from "../engine/run/activity.ts";
import { attributeFailures } from "../engine/run/attribute-failures.ts";
import { beginService, drive } from "../engine/run/drive.ts";
import { type Planned, plan } from "../engine/run/plan.ts";
import type { Item } from "../engine/run/pool.ts";
import { reduced, type SearchAmount, searchesOf, searchShare } from "../engine/run/searching.ts";
import { type RunStage, type StageGiven, setStage } from "../engine/run/stage.ts";
import { type WatchedAdapter, watchedAdapter } from "../engine/run/watched-adapter.ts";
import type { Vector } from "../engine/vectors/vector.ts";

/** Number of consecutive broken connections after which the rest is not tested. */
const MOST_FAULTS = 3;
/** Number of parallel vectors without a wait on a shared service. */
const SIDE_BY_SIDE = 16;

export interface SessionOptions {
  readonly openAdapter: () => Promise<Adapter>;
  readonly given: StageGiven;
  /** How much is searched. */
  readonly searching: SearchAmount & { readonly searchRequests?: number };
  readonly maxWaitMs: number;
  readonly time: RealTime;
  /** Whether vectors share one service on a real clock. */
  readonly shared: boolean;
}

interface Open {
  readonly adapter: Adapter;
  readonly connection: Line;
  readonly stage: RunStage;
}

/** The implementation has broken for good, and an earlier vector said so: the rest is left out. */
export class NotTried extends Error {
  override readonly name = "NotTried";
}

/**
 * One implementation that is asked for vectors one at a time, as a test runner comes to them. Nothing is started
 * before the first, and the connection is kept from one to the next as long as it lives.
 */
export class Session {
  readonly #options: SessionOptions;
  readonly #activity: Activity;
  readonly #results: Result[] = [];
  readonly #lanes: Promise<unknown>[];
  #adapter: Promise<WatchedAdapter> | undefined;
  /** What was measured stays, whichever connection it was on. */
  #stage: RunStage | undefined;
  #open: Promise<Open> | undefined;
  #turns = 0;
  #faults = 0;
  #stopped: string | undefined;

  constructor(options: SessionOptions) {
    this.#options = options;
    this.#activity = new Activity(options.time);
    this.#lanes = Array.from({ length: options.shared ? SIDE_BY_SIDE : 1 }, () => Promise.resolve());
  }

  /**
   * Plays a vector when its turn comes.
   * @throws {AdapterFault} where the implementation cannot be run at all, or is something else
   * @throws {NotTried} once that, or one break after the other, was told
   */
  async play(vector: Vector): Promise<Result> {
    if (this.#options.shared && vector.totalWaitMs > 0) return this.#play(vector);
    return this.#inTurn(() => this.#play(vector));
  }

  /**
   * Tries a property, or every sequence, when its turn comes.
   * @param id of what is searched for
   * @throws as {@link play} does
   */
  async search(id: string): Promise<Result> {
    return this.#inTurn(() => this.#search(id));
  }

  /** What was seen broken on the way to something else, and by no vector that is about it (see `attributeFailures`). */
  onTheWay(): readonly Result[] {
    const probed = this.#stage?.measured.results() ?? [];
    return attributeFailures([...this.#results, ...probed]).flatMap((attributed, index) => {
      const own = this.#results[index]?.failures ?? [];
      const failures = attributed.failures.filter((failure) => !own.includes(failure));
      return failures.length === 0 ? [] : [{ ...attributed, failures }];
    });
  }

  /** Ends the implementation. Never rejects. */
  async close(): Promise<void> {
    const adapter = await this.#adapter?.catch(() => undefined);
    await adapter?.close();
  }

  #inTurn(play: () => Promise<Result>): Promise<Result> {
    const lane = this.#turns++ % this.#lanes.length;
    const turn = (this.#lanes[lane] ?? Promise.resolve()).then(play);
    this.#lanes[lane] = turn.catch(() => undefined);
    return turn;
  }

  async #search(id: string): Promise<Result> {
    if (this.#stopped !== undefined) throw new NotTried(this.#stopped);
    const { searching, given } = this.#options;
    const { connection, stage } = await this.#opened();
    const { searchRequests } = searching;
    const { operations } = this.#activity.facts();
    const share = searchRequests === undefined ? undefined : searchShare(operations, searchRequests);
    const [search] = searchesOf({
      searches: await given.contract.searches(),
      amount: share === undefined ? searching : reduced(searching, share),
      chosen: (one) => one === id,
      info: connection.info,
      stage,
      time: this.#activity.time,
      instances: 1,
      stopped: () => undefined,
      onResult: () => {},
    });
    if (search === undefined) throw new NotTried("not tried: so few cases leave none for it");
    await this.#drive([], search.items);
    const result = search.result();
    if (result === undefined) throw new Error(`${id} gave no result`);
    this.#results.push(result);
    return result;
  }

  async #play(vector: Vector): Promise<Result> {
    if (this.#stopped !== undefined) throw new NotTried(this.#stopped);
    const { connection } = await this.#opened();
    const [result] = await this.#drive(plan([vector], connection.info, this.#options.maxWaitMs), []);
    if (result === undefined) throw new Error(`${vector.id} gave no result`);
    this.#results.push(result);
    return result;
  }

  async #drive(planned: readonly Planned[], searches: readonly Item[]): Promise<readonly Result[]> {
    const { adapter, connection, stage } = await this.#opened();
    const first = new LentConnection(connection);
    const results = await drive(planned, {
      adapter,
      first,
      stage,
      time: this.#activity.time,
      bail: () => false,
      isSlow: () => false,
      abandon: () => {},
      onAgain: () => {},
      stopped: () => undefined,
      onResult: () => {},
      ...(searches.length === 0 ? {} : { searches }),
    });
    await this.#afterwards(first);
    return results;
  }

  /** Lets go of a connection that broke, and of one whose only service has been used. */
  async #afterwards(lent: LentConnection): Promise<void> {
    const { clock, restart } = lent.info.capabilities;
    this.#faults = lent.closed ? this.#faults + 1 : 0;
    if (this.#faults >= MOST_FAULTS)
      this.#stopped = `not run: the adapter broke ${MOST_FAULTS} times in a row`;
    if (!lent.closed && (restart || clock === "real")) return;
    this.#open = undefined;
    await lent.close();
  }

  async #opened(): Promise<Open> {
    this.#open ??= this.#connect();
    try {
      return await this.#open;
    } catch (error) {
      if (this.#stopped !== undefined) throw new NotTried(this.#stopped);
      this.#stopped = "not run: the implementation could not be run";
      throw error;
    }
  }

  async #connect(): Promise<Open> {
    const { given, openAdapter } = this.#options;
    this.#adapter ??= openAdapter().then((adapter) =>
      watchedAdapter(adapter, given.contract, this.#activity),
    );
    const adapter = await this.#adapter;
    const connection = await adapter.connect(given.contract);
    this.#stage ??= setStage(connection.info, given);
    const stage = this.#stage;
    adapter.greet = (one) => stage.measured.greet(one);
    const notTheService = await beginService(connection, stage, this.#activity.time);
    if (notTheService !== undefined) throw new AdapterFault(notTheService, { fatal: true });
    return { adapter, connection, stage };
  }
}

/** A connection as it is lent to one vector. Where there can be but one service, it was started when the connection was opened. */
class LentConnection implements Line {
  readonly info: Connection["info"];
  readonly #connection: Line;
  closed = false;

  constructor(connection: Line) {
    this.info = connection.info;
    this.#connection = connection;
  }

  get ended(): boolean {
    return this.closed || this.#connection.ended === true;
  }

  async start(nowMs: number): Promise<void> {
    if (this.info.capabilities.restart) await this.#connection.start(nowMs);
  }

  handle(...call: Parameters<Line["handle"]>): Promise<unknown> {
    return this.#connection.handle(...call);
  }

  advance(ms: number): Promise<number> {
    return this.#connection.advance(ms);
  }

  bytesToSign(message: string): Promise<Uint8Array> {
    return this.#connection.bytesToSign(message);
  }

  async close(): Promise<void> {
    this.closed = true;
    await this.#connection.close();
  }
}
