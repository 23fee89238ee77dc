import { setMaxListeners } from "node:events";
import { AdapterFault } from "../../adapters/adapter.ts";
import { Interrupted } from "../play/breakage.ts";
import type { RealTime } from "../play/real-time.ts";
import type { Result } from "../play/result.ts";
import { Activity } from "../run/activity.ts";
import { attributeFailures } from "../run/attribute-failures.ts";
import { choose } from "../run/plan.ts";
import type { RunFacts, RunOutcome, ShardFacts } from "../run/report.ts";
import { isOfShard, type Shard, type Stretch, stretchOf } from "../run/shard.ts";
import { BAILED, notPlayed, type Stop } from "../run/stop.ts";
import type { ClientContract, ClientSearch } from "./client-contract.ts";
import type { ClientConnection, ClientDoor, ClientInfo, SiteHost } from "./client-door.ts";
import type { ClientSuites, ClientVector } from "./client-vector.ts";
import { patiently, type Try } from "./patiently.ts";
import { playClientVector } from "./play-client-vector.ts";
import { runClientSearch } from "./run-client-search.ts";
import { searchId, untriedSearch } from "./search-result.ts";

/** What a run that judges a client is done with. */
export interface ClientRunOptions {
  readonly contract: ClientContract;
  readonly suites: ClientSuites;
  readonly door: ClientDoor;
  readonly sites: SiteHost;
  readonly kitVersion: string;
  readonly seed: number;
  /** Random cases that the contract's search tries, if it has one; none unless told. */
  readonly runs?: number;
  readonly only: readonly string[];
  /** Whether the vectors themselves are a choice, as those of a file that is replayed: then no verdict is given. */
  readonly chosenVectors?: boolean;
  readonly bail: boolean;
  /** Whether a failure of the result of that id is known, and so no reason to stop. */
  readonly isKnown?: (id: string) => boolean;
  /** What the user accepts that it was not tried: see `acceptsUntried`. */
  readonly accepted: ReadonlySet<string>;
  /** Which part of the run to do, where several share it. */
  readonly shard?: Omit<ShardFacts, "expected">;
  /** Real time that a task may take, in ms; 0 for any. */
  readonly limitMs: number;
  readonly time: RealTime;
  /** What the run is at, where somebody looks on; one of its own otherwise. */
  readonly activity?: Activity;
  /** Asked now and then: why to stop, once there is a reason. */
  readonly stopped?: () => string | undefined;
  /** Aborted, with the reason, when the run is to end at once. */
  readonly interrupt?: AbortSignal;
  /** Told of each result as it comes, and how many of how many there are. */
  readonly onResult?: (result: Result, done: number, total: number) => void;
}

/**
 * After so many vectors with a task that was overdue, or a flood, nothing more is played: a client that never ends would
 * take hours.
 */
const MOST_CUT = { overdue: 3, flooded: 12 } as const;

/**
 * Plays a client the vectors, each with a service of its own, and puts together what came of it.
 * @throws {DataError} where a pattern of `only` selects nothing
 * @throws {AdapterFault} where the client cannot be reached at all, or breaks in its first task before any request
 */
export async function clientRunOutcome(given: ClientRunOptions): Promise<RunOutcome> {
  const { activity = new Activity(given.time), ...options } = given;
  const { contract, suites, only, shard, door, runs = 0 } = options;
  const startedAt = options.time.now();
  const search = options.chosenVectors || runs === 0 ? undefined : contract.search;
  const searches = search === undefined ? [] : [searchId(search)];
  const { vectors: chosen, properties } = choose(suites.vectors, searches, only);
  const expected = chosen.length + properties.size;
  const own = chosen.filter((_, place) => shard === undefined || isOfShard(place, shard));
  const lanes = new Lanes(options, activity, own);
  const { results: played, info } = await lanes.play(Math.min(door.jobs, own.length));
  const cases = stretchOf(runs, shard ?? WHOLE);
  const searched =
    search === undefined || properties.size === 0 || cases.count === 0
      ? []
      : [await lanes.search(search, cases)];
  const results = [...played, ...searched];
  const facts: RunFacts = {
    kitVersion: options.kitVersion,
    info: { implementation: info.client },
    side: "client",
    adapter: door.transport,
    seed: options.seed,
    runs,
    digest: suites.digest,
    accepted: options.accepted,
    durationMs: Math.round(options.time.now() - startedAt),
    time: activity.facts(),
    ...(only.length === 0 && !options.chosenVectors
      ? {}
      : { selection: { only, chosen: expected, of: suites.vectors.length + searches.length } }),
    ...(options.stopped?.() === undefined ? {} : { stopped: true as const }),
    ...(shard === undefined ? {} : { shard: { ...shard, expected } }),
  };
  return { results: shard === undefined ? attributeFailures(results) : results, facts };
}

const WHOLE: Shard = { index: 1, of: 1 };

/** Connections side by side, each of which takes the next vector when it is free. */
class Lanes {
  readonly #options: ClientRunOptions;
  readonly #activity: Activity;
  readonly #vectors: readonly ClientVector[];
  readonly #results: Result[] = [];
  #next = 0;
  #done = 0;
  readonly #cut = { overdue: 0, flooded: 0 };
  /** Why nothing more is played, once there is a reason. */
  #stop: Stop | undefined;
  /** Whether any task of the run has ended as it must. */
  #worked = false;
  #info: ClientInfo | undefined;

  constructor(options: ClientRunOptions, activity: Activity, vectors: readonly ClientVector[]) {
    this.#options = options;
    this.#activity = activity;
    this.#vectors = vectors;
    // Every task listens to it.
    if (options.interrupt !== undefined) setMaxListeners(0, options.interrupt);
  }

