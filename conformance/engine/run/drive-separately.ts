import { type Adapter, AdapterFault, type Connection } from "../../adapters/adapter.ts";
import { findingOf, wasNotSent } from "../play/breakage.ts";
import type { PlayOutcome } from "../play/play.ts";
import type { Result } from "../play/result.ts";
import type { Vector } from "../vectors/vector.ts";
import { Company, type Stay } from "./company.ts";
import { FaultCount } from "./fault-count.ts";
import { playStarted, type StartedOptions } from "./play-started.ts";
import { BAILED, broken, notPlayed, notStarted, type Stop, whyGone } from "./stop.ts";

export interface SeparateOptions extends StartedOptions {
  readonly adapter: Adapter;
  /** An open connection to begin with, unless a fault has ended it. */
  readonly first: Connection;
  /** Whether to stop after this result. */
  readonly bail: (result: Result) => boolean;
  /** Asked before each vector: why to stop, if so. */
  readonly asked: () => Stop | undefined;
  /** Gives 0, 1, 2 and so on: the place of the vector to play next, where several threads play from one list. */
  readonly nextPlace?: (() => number) | undefined;
}

/** A vector that was begun, and what came of it. */
interface Begun {
  readonly vector: Vector;
  played?: Played;
}

interface Played extends PlayOutcome {
  /** Whether its service shared its process with those of others that were under way meanwhile. */
  readonly inCompany: boolean;
}

/**
 * Plays each vector on a service of its own, on as many connections side by side as the adapter offers. What is judged
 * is the same however many there are: where services share a process, whatever does not pass is played once more when
 * nothing else is under way, and that counts; and why to stop early is looked for in the order of the vectors.
 * @param take is told of every result as it comes, and again where another takes its place
 * @returns how many services were found to be good for side by side
 */
export async function driveSeparately(
  queue: readonly Vector[],
  options: SeparateOptions,
  take: (result: Result) => void,
): Promise<number> {
  const driven = new SideBySide(queue, options, take);
  await driven.play();
  return driven.lanes;
}

/** Where requests were overdue in company and are not alone, so many services are one. */
const SLOW_DOWN = 4;

class SideBySide {
  /** How many vectors may be under way at once. */
  lanes: number;
  readonly #options: SeparateOptions;
  readonly #take: (result: Result) => void;
  readonly #next: () => Vector | undefined;
  /** Vectors in all. */
  readonly #most: number;
  readonly #connections: (Connection | undefined)[];
  readonly #company = new Company();
  /** What carried services until it broke. */
  readonly #broken = new WeakSet<object>();
  /** In the order in which they were begun first. */
  readonly #begun: Begun[] = [];
  /** Those that are to be begun anew. */
  #anew: Begun[] = [];
  #faults = new FaultCount();
  /** How many, from the first, are through: what came of them stays. */
  #through = 0;
  #stop: Stop | undefined;
  /** Whether a failure was looked for in a new process. */
  #failedAnew = false;
  /** Whether nothing is begun before what failed in company was played alone. */
  #paused = false;

  constructor(queue: readonly Vector[], options: SeparateOptions, take: (result: Result) => void) {
    let place = 0;
    const { adapter, first, nextPlace = () => place++ } = options;
    this.#options = options;
    this.#take = take;
    this.#next = () => queue[nextPlace()];
    this.#most = queue.length;
    this.lanes = adapter.jobs;
    this.#connections = [first];
  }

