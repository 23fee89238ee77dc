import { type Adapter, AdapterFault, type Connection } from "../adapters/adapter.ts";
import type { Stage } from "../engine/contract.ts";
import type { Line } from "../engine/play/line.ts";
import type { RealTime } from "../engine/play/real-time.ts";
import type { Result } from "../engine/play/result.ts";
import { Activity } from "../engine/run/activity.ts";
import { attributeFailures } from "../engine/run/attribute-failures.ts";
import { drive } from "../engine/run/drive.ts";
import { checkIdentity } from "../engine/run/identity-check.ts";
import { plan } from "../engine/run/plan.ts";
import { type SearchOneOptions, searchOne } from "../engine/run/search-one.ts";
import { type StageGiven, setStage } from "../engine/run/set-stage.ts";
import { watchedAdapter } from "../engine/run/watched-adapter.ts";
import type { Vector } from "../engine/vectors/vector.ts";

/** Number of consecutive broken connections after which the rest is not tested. */
const MOST_FAULTS = 3;
/** Number of parallel vectors without a wait on a shared service. */
const SIDE_BY_SIDE = 16;

export interface SessionOptions {
  readonly openAdapter: () => Promise<Adapter>;
  readonly given: StageGiven;
  /** How much is searched. */
  readonly searching: Pick<SearchOneOptions, "runs" | "exhaustive" | "budget" | "searchRequests">;
  readonly maxWaitMs: number;
  readonly time: RealTime;
  /** Whether vectors share one service on a real clock. */
  readonly shared: boolean;
}

interface Open {
  readonly adapter: Adapter;
  readonly connection: Line;
  readonly stage: Stage;
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
  #adapter: Promise<Adapter> | undefined;
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
    return attributeFailures(this.#results).flatMap((attributed, index) => {
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
    const { searching, shared, given } = this.#options;
    const { adapter, connection, stage } = await this.#opened();
    let handed = shared;
    const connect = async () => {
      if (handed) return adapter.connect(given.contract);
      // What it is tried on it ends, too: whoever comes next has a connection of its own.
      handed = true;
      this.#open = undefined;
      return connection;
    };
    const result = await searchOne(id, {
      ...searching,
      contract: given.contract,
      time: this.#activity.time,
      info: connection.info,
      stage,
      connect,
      soFar: this.#activity.facts(),
    });
    if (result === undefined) throw new NotTried("not tried: so few cases leave none for it");
    this.#results.push(result);
    return result;
  }

  async #play(vector: Vector): Promise<Result> {
    const { maxWaitMs } = this.#options;
    const { time } = this.#activity;
    if (this.#stopped !== undefined) throw new NotTried(this.#stopped);
    const { adapter, connection, stage } = await this.#opened();
    const first = new LentConnection(connection);
    const {
      results: [result],
    } = await drive(plan([vector], connection.info, maxWaitMs), {
      adapter,
      first,
      stage,
      time,
      bail: () => false,
      abandon: () => {},
      onAgain: () => {},
      stopped: () => undefined,
      onResult: () => {},
    });
    if (result === undefined) throw new Error(`${vector.id} gave no result`);
    this.#results.push(result);
    await this.#afterwards(first);
    return result;
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
    const stage = await setStage(connection, given, this.#activity.time);
    const notTheService = await checkIdentity(connection, given.contract.identity);
    if (notTheService !== undefined) throw new AdapterFault(notTheService, { fatal: true });
    return { adapter, connection, stage };
  }
}

/** A connection as it is lent to one vector. Where there can be but one service, setting the stage has started it. */
class LentConnection implements Line {
  readonly info: Connection["info"];
  readonly #connection: Line;
  closed = false;

  constructor(connection: Line) {
    this.info = connection.info;
    this.#connection = connection;
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