  /** Plays all. @param count how many connections are used */
  async play(count: number): Promise<{ readonly results: readonly Result[]; readonly info: ClientInfo }> {
    const first = await this.#connect();
    this.#info = first.info;
    const lanes = Array.from({ length: Math.max(1, count) }, (_, lane) =>
      this.#lane(lane === 0 ? first : undefined),
    );
    // All end before a fault is told: what they have opened is theirs to close.
    const ended = await Promise.allSettled(lanes);
    const broken = ended.find((lane) => lane.status === "rejected");
    if (broken !== undefined) throw broken.reason;
    return { results: this.#results, info: this.#info };
  }

  /** Searches, unless something failed already: what vectors tell comes first, and is plainer. */
  async search(search: ClientSearch, cases: Stretch): Promise<Result> {
    const { isKnown = () => false, onResult } = this.#options;
    const failed = this.#results.some(({ id, failures }) => failures.length > 0 && !isKnown(id));
    const why = this.#stop ?? this.#interrupted() ?? (failed ? FAILED_BEFORE : undefined);
    const result =
      why === undefined
        ? await runClientSearch(search, cases, this.#options, this.#activity)
        : untriedSearch(search, why.outcome, why.reason);
    onResult?.(result, this.#done + 1, this.#vectors.length + 1);
    return result;
  }

  #connect(): Promise<ClientConnection> {
    const { door, contract } = this.#options;
    return door.connect(contract.id);
  }

  async #lane(open: ClientConnection | undefined): Promise<void> {
    const { door, limitMs } = this.#options;
    let connection = open;
    try {
      for (let place = this.#next++; place < this.#vectors.length; place = this.#next++) {
        const vector = this.#vectors[place] as ClientVector;
        const why = this.#stop ?? this.#interrupted();
        if (why !== undefined) {
          this.#note(place, notPlayed(vector, why));
          continue;
        }
        await patiently(door.jobs, limitMs, async (one) => {
          connection ??= await this.#reconnect();
          if (connection === undefined) {
            this.#note(place, notPlayed(vector, this.#stop ?? GONE));
            return {};
          }
          const played = await this.#playOne(place, vector, { ...one, connection });
          if (played.ended) {
            await connection.close();
            connection = undefined;
          }
          return played;
        });
      }
    } catch (error) {
      this.#stop ??= GONE;
      throw error;
    } finally {
      await connection?.close();
    }
  }

  /**
   * Plays one vector, and takes note of the result, unless it is overdue and is to be played once more.
   * @returns whether the connection is of no more use, and why it was cut short
   */
  async #playOne(
    place: number,
    vector: ClientVector,
    { connection, limitMs, isLast }: Try & { readonly connection: ClientConnection },
  ): Promise<{ readonly ended: boolean; readonly cut?: keyof typeof MOST_CUT }> {
    const { door, interrupt } = this.#options;
    const played = await this.#activity
      .call(
        () =>
          playClientVector(vector, {
            ...this.#options,
            connection,
            limitMs,
            waitScale: door.waitScale,
            onRequest: () => this.#activity.count("asked"),
            ...(interrupt === undefined ? {} : { interrupt }),
          }),
        { operation: "its tasks", id: vector.id, step: "" },
      )
      .catch((error: unknown) => {
        if (error instanceof Interrupted) return undefined;
        throw error;
      });
    const interrupted = this.#interrupted();
    if (played === undefined || (interrupted !== undefined && played.ended)) {
      this.#note(place, notPlayed(vector, interrupted ?? GONE));
      return { ended: true };
    }
    const { result, ended, cut, worked } = played;
    if (cut === "overdue" && !isLast) return { ended, cut };
    this.#worked ||= worked || result.outcome !== "error";
    if (!this.#worked)
      throw new AdapterFault(`${vector.id}: ${result.reason ?? ""}`, {
        fatal: true,
        log: result.breakage?.log,
      });
    if (cut !== undefined && ++this.#cut[cut] >= MOST_CUT[cut]) this.#stop ??= TOO_OFTEN[cut];
    this.#note(place, result);
    return { ended };
  }

  /** A further connection; undefined where the client, which worked once, can be reached no more. */
  async #reconnect(): Promise<ClientConnection | undefined> {
    try {
      return await this.#connect();
    } catch (error) {
      if (!(error instanceof AdapterFault)) throw error;
      this.#stop ??= {
        outcome: "error",
        reason: `not run: the client cannot be reached again: ${error.message}`,
      };
      return undefined;
    }
  }

  #interrupted(): Stop | undefined {
    const reason = this.#options.stopped?.();
    return reason === undefined ? undefined : { outcome: "skipped", reason };
  }

  #note(place: number, result: Result): void {
    const { bail, isKnown = () => false, onResult } = this.#options;
    this.#results[place] = result;
    if (bail && result.failures.length > 0 && !isKnown(result.id)) this.#stop ??= BAILED;
    onResult?.(result, ++this.#done, this.#vectors.length);
  }
}

const FAILED_BEFORE: Stop = {
  outcome: "skipped",
  reason: "not run: what the vectors tell is to be mended first",
};

const GONE: Stop = { outcome: "error", reason: "not run: the run broke off" };

const TOO_OFTEN: Readonly<Record<keyof typeof MOST_CUT, Stop>> = {
  overdue: {
    outcome: "skipped",
    reason: `not run: in ${MOST_CUT.overdue} vectors the client did not end its task in time`,
  },
  flooded: {
    outcome: "skipped",
    reason: `not run: in ${MOST_CUT.flooded} vectors the client sent requests without end`,
  },
};