  async play(): Promise<void> {
    do {
      this.#paused = false;
      const lanes = Math.min(this.lanes, this.#most);
      await Promise.all(Array.from({ length: lanes }, (_, lane) => this.#playLane(lane)));
    } while (await this.#playSuspects());
    for (const { vector } of this.#begun.slice(this.#through))
      if (this.#stop !== undefined) this.#take(notPlayed(vector, this.#stop));
    // The first stays, for what comes next, unless it broke.
    for (const lane of this.#connections.keys())
      if (lane > 0 || this.#isBroken(lane)) await this.#disconnect(lane);
  }

  async #playLane(lane: number): Promise<void> {
    while (!this.#paused) {
      const begun = this.#anew.shift() ?? this.#begin();
      if (begun === undefined) return;
      await this.#playOn(lane, begun);
    }
  }

  #begin(): Begun | undefined {
    const vector = this.#next();
    if (vector === undefined) return undefined;
    const begun = { vector };
    this.#begun.push(begun);
    return begun;
  }

  async #playOn(lane: number, begun: Begun): Promise<void> {
    const { vector } = begun;
    const stop = this.#stop ?? this.#options.asked();
    const played =
      stop === undefined
        ? await this.#playVector(lane, vector)
        : { result: notPlayed(vector, stop), inCompany: false };
    begun.played = played;
    if (isSuspect(played)) {
      this.#paused ||= played.fault !== undefined || this.#options.bail(played.result);
      return;
    }
    this.#take(played.result);
    if (stop === undefined) this.#goThrough();
  }

  async #playVector(lane: number, vector: Vector): Promise<Played> {
    let stay: Stay | undefined;
    try {
      const connection = await this.#connect(lane);
      const { carrier } = connection;
      if (carrier !== undefined) stay = this.#company.enter(carrier);
      const outcome = await playStarted(vector, connection, this.#options);
      if (outcome.fault?.fatal) {
        if (carrier !== undefined) this.#broken.add(carrier);
        await this.#disconnect(lane);
      }
      return { ...outcome, inCompany: stay?.inCompany ?? false };
    } catch (error) {
      // Anything else is the kit's own fault and goes up.
      if (!(error instanceof AdapterFault)) throw error;
      return { ...notStarted(vector, error), inCompany: false };
    } finally {
      if (stay !== undefined) this.#company.leave(stay);
    }
  }

  async #connect(lane: number): Promise<Connection> {
    const { adapter, stage } = this.#options;
    if (this.#isBroken(lane)) await this.#disconnect(lane);
    const connection = this.#connections[lane] ?? (await adapter.connect(stage.contract));
    this.#connections[lane] = connection;
    return connection;
  }

  #isBroken(lane: number): boolean {
    const carrier = this.#connections[lane]?.carrier;
    return carrier !== undefined && this.#broken.has(carrier);
  }

  async #disconnect(lane: number): Promise<void> {
    const connection = this.#connections[lane];
    this.#connections[lane] = undefined;
    await connection?.close();
  }

  /** Looks in order at what can no longer change, for a reason to stop. */
  #goThrough(): void {
    const { bail, first } = this.#options;
    while (this.#stop === undefined) {
      const played = this.#begun[this.#through]?.played;
      if (played === undefined || isSuspect(played)) return;
      this.#through += 1;
      const { fault, result } = played;
      if (fault === undefined) {
        this.#faults.wentWell();
        if (bail(result)) this.#stop = BAILED;
        continue;
      }
      // A program can be started anew; a server that is asked over HTTP is somebody else's.
      if (first.info.transport === "http") this.#stop = whyGone(fault);
      if (!counts(fault)) continue;
      const why = this.#faults.note(fault);
      if (why !== undefined) this.#stop ??= broken(why);
    }
  }

  /**
   * Plays alone what did not pass in the company of others, so that nothing is said of it that another may have caused.
   * @returns whether there may be more to play
   */
  async #playSuspects(): Promise<boolean> {
    const suspects = this.#begun.filter(({ played }) => played !== undefined && isSuspect(played));
    if (suspects.length === 0) return false;
    const before = suspects.map(({ played }) => played);
    for (const begun of suspects) await this.#playOn(0, begun);
    if (this.#stop !== undefined || this.#options.asked() !== undefined) return true;
    const broke = before.filter((played) => played?.fault !== undefined);
    const isSame = suspects.every(
      ({ played }, place) => broke.includes(before[place]) || areAlike(played, before[place]),
    );
    const isApart = isSame && (await this.#failsAnew(suspects));
    const brokeAlone = suspects.some(({ played }) => played?.fault !== undefined);
    // What is overdue for one may be so for the work of all; then the others have been answered rightly.
    if (isApart && broke.length > 0 && !brokeAlone && broke.every(wasOverdue))
      this.lanes = Math.ceil(this.lanes / SLOW_DOWN);
    else if (!isApart || (broke.length > 0 && !brokeAlone)) await this.#playAllAlone();
    return true;
  }

  /**
   * Whether the first failure is one in a new process, too, rather than for what was left there by other services, of
   * which there may be less, or something else, where vectors are played in their order. One failure speaks for all.
   */
  async #failsAnew(suspects: readonly Begun[]): Promise<boolean> {
    const failed = suspects.find(({ played }) => played?.result.outcome === "failed");
    if (failed === undefined || this.#failedAnew) return true;
    this.#failedAnew = true;
    await this.#renew();
    const { result } = await this.#playVector(0, failed.vector);
    return result.failures[0]?.rule === failed.played?.result.failures[0]?.rule;
  }

  async #renew(): Promise<void> {
    for (const lane of this.#connections.keys()) await this.#disconnect(lane);
    await this.#options.adapter.renew?.();
  }

  /** Services that stand by each other's state, or break together and none of them alone, are asked one after the other. */
  async #playAllAlone(): Promise<void> {
    await this.#renew();
    this.lanes = 1;
    this.#anew = [...this.#begun];
    for (const begun of this.#begun) delete begun.played;
    this.#faults = new FaultCount();
    this.#through = 0;
  }
}

function areAlike(one: Played | undefined, other: Played | undefined): boolean {
  return one?.result.outcome === other?.result.outcome && one?.fault === undefined;
}

function wasOverdue(played: Played | undefined): boolean {
  const kind = played?.fault === undefined ? undefined : findingOf(played.fault)?.finding.kind;
  return kind === "hang" || kind === "slow";
}

/** Whether what a vector came to may have been for what another asked of the same process. */
function isSuspect({ result, fault, inCompany }: Played): boolean {
  if (!inCompany || (fault !== undefined && wasNotSent(fault))) return false;
  return result.outcome !== "passed";
}

/** Whether a fault says that the adapter cannot be driven, rather than that one request was not answered. */
function counts(fault: AdapterFault): boolean {
  const finding = findingOf(fault)?.finding;
  return finding === undefined ? fault.fatal : finding.kind === "lost" && finding.alive === false;
}
